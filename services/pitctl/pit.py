"""All tables of an input, folded side by side, and what they add up to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from blackjack.facts import Event, RuleSetActivated
from blackjack.findings import Level
from blackjack.outcomes import Payment, Result, SettledRound, Step, WagerOutcome
from blackjack.rule_set import FILED, RuleSet
from blackjack.table import Table, advance

_UNJUDGED: Final = (Result.UNDETERMINED, Result.NOT_SETTLED)


@dataclass(frozen=True, slots=True)
class Turn:
    """One event with the table before and after it, and what it brought forth."""

    event: Event
    before: Table
    after: Table
    step: Step


@dataclass(slots=True)
class Totals:
    """Sums over the latest version of every round.

    Money is the player's: winnings less what the house takes. Wagers that are not judged,
    and those whose payment nobody saw, are counted and not added.
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
        """What players have too much."""
        return self.paid_cents - self.owed_cents

    def add(self, settled: SettledRound, sign: int = 1) -> None:
        """Count a round in, or with a sign of -1 out again."""
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
                self.owed_cents += sign * owed_cents(outcome)
                self.paid_cents += sign * paid_cents(outcome)
                self.overpaid_cents += sign * max(0, outcome.difference_cents)
                self.underpaid_cents += sign * max(0, -outcome.difference_cents)


def is_judged(outcome: WagerOutcome) -> bool:
    """Whether it is known what the wager is owed."""
    return outcome.result not in _UNJUDGED


def owed_cents(outcome: WagerOutcome) -> int:
    """What the player is due, less what the house is."""
    return outcome.owed_cents - outcome.taken_cents


def paid_cents(outcome: WagerOutcome) -> int:
    """What the player got, less what the house took."""
    return outcome.paid_cents - outcome.collected_cents


class Pit:
    """The tables of one input."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.totals = Totals()
        self.standing: dict[str, Level] = {}
        """Findings that nothing has withdrawn, by id."""
        self._rule_sets: dict[str, RuleSet] = {}

    def take(self, event: Event) -> Turn:
        """Fold one event into its table."""
        before = self.tables.get(event.table) or Table.new(event.table)
        after, step = advance(before, event)
        self.tables[event.table] = after
        rules = after.state.rules
        if type(event.fact) is RuleSetActivated and rules is not None:
            self._rule_sets[rules.hash] = rules
        for finding in step.findings:
            self.standing[finding.id] = finding.level
        for withdrawal in step.withdrawals:
            self.standing.pop(withdrawal.id, None)
        for settled in step.rounds:
            superseded = before.rounds.get(settled.round)
            if superseded is not None and settled.version > superseded.version:
                self.totals.add(superseded, -1)
            self.totals.add(settled)
        return Turn(event, before, after, step)

    def rule_set(self, name: str) -> RuleSet | None:
        """The rule set with this hash, if a filing or the input has it."""
        return self._rule_sets.get(name) or FILED.get(name)

    def levels(self) -> Counter[Level]:
        """How many findings of each level stand."""
        return Counter(self.standing.values())
