"""Guests who are not there for the game: one counts the cards, one washes coupons."""

from __future__ import annotations

from enum import StrEnum

from blackjack.cards import ACE, TEN
from blackjack.facts import PatronSeated
from blackjack.promotions import PromotionKind
from table_simulator.domain.play.guests import leave, sell_chips
from table_simulator.domain.play.pit import Guest, Pit
from table_simulator.domain.play.shoe import Shoe
from table_simulator.domain.record import Coupon

COUNTER_UNIT_CENTS = 15_00
COUNTER_UNITS_MAX = 12
WASHED_TIMES = 3


class Habit(StrEnum):
    """By the name of the pattern that it makes."""

    COUNTS = "bet follows the count"
    WASHES = "coupon washing"


def true_count(shoe: Shoe) -> int:
    """High-low: low cards that have left less high ones, for each deck that is left."""
    seen = shoe.cards[: shoe.position]
    running = sum((2 <= card.points <= 6) - (card.points in (ACE, TEN)) for card in seen)
    return running * 52 // max(shoe.remaining, 26)


def count_units(shoe: Shoe) -> int:
    """One unit in a poor shoe, up to a dozen in a rich one."""
    return max(1, min(COUNTER_UNITS_MAX, 3 * true_count(shoe)))


def seat_counter(pit: Pit) -> None:
    _seat(pit, Guest(_patron(pit), COUNTER_UNIT_CENTS, 0.0, counts=True))


def wash(pit: Pit) -> None:
    """He comes with a coupon, plays it, and goes; three times a day."""
    present = [seat for seat, guest in pit.guests.items() if guest.washes]
    for seat in present:
        if pit.guests[seat].coupon is None:
            leave(pit, seat)
    due = pit.wash_rounds and pit.rounds_played >= pit.wash_rounds[0]
    if present or not due or len(pit.guests) >= pit.shoe.seats_max:
        return
    pit.wash_rounds = pit.wash_rounds[1:]
    pit.washer = pit.washer or _patron(pit)
    promotion, terms = next(
        each for each in pit.promotions if each[1].kind is PromotionKind.MATCH_PLAY
    )
    pit.coupons_issued += 1
    serial = f"{pit.log.table}-c{pit.coupons_issued:04d}"
    coupon = Coupon(serial, promotion, terms, 0, pit.washer)
    _seat(pit, Guest(pit.washer, terms.face_cents, 0.0, coupon, washes=True))


def _patron(pit: Pit) -> str:
    pit.patrons_seen += 1
    return f"{pit.log.table}-p{pit.patrons_seen:03d}"


def _seat(pit: Pit, guest: Guest) -> None:
    seat = next(each for each in range(1, 10) if each not in pit.guests)
    pit.guests[seat] = guest
    pit.log.write(PatronSeated(seat, guest.patron))
    sell_chips(pit, seat)
