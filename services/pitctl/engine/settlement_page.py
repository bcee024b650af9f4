"""The report for people: rounds as they settle, each with its findings.

Findings of a round are printed with it, so those of an open round wait for its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rich.text import Text

from blackjack.facts import Fact
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import DealerPlace, SettledRound
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.round_close import NOT_OF_THE_ROUND
from pitctl.engine.table_set import FoldedEvent, TableSet
from pitctl.output.round_page import (
    how_played,
    print_findings,
    print_heading,
    print_withdrawals,
    worth_of,
)
from pitctl.output.text import Page, class_words, escape
from pitctl.output.wager_rows import print_wagers

LineOf = Callable[[str, int], int]
"""The line of the input that an event stands on, by table and number; 0 if unknown."""


class SettlementPage:
    """Prints settled rounds, one at a time."""

    def __init__(
        self, page: Page, tables: TableSet, *, line_of: LineOf, findings_only: bool
    ) -> None:
        self._page = page
        self._tables = tables
        self._line_of = line_of
        self._findings_only = findings_only
        self._withdrawn: dict[str, list[tuple[Withdrawal, Finding | None]]] = {}
        """By table: findings withdrawn in the open round."""

    def write(self, folded: FoldedEvent) -> None:
        step, batch = folded.step, folded.batch
        if not (step.rounds or step.findings or step.withdrawals):
            return
        table = batch.table.name
        known = batch.findings | {finding.id: finding for finding in step.findings}
        withdrawn = self._withdrawn.pop(table, [])
        withdrawn += ((gone, known.get(gone.id)) for gone in step.withdrawals)
        shown = {settled.round for settled in step.rounds}
        for settled in step.rounds:
            new = (finding.id for finding in step.findings if finding.round == settled.round)
            meanwhile = (
                finding.id
                for finding in known.values()
                if finding.round == settled.round and finding.kind in NOT_OF_THE_ROUND
            )
            names = dict.fromkeys((*settled.findings, *meanwhile, *new))
            found = [known[name] for name in names if name in known]
            own = [pair for pair in withdrawn if pair[0].round == settled.round]
            self._print_round(folded, settled, found, own)
        held = [
            pair
            for pair in withdrawn
            if pair[0].round not in shown and batch.waits(pair[0].round, folded.at)
        ]
        if held:
            self._withdrawn[table] = held
        printed = shown | {gone.round for gone, _ in held}
        self._print_outside(
            folded,
            [
                finding
                for finding in step.findings
                if finding.round not in printed and not batch.waits(finding.round, folded.at)
            ],
            [pair for pair in withdrawn if pair[0].round not in printed],
        )

    def flush(self) -> None:
        self._page.flush()

    def end(self, tables: TableSet) -> None:
        """Print rounds that the input leaves open, with their findings."""
        for table in tables.tables.values():
            played = table.state.round
            if played is None:
                continue
            self._page.rule(self._title(table.name, f"round {played.name}", "still open"))
            text = "not settled: the input ends before the round does"
            self._page.line((text, "yellow"), indent=2)
            facts = {event.seq: event.fact for event in table.events}
            self._print_findings(table.name, facts, played.findings.values())
            self._print_withdrawals(self._withdrawn.get(table.name, []))
            self._page.blank()

    # A round ---------------------------------------------------------------------------

    def _print_round(
        self,
        folded: FoldedEvent,
        settled: SettledRound,
        found: list[Finding],
        withdrawn: list[tuple[Withdrawal, Finding | None]],
    ) -> None:
        page = self._page
        if self._findings_only and not found and not withdrawn:
            return
        version = f"version {settled.version}" if settled.version > 1 else ""
        page.rule(self._title(settled.table, f"round {settled.round}", version))
        print_heading(page, settled, self._tables.rule_set(settled.context.rule_set))
        if not self._findings_only:
            self._print_hands(settled)
            if settled.outcomes:
                page.blank()
                rules = self._tables.rule_set(settled.context.rule_set)
                print_wagers(page, settled, folded.superseded(settled), rules)
        self._print_findings(settled.table, folded.batch.facts, found)
        self._print_withdrawals(withdrawn)
        page.blank()

    def _title(self, table: str, noun: str, more: str) -> Text:
        title = Text(f"{escape(table)}, {escape(noun)}", "bold")
        return title.append(f", {more}", "bold yellow") if more else title

    def _print_hands(self, settled: SettledRound) -> None:
        rules = self._tables.rule_set(settled.context.rule_set)
        counts = rules is None or bool(rules.filing.base_wagers)
        lines: list[tuple[str, Text, str]] = []
        if settled.dealer:
            in_hand = [laid.card for laid in settled.dealer if laid.in_hand]
            worth = worth_of(in_hand) if counts else ""
            lines.append(("dealer", self._dealer_cards(settled, rules), worth))
        split = {held.seat for held in settled.hands if held.hand > 1}
        for held in settled.hands:
            name = f"seat {held.seat}" + (f".{held.hand}" if held.seat in split else "")
            lines.append((name, self._page.cards(held.cards), how_played(held, counts=counts)))
        if not lines:
            return
        self._page.blank()
        name_width = max(len(name) for name, _, _ in lines)
        cards_width = max(cards.cell_len for _, cards, _ in lines)
        for name, cards, worth in lines:
            cards.pad_right(cards_width - cards.cell_len)
            self._page.line(name.ljust(name_width), "  ", cards, "  ", worth, indent=2, hang=4)

    def _dealer_cards(self, settled: SettledRound, rules: RuleSet | None) -> Text:
        """The dealer's cards with their places."""
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
                case DealerPlace.SURPLUS:
                    text = Text.assemble(text, (" surplus", "dim"), " ")
                case DealerPlace.MATCH_ME | DealerPlace.MATCH_ME_2:
                    filed = rules.filing.side_bets.get(laid.place) if rules is not None else None
                    title = filed.title if filed is not None else laid.place.value
                    text = Text.assemble((f"{title} ", "dim"), text, " ")
            parts.append(text)
        return Text(" ").join(parts)

    # Findings --------------------------------------------------------------------------

    def _print_outside(
        self,
        folded: FoldedEvent,
        findings: list[Finding],
        withdrawals: list[tuple[Withdrawal, Finding | None]],
    ) -> None:
        """Findings and withdrawals outside the rounds that are printed now."""
        if not findings and not withdrawals:
            return
        rounds = {finding.round for finding in findings} | {gone.round for gone, _ in withdrawals}
        where = "outside the rounds"
        if len(rounds) == 1 and (name := next(iter(rounds))):
            where = f"round {name}"
        table = folded.batch.table.name
        self._page.rule(self._title(table, where, ""))
        self._print_findings(table, folded.batch.facts, findings)
        self._print_withdrawals(withdrawals)
        self._page.blank()

    def _print_findings(
        self, table: str, facts: Mapping[int, Fact], findings: Iterable[Finding]
    ) -> None:
        """Findings, each with the event that proves it: number, fact and line."""

        def proof(seq: int) -> str:
            fact = facts.get(seq)
            named = f" ({class_words(type(fact).__name__)})" if fact is not None else ""
            line = self._line_of(table, seq)
            return f"event {seq}{named}" + (f" on line {line}" if line else "")

        print_findings(self._page, findings, proof)

    def _print_withdrawals(self, withdrawals: Iterable[tuple[Withdrawal, Finding | None]]) -> None:
        print_withdrawals(self._page, withdrawals)
