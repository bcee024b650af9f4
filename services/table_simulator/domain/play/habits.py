"""Patrons and dealers who are not there for the game, and what becomes of them at a table."""

from __future__ import annotations

from collections.abc import Iterable

from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.games import SIDE_WAGERS
from table_simulator.domain.habit import Habit, Trace
from table_simulator.domain.play.card_count import COUNTER_UNITS_MAX, SIDE_UNITS_MAX
from table_simulator.domain.play.hole_card import SEEN_SHARE
from table_simulator.domain.play.patrons import leave, new_patron, sit_down
from table_simulator.domain.play.table_in_play import SeatedPatron, TableInPlay
from table_simulator.domain.play.tilted_shoe import TILT
from table_simulator.domain.record import HeldCoupon

COUNTER_UNIT_CENTS = 15_00
SIDE_UNIT_CENTS = 2_00
WASHED_TIMES = 3
HOARDED_BEYOND = 3
"""So many coupons more than the limit are used by who uses too many."""

SUBSTITUTED_SHARE = 0.6
"""The share of bets with a coupon while a dealer substitutes coupons for chips."""

STRIKES_MIN = 3
"""A habit that has made a difference less often than this cannot be found."""


def seat_habits(table: TableInPlay, habits: Iterable[Habit], *, rounds: int) -> None:
    """A patron with a habit is there from the beginning; one who washes coupons comes later."""
    for habit in sorted(habits):
        wager = SIDE_WAGERS[table.spec.game][0]
        match habit:
            case Habit.COUNTS:
                sizes: dict[str, float] = {"units_max": COUNTER_UNITS_MAX}
                _settle_in(table, habit, COUNTER_UNIT_CENTS, "main", sizes)
            case Habit.COUNTS_SIDES:
                _settle_in(table, habit, COUNTER_UNIT_CENTS, wager, {"units_max": SIDE_UNITS_MAX})
            case Habit.SEES_HOLE_CARD:
                _settle_in(table, habit, COUNTER_UNIT_CENTS, "main", {"share": SEEN_SHARE})
            case Habit.LUCKY:
                _settle_in(table, habit, COUNTER_UNIT_CENTS, wager, {"tilt": TILT})
            case Habit.HOARDS:
                _, terms = limited(table)
                sizes = {"limit": terms.patron_daily_limit}
                _settle_in(table, habit, terms.face_cents, "main", sizes)
            case Habit.SUBSTITUTES:
                sizes = {"share": SUBSTITUTED_SHARE, "peers": table.coupon_share}
                table.habits[habit] = Trace(dealer=table.dealer, wager="main", sizes=sizes)
            case Habit.WASHES:
                last = range(1, rounds)
                table.wash_rounds = tuple(sorted(table.rng.sample(last, WASHED_TIMES)))
                table.habits[habit] = Trace(new_patron(table), wager="main")


def traces_of(table: TableInPlay) -> dict[Habit, Trace]:
    """Habits that have made a difference, often enough to be found."""
    found = {}
    for habit, trace in table.habits.items():
        strikes = table.strikes[habit]
        if strikes >= STRIKES_MIN and (habit is not Habit.HOARDS or strikes > _limit(trace)):
            sizes = {**trace.sizes, "times": float(strikes)}
            found[habit] = Trace(trace.patron, trace.dealer, trace.wager, sizes)
    return found


def _limit(trace: Trace) -> float:
    return trace.sizes["limit"]


def limited(table: TableInPlay) -> tuple[str, Terms]:
    """The promotion of which a patron may use so many coupons a day."""
    return next(promotion for promotion in table.promotions if promotion[1].patron_daily_limit)


def _settle_in(
    table: TableInPlay, habit: Habit, unit_cents: int, wager: str, sizes: dict[str, float]
) -> None:
    patron = new_patron(table)
    likes_sides = 1.0 if habit in (Habit.COUNTS_SIDES, Habit.LUCKY) else 0.0
    sit_down(table, SeatedPatron(patron, unit_cents, likes_sides, habit=habit))
    table.habits[habit] = Trace(patron, wager=wager, sizes=sizes)


def wash(table: TableInPlay) -> None:
    """He comes with a coupon, plays it, and goes; three times a day."""
    present = [seat for seat, player in table.patrons.items() if player.habit is Habit.WASHES]
    for seat in present:
        if table.patrons[seat].coupon is None:
            leave(table, seat)
    due = table.wash_rounds and table.rounds_played >= table.wash_rounds[0]
    if present or not due or len(table.patrons) >= table.shoe.seats_max:
        return
    table.wash_rounds = table.wash_rounds[1:]
    table.strikes[Habit.WASHES] += 1
    patron = table.habits[Habit.WASHES].patron
    promotion, terms = next(
        offered for offered in table.promotions if offered[1].kind is PromotionKind.MATCH_PLAY
    )
    table.coupons_issued += 1
    serial = f"{table.log.table}-c{table.coupons_issued:04d}"
    coupon = HeldCoupon(serial, promotion, terms, 0, patron)
    sit_down(table, SeatedPatron(patron, terms.face_cents, 0.0, coupon, habit=Habit.WASHES))
