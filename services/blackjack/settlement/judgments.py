"""Judgments on one wager, as values: the coupon beside it, and what it is owed."""

from __future__ import annotations

from msgspec import Struct

from blackjack.outcomes import Result
from blackjack.rulebook.promotions import Terms


class WagerCoupon(Struct, frozen=True, gc=False):
    """A coupon beside a wager; its terms are None until they are published."""

    serial: str
    promotion: str
    terms: Terms | None

    @property
    def face_cents(self) -> int:
        return self.terms.face_cents if self.terms is not None else 0


class Owed(Struct, frozen=True, gc=False):
    """What a wager is owed and why; least and most differ where a card is not known.

    `arithmetic` is empty where it follows from outcome, cards and rules
    (`blackjack.settlement.explanations`).
    """

    result: Result
    outcome: str
    clause: str
    arithmetic: str = ""
    cents: int = 0
    taken_cents: int = 0
    least_cents: int = 0
    most_cents: int = 0
    coupon_cents: int = 0
