"""The report for people: rounds as they settle, each with its findings.

Findings of a round are printed with it, so what is found in a round that is still open
waits for its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from rich.text import Text

from blackjack.cards import Card
from blackjack.findings import Finding, Level, Withdrawal
from blackjack.hands import total_of
from blackjack.outcomes import HandCards, RoundStatus, SettledRound
from blackjack.rule_set import RuleSet
from blackjack.rules import HouseRules
from blackjack.table import Table
from pitctl.dealer_cards import DealerCards, dealer_cards
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
        step, after = turn.step, turn.after
        if not (step.rounds or step.findings or step.withdrawals):
            return
        playing = after.state.round.name if after.state.round is not None else ""
        known = turn.before.findings | {each.id: each for each in step.findings}
        withdrawn = self._withdrawn.pop(after.name, [])
        withdrawn += ((each, known.get(each.id)) for each in step.withdrawals)
        known |= after.findings
        shown = {settled.round for settled in step.rounds}
        for settled in step.rounds:
            new = (each.id for each in step.findings if each.round == settled.round)
            names = dict.fromkeys((*settled.findings, *new))
            found = [known[name] for name in names if name in known]
            taken = [each for each in withdrawn if each[0].round == settled.round]
            self._print_round(turn, settled, found, taken)
        waiting = {playing} - {""}
        held = [each for each in withdrawn if each[0].round in waiting - shown]
        if held:
            self._withdrawn[after.name] = held
        self._print_outside(
            after,
            [each for each in step.findings if each.round not in shown | waiting],
            [each for each in withdrawn if each[0].round not in shown | waiting],
        )
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
            self._print_findings(table, played.findings.values())
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
            self._print_hands(turn.after, settled)
            superseded = turn.before.rounds.get(settled.round) if settled.version > 1 else None
            if settled.outcomes:
                page.blank()
                print_wagers(page, settled, superseded)
        self._print_findings(turn.after, found)
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

    def _print_hands(self, table: Table, settled: SettledRound) -> None:
        if not settled.hands:
            return
        rules = self._pit.rule_set(settled.context.rule_set)
        split = {held.seat for held in settled.hands if held.hand > 1}
        lines: list[tuple[str, Text, str]] = []
        for held in sorted(settled.hands, key=lambda each: (each.seat, each.hand)):
            if held.seat:
                name = f"seat {held.seat}" + (f".{held.hand}" if held.seat in split else "")
                cards = self._page.cards(held.cards)
                worth = _worth(held, is_split=held.seat in split, rules=rules)
            else:
                name = "dealer"
                cards = self._dealt(table, settled, held, rules)
                worth = _worth(held, is_split=False, rules=rules)
            lines.append((name, cards, worth))
        self._page.blank()
        name_width = max(len(name) for name, _, _ in lines)
        cards_width = max(cards.cell_len for _, cards, _ in lines)
        for name, cards, worth in lines:
            cards.pad_right(cards_width - cards.cell_len)
            self._page.line(name.ljust(name_width), "  ", cards, "  ", worth, indent=2, hang=4)

    def _dealt(
        self, table: Table, settled: SettledRound, held: HandCards, rules: RuleSet | None
    ) -> Text:
        """The dealer's cards, with which lay up and which down, or on which place."""
        house = rules.spec.house if rules is not None else HouseRules()
        lay = dealer_cards(settled, held, table.events, confidence_min=house.read_confidence_min)
        return Text(" ").join(
            self._labelled(card, lay, lay.labels[at] if lay.labels else "", rules)
            for at, card in enumerate(held.cards)
        )

    def _labelled(
        self, card: Card | None, lay: DealerCards, label: str, rules: RuleSet | None
    ) -> Text:
        text = self._page.card(card)
        if rules is not None and label in rules.filing.side_bets:
            title = rules.filing.side_bets[label].title
            return Text.assemble((f"{title} ", "dim"), text, " ")
        if not label:
            return text
        if label == "up" and lay.replaced:
            original = self._page.card(lay.replaced[0])
            return Text.assemble(text, (" up (for ", "dim"), original, (")", "dim"), " ")
        return Text.assemble(text, (f" {label}", "dim"), " ")

    # Findings --------------------------------------------------------------------------

    def _print_outside(
        self,
        table: Table,
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
        self._page.rule(self._title(table.name, where, ""))
        self._print_findings(table, findings)
        self._print_withdrawals(withdrawals)
        self._page.blank()

    def _print_findings(self, table: Table, findings: Iterable[Finding]) -> None:
        page = self._page
        for finding in sorted(findings, key=lambda each: (each.level, each.seq)):
            page.blank()
            level = (f" {finding.level.name} ", _LEVEL_STYLES[finding.level])
            page.line(
                level, (f" {finding.kind.value}", "bold"), f"  {finding.text}", indent=2, hang=5
            )
            proof = [f"proved by {self._event(table, finding.seq)}"]
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

    def _event(self, table: Table, seq: int) -> str:
        """The event that proves something: its number, what it says, and its line."""
        fact = next((each.fact for each in table.events if each.seq == seq), None)
        named = f" ({words(type(fact).__name__)})" if fact is not None else ""
        line = self._line_of(table.name, seq)
        return f"event {seq}{named}" + (f" on line {line}" if line else "")


def _worth(held: HandCards, *, is_split: bool, rules: RuleSet | None) -> str:
    """What a hand counts, unless a card was not read or the game counts none."""
    if rules is not None and not rules.filing.base_wagers:
        return ""
    cards = [card for card in held.cards if card is not None]
    if len(cards) != len(held.cards):
        return ""
    total, soft = total_of(cards)
    if total > 21:
        return f"{total}, bust"
    if total == 21 and len(cards) == 2 and not is_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)
