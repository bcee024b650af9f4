"""All tables of an input, folded side by side, with their totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from blackjack.facts import Event, Fact, RuleSetActivated
from blackjack.findings import Finding, Level
from blackjack.outcomes import Payment, Result, SettledRound, Step, WagerOutcome
from blackjack.play.table import NOTHING, Table, fold
from blackjack.rulebook.rule_set import FILED, RuleSet

_UNJUDGED: Final = (Result.UNDETERMINED, Result.NOT_SETTLED)


class FoldedBatch:
    """Events of one table that were folded at once, with the results reported so far."""

    def __init__(self, table: Table, events: Sequence[Event]) -> None:
        self._events = [*table.events, *events]
        self.table = table
        """The table before the events, then after them."""
        self.findings: dict[str, Finding] = table.findings.copy()
        self.rounds: dict[str, SettledRound] = table.rounds.copy()
        self.last_settled: dict[str, int] = {}
        """The position in the input of each round's last settlement in this batch."""

    @cached_property
    def facts(self) -> dict[int, Fact]:
        """Facts by their number; of two with one number, the first counts."""
        return {event.seq: event.fact for event in reversed(self._events)}

    def waits(self, round: str, at: int) -> bool:
        """Whether the round is not settled yet, so that its findings can wait."""
        played = self.table.state.round
        is_open = played is not None and played.name == round
        return bool(round) and (is_open or self.last_settled.get(round, at) > at)


@dataclass(frozen=True, slots=True)
class FoldedEvent:
    """The result of one event. The batch has reported all before it, and no more."""

    at: int
    step: Step
    batch: FoldedBatch

    def superseded(self, settled: SettledRound) -> SettledRound | None:
        """The previous version of the round."""
        former = self.batch.rounds.get(settled.round)
        return former if former is not None and former.version < settled.version else None


@dataclass(slots=True)
class SettlementTotals:
    """Sums over the latest version of every round.

    Money is the player's: winnings less what the house takes. Wagers that are not judged,
    and those with unseen payments, are counted and not added.
    """

    rounds: int = 0
    wagers: int = 0
    owed_cents: int = 0
    paid_cents: int = 0
    overpaid_cents: int = 0
    underpaid_cents: int = 0
    undetermined: int = 0
    not_settled: int = 0
    unobserved: int = 0

    @property
    def difference_cents(self) -> int:
        """What players were overpaid in sum."""
        return self.paid_cents - self.owed_cents

    def add(self, settled: SettledRound, sign: int = 1) -> None:
        """Add a round, or with a sign of -1 subtract it."""
        self.rounds += sign
        self.wagers += sign * len(settled.outcomes)
        for outcome in settled.outcomes:
            if outcome.result is Result.UNDETERMINED:
                self.undetermined += sign
            elif outcome.result is Result.NOT_SETTLED:
                self.not_settled += sign
            elif outcome.payment is Payment.UNOBSERVED:
                self.unobserved += sign
            else:
                self.owed_cents += sign * outcome.net_owed
                self.paid_cents += sign * outcome.net_paid
                self.overpaid_cents += sign * max(0, outcome.difference_cents)
                self.underpaid_cents += sign * max(0, -outcome.difference_cents)


def is_judged(outcome: WagerOutcome) -> bool:
    """Whether it is known what the wager is owed."""
    return outcome.result not in _UNJUDGED


class TableSet:
    """The tables of one input."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.totals = SettlementTotals()
        self.standing: dict[str, Level] = {}
        """Findings that nothing has withdrawn, by id."""
        self._rule_sets: dict[str, RuleSet] = {}

    def fold(self, events: Sequence[Event]) -> Iterator[FoldedEvent]:
        """Fold events into their tables, each table's at once; return results in input order."""
        places: dict[str, list[int]] = {}
        for at, event in enumerate(events):
            places.setdefault(event.table, []).append(at)
        steps = [NOTHING] * len(events)
        batches = {
            name: self._fold_table(name, [events[at] for at in found], found, steps)
            for name, found in places.items()
        }
        for at, (event, step) in enumerate(zip(events, steps, strict=True)):
            folded = FoldedEvent(at, step, batches[event.table])
            if step is not NOTHING:
                self._count(folded)
            yield folded
            folded.batch.findings.update((finding.id, finding) for finding in step.findings)
            folded.batch.rounds.update((settled.round, settled) for settled in step.rounds)

    def _fold_table(
        self, name: str, events: Sequence[Event], places: Sequence[int], steps: list[Step]
    ) -> FoldedBatch:
        table = self.tables.get(name) or Table.new(name)
        batch = FoldedBatch(table, events)
        done = 0
        for count, event in enumerate(events, start=1):
            is_activation = type(event.fact) is RuleSetActivated
            if not is_activation and count < len(events):
                continue
            table, brought = fold(table, events[done:count])
            for at, step in zip(places[done:count], brought, strict=True):
                steps[at] = step
                batch.last_settled.update((settled.round, at) for settled in step.rounds)
            done = count
            rules = table.state.rules
            if is_activation and rules is not None:
                self._rule_sets[rules.hash] = rules
        self.tables[name] = batch.table = table
        return batch

    def _count(self, folded: FoldedEvent) -> None:
        step = folded.step
        for finding in step.findings:
            self.standing[finding.id] = finding.level
        for withdrawal in step.withdrawals:
            self.standing.pop(withdrawal.id, None)
        for settled in step.rounds:
            superseded = folded.superseded(settled)
            if superseded is not None:
                self.totals.add(superseded, -1)
            self.totals.add(settled)

    def rule_set(self, name: str) -> RuleSet | None:
        """The rule set with this hash, if a filing or the input has it."""
        return self._rule_sets.get(name) or FILED.get(name)

    def levels(self) -> Counter[Level]:
        """How many findings of each level stand."""
        return Counter(self.standing.values())
