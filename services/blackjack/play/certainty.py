"""Which findings are certain when: with facts missing, without rules, with a card face down."""

from __future__ import annotations

from typing import Final

from blackjack.facts import DEALER, CardDealt, Event
from blackjack.findings import Kind
from blackjack.play.round import Round

CERTAIN_IN_A_GAP: Final = frozenset(
    (
        Kind.SEQUENCE_GAP,
        Kind.CHAIN_BROKEN,
        Kind.SEQUENCE_CONFLICT,
        Kind.CLOCK_SKEW,
        Kind.LOW_CONFIDENCE,
        Kind.IMPOSSIBLE_CARD,
        Kind.UNSHUFFLED,
        Kind.BIG_WIN,
        Kind.BAD_AMOUNT,
        Kind.SIGNERS,
        Kind.DEBIT_LIMIT,
        Kind.DEBIT_NO_PATRON,
        Kind.SHUFFLER_FAULT,
        Kind.UNAPPROVED_RULES,
        Kind.UNAPPROVED_DECKS,
        Kind.UNKNOWN_RULES,
    )
)
"""Kinds that stay proven while facts are missing; the others wait until the round is complete."""

NEEDS_RULES: Final = frozenset(
    (
        Kind.DEAL_ORDER,
        Kind.CARD_UNASKED,
        Kind.SETTLE_ORDER,
        Kind.UPCARD_NOT_REPLACED,
        Kind.UPCARD_REPLACED_TWICE,
        Kind.UPCARD_REPLACED_WRONGLY,
        Kind.DEALER_DREW,
        Kind.DEALER_STOOD,
        Kind.HOLE_CARD_NOT_SHOWN,
        Kind.PEEK_MISSING,
        Kind.ACTION_FORBIDDEN,
        Kind.INSURANCE_FORBIDDEN,
        Kind.CARDS_REMOVED_EARLY,
        Kind.IRREGULARITY_UNRULED,
        Kind.UNKNOWN_WAGER,
    )
)
"""Kinds that need the rules of the game; they wait until the rule set is published."""

COUNTS_HIDDEN_CARDS: Final = (
    Kind.IMPOSSIBLE_CARD,
    Kind.UNSHUFFLED,
    Kind.PEEK_WRONG,
    Kind.DEALER_DREW,
    Kind.DEALER_STOOD,
)
"""Kinds that may rest on the hole card whatever the current fact shows."""


def may_name_hidden_card(kind: Kind, event: Event, played: Round | None) -> bool:
    """Whether a finding is about a card of the dealer that lies face down, or counts it."""
    fact = event.fact
    if type(fact) is CardDealt and fact.seat == DEALER and not fact.face_up:
        return True
    return (
        kind in COUNTS_HIDDEN_CARDS
        and played is not None
        and not played.hole_shown
        and played.hole_card is not None
    )
