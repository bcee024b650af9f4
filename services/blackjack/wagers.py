"""A wager while its round is played: chips, coupon, and the money seen to move for it."""

from __future__ import annotations

from blackjack.judgements import Coupon, Owed

WagerKey = tuple[int, int, str, bool]
"""Seat, hand, kind, and whether it is a tip for the dealer."""


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
        "owed_for_good",
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
        """The revision of the round for which `owed` was worked out."""
        self.owed_for_good = -1
        """The epoch of the round in which no further card can change `owed`."""

    def fork(self) -> Wager:
        other = Wager(self.key, self.stake, self.patron)
        other.chips = self.chips
        other.unit = self.unit
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
        other.owed_for_good = self.owed_for_good
        return other

    @property
    def key(self) -> WagerKey:
        return (self.seat, self.hand, self.kind, self.tip)

    @property
    def face_cents(self) -> int:
        return self.coupon.face_cents if self.coupon is not None else 0

    @property
    def paid_cents(self) -> int:
        """Winnings that reached the player: with corrections, and returns beyond the stake."""
        if not (self.corrected or self.returned):
            return self.paid
        return max(0, self.paid + self.given_cents + self.corrected)

    @property
    def given_cents(self) -> int:
        """What was called a return and is more than the stake: money given away."""
        return max(0, self.returned - max(self.stake, self.chips))

    @property
    def collected_cents(self) -> int:
        """The part of the stake that the house kept, corrections included."""
        if not self.corrected:
            return self.kept_cents
        return self.kept_cents + max(0, -(self.paid + self.given_cents + self.corrected))

    @property
    def kept_cents(self) -> int:
        """What was collected and not given back.

        A return is first of all of chips still on the spot; only what goes beyond the
        stake comes out of what had been collected.
        """
        collected = self.collected
        if not self.returned:
            return collected
        given_again = collected + self.returned - max(self.stake, collected)
        return max(0, collected - max(0, given_again))
