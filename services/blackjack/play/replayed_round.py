"""A round as it was rebuilt from its own events: every fact with the table after it."""

from __future__ import annotations

from msgspec import Struct

from blackjack.facts import Event
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from blackjack.play.felt import Felt
from blackjack.rulebook.rule_set import RuleSet


class ReplayedFact(Struct, frozen=True, gc=False):
    """One fact in words, the seat and the hand it is about, and its outputs."""

    event: Event
    words: str
    seat: int
    hand: int
    felt: Felt
    findings: tuple[Finding, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    covered_words: str = ""
    """The words without the card, where it was dealt face down."""


class Replay(Struct, frozen=True):
    """The round as emitted, the round as the log gives it, and every step there.

    Version and cause of `replayed` are those of `emitted`: they depend on when it was emitted.
    """

    emitted: SettledRound
    replayed: SettledRound
    steps: tuple[ReplayedFact, ...]
    differences: tuple[str, ...]
    """The differences in words; also where only the bytes differ."""
    rules: RuleSet | None
    """The rule set in force, where it is known."""
