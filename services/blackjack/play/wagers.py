"""A wager while its round is played: chips, coupon, and the money seen to move for it."""

from __future__ import annotations

from typing import Final

from blackjack.settlement.judgments import Owed, WagerCoupon

WagerKey = tuple[int, int, str, bool]
"""Seat, hand, kind, and whether it is a tip for the dealer."""
SEATS_MAX: Final = 99
"""Seats beyond the nine that may be are reported and still settled, up to here. Hands likewise."""


class Wager:
    """One wager on one hand of one seat.

    `stake` is what counts: the chips when bets closed, plus what a double added.
    `chips` is what the devices see on the spot. `unit` is the stake of the first deal,
    which doubles and splits are measured by.
    """

    __slots__ = (
        "chips",
        "collected",
        "corrected",
        "coupon",
        "excess",
        "fallen",
        "for_player",
        "hand",
        "in_action",
        "kind",
        "late",
        "late_placed",
        "owed",
        "owed_at",
        "owed_for_good",
        "paid",
        "patron",
        "payments",
        "returned",
        "returned_early",
        "seat",
        "stake",
        "standing",
        "stray",
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
        self.coupon: WagerCoupon | None = None
        self.in_action = True
        """False once the Half Back wager was given back, and for insurance that is not offered."""
        self.returned_early = False
        """Whether Half Back was given back before the dealer's blackjack was ruled out."""
        self.stray = False
        """Whether money or chips were seen here although no wager stands."""
        self.late = 0
        """Chips that came after bets closed by no rule: they go back."""
        self.late_placed = 0
        """The part of `late` that was reported for the spot and not for a certain hand."""
        self.excess = 0
        """Insurance beyond what the rules offer: it lies there without effect, and goes back."""
        self.fallen = 0
        """Chips of the stake that left after bets closed by no rule."""
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
        other.returned_early = self.returned_early
        other.stray = self.stray
        other.late = self.late
        other.late_placed = self.late_placed
        other.excess = self.excess
        other.fallen = self.fallen
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
    def moves_money(self) -> bool:
        """Whether anything was paid or taken, and not all of it given back."""
        return self.paid_cents != 0 or self.collected_cents != 0

    @property
    def paid_cents(self) -> int:
        """Winnings that reached the player: with corrections, and returns beyond the stake."""
        if not (self.corrected or self.returned or self.collected):
            return self.paid
        return max(0, self.paid + self.given_cents + self.corrected - self.taken_back_cents)

    @property
    def given_cents(self) -> int:
        """The part of a reported return beyond the chips on the spot: money given away."""
        return max(0, self.returned - max(self.laid_cents, self.chips))

    @property
    def taken_back_cents(self) -> int:
        """The part of a reported collection beyond the chips laid: winnings taken back."""
        if self.collected <= self.laid_cents:
            return 0
        won = self.paid + self.given_cents + self.corrected
        return max(0, min(won, self.kept_cents - self.laid_cents))

    @property
    def laid_cents(self) -> int:
        """All that was laid here by the player, whether it counts or goes back."""
        return self.stake + self.late + self.excess

    @property
    def late_lying(self) -> int:
        """Chips on the spot that neither the stake nor the winnings account for."""
        return max(0, self.chips - (self.stake + self.excess + self.paid))

    @property
    def collected_cents(self) -> int:
        """The part of the stake that the house kept, corrections included."""
        kept = self.kept_cents - self.taken_back_cents
        if not self.corrected:
            return kept
        return kept + max(0, -(self.paid + self.given_cents + self.corrected))

    @property
    def kept_cents(self) -> int:
        """The amount collected and not given back.

        A return is first of all of chips still on the spot; only what goes beyond them
        comes out of what had been collected.
        """
        collected = self.collected
        if not self.returned:
            return collected
        given_again = collected + self.returned - max(self.laid_cents, collected)
        return max(0, collected - max(0, given_again))
