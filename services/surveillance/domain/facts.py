"""Facts that are routed to subjects."""

from __future__ import annotations

from msgspec import Struct

from alerting.office_facts import CageFact, DeadLetter, DeskFact
from alerting.settings import ExclusionLifted, PatronExcluded
from blackjack.facts import Event
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from blackjack.rulebook.rule_set import RuleSet


class JudgedRound(Struct, frozen=True):
    """A settled round with the rules it was played by; None where they are unknown."""

    settled: SettledRound
    rules: RuleSet | None = None


RoutableFact = (
    Finding
    | Withdrawal
    | JudgedRound
    | Event
    | DeskFact
    | CageFact
    | DeadLetter
    | PatronExcluded
    | ExclusionLifted
)
