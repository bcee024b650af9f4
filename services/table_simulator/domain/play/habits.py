"""Guests and dealers who are not there for the game, and what becomes of them at a table."""

from __future__ import annotations

from collections.abc import Iterable

from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.games import SIDE_WAGERS
from table_simulator.domain.habit import Habit, Trace
from table_simulator.domain.play.counting import COUNTER_UNITS_MAX, SIDE_UNITS_MAX
from table_simulator.domain.play.guests import leave, new_patron, sit_down
from table_simulator.domain.play.hole_card import SEEN_SHARE
from table_simulator.domain.play.pit import Guest, Pit
from table_simulator.domain.play.tilting import TILT
from table_simulator.domain.record import Coupon

COUNTER_UNIT_CENTS = 15_00
SIDE_UNIT_CENTS = 2_00
WASHED_TIMES = 3
HOARDED_BEYOND = 3
"""So many coupons more than the limit are used by who uses too many."""

SUBSTITUTED_SHARE = 0.6
"""How many bets come with a coupon while a dealer puts his own for chips that he keeps."""

STRIKES_MIN = 3
"""A habit that has made a difference less often than this can be found by nobody."""


def begin(pit: Pit, habits: Iterable[Habit], *, rounds: int) -> None:
    """Whoever has a habit is there from the beginning; who washes coupons comes later."""
    for habit in sorted(habits):
        wager = SIDE_WAGERS[pit.spec.game][0]
        match habit:
            case Habit.COUNTS:
                sizes: dict[str, float] = {"units_max": COUNTER_UNITS_MAX}
                _settle_in(pit, habit, COUNTER_UNIT_CENTS, "main", sizes)
            case Habit.COUNTS_SIDES:
                _settle_in(pit, habit, COUNTER_UNIT_CENTS, wager, {"units_max": SIDE_UNITS_MAX})
            case Habit.SEES_HOLE_CARD:
                _settle_in(pit, habit, COUNTER_UNIT_CENTS, "main", {"share": SEEN_SHARE})
            case Habit.LUCKY:
                _settle_in(pit, habit, COUNTER_UNIT_CENTS, wager, {"tilt": TILT})
            case Habit.HOARDS:
                _, terms = limited(pit)
                sizes = {"limit": terms.patron_daily_limit}
                _settle_in(pit, habit, terms.face_cents, "main", sizes)
            case Habit.SUBSTITUTES:
                sizes = {"share": SUBSTITUTED_SHARE, "peers": pit.coupon_share}
                pit.habits[habit] = Trace(dealer=pit.dealer, wager="main", sizes=sizes)
            case Habit.WASHES:
                last = range(1, rounds)
                pit.wash_rounds = tuple(sorted(pit.rng.sample(last, WASHED_TIMES)))
                pit.habits[habit] = Trace(new_patron(pit), wager="main")


def traces(pit: Pit) -> dict[Habit, Trace]:
    """Habits that have made a difference, often enough to be found."""
    found = {}
    for habit, trace in pit.habits.items():
        strikes = pit.strikes[habit]
        if strikes >= STRIKES_MIN and (habit is not Habit.HOARDS or strikes > _limit(trace)):
            sizes = {**trace.sizes, "times": float(strikes)}
            found[habit] = Trace(trace.patron, trace.dealer, trace.wager, sizes)
    return found


def _limit(trace: Trace) -> float:
    return trace.sizes["limit"]


def limited(pit: Pit) -> tuple[str, Terms]:
    """The promotion of which a patron may use so many coupons a day."""
    return next(each for each in pit.promotions if each[1].patron_daily_limit)


def _settle_in(
    pit: Pit, habit: Habit, unit_cents: int, wager: str, sizes: dict[str, float]
) -> None:
    patron = new_patron(pit)
    likes_sides = 1.0 if habit in (Habit.COUNTS_SIDES, Habit.LUCKY) else 0.0
    sit_down(pit, Guest(patron, unit_cents, likes_sides, habit=habit))
    pit.habits[habit] = Trace(patron, wager=wager, sizes=sizes)


def wash(pit: Pit) -> None:
    """He comes with a coupon, plays it, and goes; three times a day."""
    present = [seat for seat, guest in pit.guests.items() if guest.habit is Habit.WASHES]
    for seat in present:
        if pit.guests[seat].coupon is None:
            leave(pit, seat)
    due = pit.wash_rounds and pit.rounds_played >= pit.wash_rounds[0]
    if present or not due or len(pit.guests) >= pit.shoe.seats_max:
        return
    pit.wash_rounds = pit.wash_rounds[1:]
    pit.strikes[Habit.WASHES] += 1
    patron = pit.habits[Habit.WASHES].patron
    promotion, terms = next(
        each for each in pit.promotions if each[1].kind is PromotionKind.MATCH_PLAY
    )
    pit.coupons_issued += 1
    serial = f"{pit.log.table}-c{pit.coupons_issued:04d}"
    coupon = Coupon(serial, promotion, terms, 0, patron)
    sit_down(pit, Guest(patron, terms.face_cents, 0.0, coupon, habit=Habit.WASHES))
