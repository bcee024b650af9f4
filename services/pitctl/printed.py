"""The report for people: rounds as they settle, each with its findings.

Findings of a round are printed with it, so what is found in a round that is still open
waits for its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from rich.text import Text

from blackjack.cards import Card, card
from blackjack.closing import NOT_OF_THE_ROUND
from blackjack.facts import Fact
from blackjack.findings import Finding, Level, Withdrawal
from blackjack.hands import total_of
from blackjack.outcomes import DealerPlace, HandCards, RoundStatus, SettledRound
from blackjack.rule_set import RuleSet
from pitctl.pit import Pit, Turn
from pitctl.text import Page, moment, plain, signed_dollars, words
from pitctl.wager_rows import print_wagers

LineOf = Callable[[str, int], int]
"""The line of the input that an event stands on, by table and number; 0 if not known."""

_LEVEL_STYLES: Final = {
    Level.P1: "bold white on red",
    Level.P2: "bold red",
    Level.P3: "bold yellow",
    Level.P4: "bold cyan",
}
_ANY_ACE: Final = card("AS")
_STATUS_WORDS: Final = {
    RoundStatus.VOID: "void: every stake goes back",
    RoundStatus.INCOMPLETE: "incomplete: facts are missing, and it is settled anew if they come",
    RoundStatus.UNRESOLVED: "unresolved: it is settled once its rule set is known",
}


class Printed:
    """Prints what comes forth, a round at a time."""

    def __init__(self, page: Page, pit: Pit, *, line_of: LineOf, findings_only: bool) -> None:
        self._page = page
        self._pit = pit
        self._line_of = line_of
        self._findings_only = findings_only
        self._withdrawn: dict[str, list[tuple[Withdrawal, Finding | None]]] = {}
        """By table: what was taken back in the round that is still open."""

    def tell(self, turn: Turn) -> None:
        step, batch = turn.step, turn.batch
        if not (step.rounds or step.findings or step.withdrawals):
            return
        table = batch.table.name
        known = batch.findings | {each.id: each for each in step.findings}
        withdrawn = self._withdrawn.pop(table, [])
        withdrawn += ((each, known.get(each.id)) for each in step.withdrawals)
        shown = {settled.round for settled in step.rounds}
        for settled in step.rounds:
            new = (each.id for each in step.findings if each.round == settled.round)
            meanwhile = (
                each.id
                for each in known.values()
                if each.round == settled.round and each.kind in NOT_OF_THE_ROUND
            )
            names = dict.fromkeys((*settled.findings, *meanwhile, *new))
            found = [known[name] for name in names if name in known]
            taken = [each for each in withdrawn if each[0].round == settled.round]
            self._print_round(turn, settled, found, taken)
        held = [
            each
            for each in withdrawn
            if each[0].round not in shown and batch.waits(each[0].round, turn.at)
        ]
        if held:
            self._withdrawn[table] = held
        said = shown | {each.round for each, _ in held}
        self._print_outside(
            turn,
            [
                each
                for each in step.findings
                if each.round not in said and not batch.waits(each.round, turn.at)
            ],
            [each for each in withdrawn if each[0].round not in said],
        )

    def flush(self) -> None:
        self._page.flush()

    def end(self, pit: Pit) -> None:
        """Rounds that the input leaves open, with what was found in them."""
        for table in pit.tables.values():
            played = table.state.round
            if played is None:
                continue
            self._page.rule(self._title(table.name, f"round {played.name}", "still open"))
            text = "the input ends before the round does: it is not settled"
            self._page.line((text, "yellow"), indent=2)
            facts = {event.seq: event.fact for event in table.events}
            self._print_findings(table.name, facts, played.findings.values())
            self._print_withdrawals(self._withdrawn.get(table.name, []))
            self._page.blank()

    # A round ---------------------------------------------------------------------------

    def _print_round(
        self,
        turn: Turn,
        settled: SettledRound,
        found: list[Finding],
        withdrawn: list[tuple[Withdrawal, Finding | None]],
    ) -> None:
        page = self._page
        if self._findings_only and not found and not withdrawn:
            return
        version = f"version {settled.version}" if settled.version > 1 else ""
        page.rule(self._title(settled.table, f"round {settled.round}", version))
        self._print_heading(settled)
        if not self._findings_only:
            self._print_hands(settled)
            if settled.outcomes:
                page.blank()
                print_wagers(page, settled, turn.superseded(settled))
        self._print_findings(settled.table, turn.batch.facts, found)
        self._print_withdrawals(withdrawn)
        page.blank()

    def _title(self, table: str, what: str, more: str) -> Text:
        title = Text(f"{plain(table)}, {plain(what)}", "bold")
        return title.append(f", {more}", "bold yellow") if more else title

    def _print_heading(self, settled: SettledRound) -> None:
        page = self._page
        if settled.version > 1:
            cause = f"supersedes version {settled.version - 1}: {settled.cause}"
            page.line((plain(cause), "yellow"), indent=2, hang=2)
        if settled.status in _STATUS_WORDS:
            page.line((_STATUS_WORDS[settled.status], "bold yellow"), indent=2, hang=2)
        context = settled.context
        rules = self._pit.rule_set(context.rule_set)
        if rules is not None:
            page.line(rules.name, (f"  rule set {rules.hash[:12]}", "dim"), indent=2, hang=2)
        else:
            named = f"rule set {context.rule_set[:12]}" if context.rule_set else "no rule set"
            page.line((f"{plain(named)}: not known", "bold yellow"), indent=2)
        said = [moment(settled.opened_at)]
        said += [f"dealer {context.dealer}"] if context.dealer else []
        said += [f"supervisor {context.supervisor}"] if context.supervisor else []
        said += [f"events {settled.first_seq} to {settled.last_seq}"]
        page.line((plain(", ".join(said)), "dim"), indent=2, hang=2)

    def _print_hands(self, settled: SettledRound) -> None:
        rules = self._pit.rule_set(settled.context.rule_set)
        counts = rules is None or bool(rules.filing.base_wagers)
        lines: list[tuple[str, Text, str]] = []
        if settled.dealer:
            in_hand = [each.card for each in settled.dealer if each.in_hand]
            worth = _worth(in_hand) if counts else ""
            lines.append(("dealer", self._dealer_cards(settled, rules), worth))
        split = {held.seat for held in settled.hands if held.hand > 1}
        for held in settled.hands:
            name = f"seat {held.seat}" + (f".{held.hand}" if held.seat in split else "")
            lines.append((name, self._page.cards(held.cards), _played(held, counts=counts)))
        if not lines:
            return
        self._page.blank()
        name_width = max(len(name) for name, _, _ in lines)
        cards_width = max(cards.cell_len for _, cards, _ in lines)
        for name, cards, worth in lines:
            cards.pad_right(cards_width - cards.cell_len)
            self._page.line(name.ljust(name_width), "  ", cards, "  ", worth, indent=2, hang=4)

    def _dealer_cards(self, settled: SettledRound, rules: RuleSet | None) -> Text:
        """The dealer's cards, with which lay up and which down, or on which place."""
        parts: list[Text] = []
        original: Text | None = None
        for laid in settled.dealer:
            text = self._page.card(laid.card)
            match laid.place:
                case DealerPlace.REPLACED:
                    original = text
                    continue
                case DealerPlace.DRAWN:
                    pass
                case DealerPlace.UP if original is not None:
                    text = Text.assemble(text, (" up (for ", "dim"), original, (")", "dim"), " ")
                case DealerPlace.UP | DealerPlace.HOLE:
                    text = Text.assemble(text, (f" {laid.place}", "dim"), " ")
                case DealerPlace.MATCH_ME | DealerPlace.MATCH_ME_2:
                    filed = rules.filing.side_bets.get(laid.place) if rules is not None else None
                    title = filed.title if filed is not None else laid.place.value
                    text = Text.assemble((f"{title} ", "dim"), text, " ")
            parts.append(text)
        return Text(" ").join(parts)

    # Findings --------------------------------------------------------------------------

    def _print_outside(
        self,
        turn: Turn,
        findings: list[Finding],
        withdrawals: list[tuple[Withdrawal, Finding | None]],
    ) -> None:
        """What belongs to no round that is printed now."""
        if not findings and not withdrawals:
            return
        rounds = {each.round for each in findings} | {each.round for each, _ in withdrawals}
        where = "outside the rounds"
        if len(rounds) == 1 and (name := next(iter(rounds))):
            where = f"round {name}"
        table = turn.batch.table.name
        self._page.rule(self._title(table, where, ""))
        self._print_findings(table, turn.batch.facts, findings)
        self._print_withdrawals(withdrawals)
        self._page.blank()

    def _print_findings(
        self, table: str, facts: Mapping[int, Fact], findings: Iterable[Finding]
    ) -> None:
        page = self._page
        for finding in sorted(findings, key=lambda each: (each.level, each.seq)):
            page.blank()
            level = (f" {finding.level.name} ", _LEVEL_STYLES[finding.level])
            page.line(
                level, (f" {finding.kind.value}", "bold"), f"  {finding.text}", indent=2, hang=5
            )
            proof = [f"proved by {self._event(table, finding.seq, facts.get(finding.seq))}"]
            proof += [f"dealer {finding.dealer}"] if finding.dealer else []
            proof += [f"patron {finding.patron}"] if finding.patron else []
            proof += [f"amount {signed_dollars(finding.cents)}"] if finding.cents else []
            page.line((f"rule: {plain(finding.rule)}", ""), indent=7, hang=2)
            page.line((plain(", ".join(proof)), "dim"), indent=7, hang=2)

    def _print_withdrawals(self, withdrawals: Iterable[tuple[Withdrawal, Finding | None]]) -> None:
        page = self._page
        for withdrawal, finding in withdrawals:
            page.blank()
            what = f"{finding.kind.value}  {finding.text}" if finding else withdrawal.id
            page.line((" withdrawn ", "black on green"), f"  {what}", indent=2, hang=5)
            why = f"because of event {withdrawal.seq}: {withdrawal.reason}"
            page.line((plain(why), "dim"), indent=7, hang=2)

    def _event(self, table: str, seq: int, fact: Fact | None) -> str:
        """The event that proves something: its number, what it says, and its line."""
        named = f" ({words(type(fact).__name__)})" if fact is not None else ""
        line = self._line_of(table, seq)
        return f"event {seq}{named}" + (f" on line {line}" if line else "")


def _played(held: HandCards, *, counts: bool) -> str:
    """What a player's hand counts, and how it was played."""
    cards = (_ANY_ACE, *held.cards[1:]) if held.free_ace else held.cards
    said = [_worth(cards, from_split=held.from_split)] if counts else []
    said += ["free ace"] if held.free_ace else []
    said += ["doubled"] if held.doubled else []
    said += ["surrendered"] if held.surrendered else []
    said += ["void"] if held.void else []
    return ", ".join(each for each in said if each)


def _worth(held: Sequence[Card | None], *, from_split: bool = False) -> str:
    """What a hand counts, unless a card was not read."""
    cards = [each for each in held if each is not None]
    if not cards or len(cards) != len(held):
        return ""
    total, soft = total_of(cards)
    if total > 21:
        return f"{total}, bust"
    if total == 21 and len(cards) == 2 and not from_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)
