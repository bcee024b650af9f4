"""A wager while its round is played: chips, coupon, and the money seen to move for it."""

from __future__ import annotations

from msgspec import Struct

from blackjack.outcomes import Result
from blackjack.promotions import Terms

WagerKey = tuple[int, int, str, bool]
"""Seat, hand, kind, and whether it is a tip for the dealer."""


class Coupon(Struct, frozen=True):
    """A coupon beside a wager; its terms are None while nobody has published them."""

    serial: str
    promotion: str
    terms: Terms | None

    @property
    def face_cents(self) -> int:
        return self.terms.face_cents if self.terms is not None else 0


class Owed(Struct, frozen=True):
    """What a wager is owed and why; least and most differ where a card is not known."""

    result: Result
    outcome: str
    clause: str
    arithmetic: str
    cents: int = 0
    taken_cents: int = 0
    least_cents: int = 0
    most_cents: int = 0
    coupon_cents: int = 0


class Wager:
    """One wager on one hand of one seat.

    `stake` is what counts: the chips when bets closed, plus what a lawful double added.
    `chips` is what the devices see on the spot. `unit` is the stake of the first deal,
    which doubles and splits are measured by.
    """

    __slots__ = (
        "chips",
        "collected",
        "corrected",
        "coupon",
        "for_player",
        "hand",
        "in_action",
        "kind",
        "owed",
        "owed_at",
        "paid",
        "patron",
        "payments",
        "returned",
        "seat",
        "stake",
        "standing",
        "tip",
        "touched",
        "unit",
    )

    def __init__(self, key: WagerKey, stake: int, patron: str = "") -> None:
        self.seat, self.hand, self.kind, self.tip = key
        self.stake = stake
        self.chips = stake
        self.unit = stake
        self.patron = patron
        self.coupon: Coupon | None = None
        self.in_action = True
        """False once the Half Back wager was lawfully given back."""
        self.for_player = False
        self.paid = 0
        self.payments = 0
        self.collected = 0
        self.returned = 0
        self.corrected = 0
        self.touched = False
        """Whether the dealer has begun to settle it."""
        self.standing = ""
        """The id of the payout finding that stands against it."""
        self.owed: Owed | None = None
        self.owed_at = -1
        """The state of the cards for which `owed` was worked out."""

    def fork(self) -> Wager:
        other = Wager.__new__(Wager)
        other.seat = self.seat
        other.hand = self.hand
        other.kind = self.kind
        other.tip = self.tip
        other.stake = self.stake
        other.chips = self.chips
        other.unit = self.unit
        other.patron = self.patron
        other.coupon = self.coupon
        other.in_action = self.in_action
        other.for_player = self.for_player
        other.paid = self.paid
        other.payments = self.payments
        other.collected = self.collected
        other.returned = self.returned
        other.corrected = self.corrected
        other.touched = self.touched
        other.standing = self.standing
        other.owed = self.owed
        other.owed_at = self.owed_at
        return other

    @property
    def key(self) -> WagerKey:
        return (self.seat, self.hand, self.kind, self.tip)

    @property
    def face_cents(self) -> int:
        return self.coupon.face_cents if self.coupon is not None else 0

    @property
    def paid_cents(self) -> int:
        """Winnings that reached the player, corrections included."""
        return max(0, self.paid + self.corrected)

    @property
    def collected_cents(self) -> int:
        """The part of the stake that the house kept: what was given back again is not."""
        kept = max(0, self.collected - self.returned)
        return kept + max(0, -(self.paid + self.corrected))
