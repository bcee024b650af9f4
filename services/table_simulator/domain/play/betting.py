"""Before the deal: guests place their wagers, tips and coupons within all limits."""

from __future__ import annotations

from blackjack.facts import BetsClosed, CouponPresented, RoundOpened, WagerChanged, WagerPlaced
from blackjack.rulebook.house_rules import HALF_BACK, MAIN, RuleSetSpec, WagerLimit
from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.chance import Chance
from table_simulator.domain.games import HALF_BACK_BLACKJACK, MATCH_MADNESS_GAME, SIDE_WAGERS
from table_simulator.domain.habit import Habit
from table_simulator.domain.play.counting import COUNTED_SIDES, count_units, side_units
from table_simulator.domain.play.habits import (
    HOARDED_BEYOND,
    SIDE_UNIT_CENTS,
    SUBSTITUTED_SHARE,
    limited,
)
from table_simulator.domain.play.log import CHIPS
from table_simulator.domain.play.pit import Guest, Pit
from table_simulator.domain.record import Bet, Coupon, Hand, RoundRecord, Seat

SMALL_WAGER_CENTS = 5_00
"""Where a layout offers more than four wagers, one of a player's four stays within this."""

NO_LIMIT = WagerLimit()


def open_round(pit: Pit) -> RoundRecord:
    """All bets down and closed. Somebody always plays."""
    pit.rounds_played += 1
    record = RoundRecord(f"{pit.log.table}-{pit.rounds_played:05d}", pit.spec, [])
    pit.log.write(RoundOpened(record.id))
    playing = [seat for seat in sorted(pit.guests) if pit.rng.random() > 0.06]
    for seat in playing or [min(pit.guests)]:
        record.seats.append(_place(pit, seat, pit.guests[seat]))
    pit.log.write(BetsClosed())
    return record


def _place(pit: Pit, number: int, guest: Guest) -> Seat:
    """The wagers of one spot, main first."""
    spec, rng = pit.spec, pit.rng
    seat = Seat(number, guest.patron, [], [])
    wanted = [wager for wager in SIDE_WAGERS[spec.game] if rng.random() < guest.likes_sides]
    bets: list[Bet] = []
    coupon: Coupon | None = None
    is_for_side = False
    if spec.game == MATCH_MADNESS_GAME:
        wanted = wanted or [rng.choice(SIDE_WAGERS[spec.game])]
        seat.hands.append(Hand(1, [], []))
    else:
        coupon = _coupon(pit, guest)
        is_for_side = coupon is not None and MAIN not in coupon.terms.wagers
        main = _main(pit, number, guest, None if is_for_side else coupon)
        bets.append(main)
        seat.main_unit_cents = main.stake_cents
        if spec.game == HALF_BACK_BLACKJACK:
            bets.append(Bet(number, HALF_BACK, main.stake_cents))
        if rng.random() < 0.04 and main.stake_cents:
            bets.append(Bet(number, MAIN, rng.choice([1_00, 2_00, 5_00]), tip=True))
        seat.hands.append(Hand(1, [], list(bets), free_ace=_is_free_ace(main.coupon)))
        if not main.stake_cents:
            wanted = []
        if is_for_side and coupon is not None:
            wanted = sorted({*wanted, *coupon.terms.wagers}, key=SIDE_WAGERS[spec.game].index)
    wanted += _others(rng, spec, wanted)
    seat.sides = [_side(pit, number, wager, guest) for wager in wanted]
    for bet in seat.sides:
        if coupon and is_for_side and bet.wager in coupon.terms.wagers:
            bet.coupon = coupon
    if pit.rounds_played == pit.lucky_round:
        _dare(pit, seat)
    if len(bets) + len(wanted) >= 4 and spec.limits.other_wagers:
        seat.sides[-1].stake_cents = min(seat.sides[-1].stake_cents, SMALL_WAGER_CENTS)
    if seat.sides and rng.random() < 0.02 and wanted[0] in SIDE_WAGERS[spec.game]:
        seat.sides.insert(1, Bet(number, wanted[0], 1_00, tip=True))
    for bet in bets + seat.sides:
        _put_down(pit, bet, guest)
    last = seat.sides[-1] if len(seat.sides) > 1 else None
    if last and rng.random() < 0.02 and not last.tip and not last.coupon:
        bet = seat.sides.pop()
        pit.log.write(WagerChanged(number, bet.wager, 0), CHIPS)
    return seat


def _others(rng: Chance, spec: RuleSetSpec, wanted: list[str]) -> list[str]:
    """Wagers of other filings: four spots at most where the layout offers more."""
    others = [wager for wager in spec.limits.other_wagers if rng.random() < 0.4]
    return others[: 3 - len(wanted)]


def _put_down(pit: Pit, bet: Bet, guest: Guest) -> None:
    """Chips on the spot; a few guests change their mind while bets are open."""
    rng, log = pit.rng, pit.log
    patron = guest.patron if rng.random() < 0.8 else ""
    serial = ""
    if bet.coupon:
        coupon = bet.coupon
        serial = coupon.serial
        log.write(
            CouponPresented(
                bet.seat, bet.wager, serial, coupon.promotion, coupon.patron, coupon.expires_at
            )
        )
    change = bet.stake_cents and rng.random() < 0.02
    first = bet.stake_cents * 2 if change else bet.stake_cents
    log.write(WagerPlaced(bet.seat, bet.wager, first, patron, serial, bet.tip), CHIPS)
    if change:
        log.write(WagerChanged(bet.seat, bet.wager, bet.stake_cents, 1, bet.tip), CHIPS)


def _main(pit: Pit, seat: int, guest: Guest, coupon: Coupon | None) -> Bet:
    """A match play needs chips of at least its face; a free bet needs none."""
    if coupon and coupon.terms.kind is PromotionKind.FREE_BET:
        return Bet(seat, MAIN, 0, coupon=coupon)
    stake = _stake(pit, MAIN, guest.unit_cents)
    if guest.habit is Habit.COUNTS:
        units = count_units(pit.shoe)
        pit.strikes[Habit.COUNTS] += units > 1
        stake = _within(pit, MAIN, guest.unit_cents * units)
    if guest.habit in (Habit.WASHES, Habit.HOARDS) and coupon:
        stake = _within(pit, MAIN, coupon.terms.face_cents)
    if coupon and stake < coupon.terms.face_cents:
        guest.coupon, coupon = coupon, None
    return Bet(seat, MAIN, stake, coupon=coupon)


def _side(pit: Pit, seat: int, wager: str, guest: Guest) -> Bet:
    if guest.habit is Habit.COUNTS_SIDES and wager in COUNTED_SIDES:
        units = side_units(pit.shoe, pit.spec, wager)
        pit.strikes[Habit.COUNTS_SIDES] += units > 1
        return Bet(seat, wager, _within(pit, wager, SIDE_UNIT_CENTS * units))
    return Bet(seat, wager, _stake(pit, wager, pit.rng.choice([1_00, 5_00, 5_00, 10_00])))


def _dare(pit: Pit, seat: Seat) -> None:
    """The most that may lie on each bonus wager."""
    for bet in seat.sides:
        limit = pit.spec.limits.wagers.get(bet.wager, NO_LIMIT)
        bet.stake_cents = limit.cents_max or bet.stake_cents


def _stake(pit: Pit, wager: str, unit_cents: int) -> int:
    """Within the posted limits and the State's, in whole chips; now and then right at a limit."""
    rng = pit.rng
    chance = rng.random()
    if chance < 0.02:
        return _within(pit, wager, pit.wager_cents_max)
    if chance < 0.08:
        return _within(pit, wager, 0)
    chip = pit.spec.limits.smallest_chip_cents
    return _within(
        pit, wager, unit_cents * rng.choice((1, 1, 1, 2, 3)) + rng.choice((0, 0, 0, chip))
    )


def _within(pit: Pit, wager: str, cents: int) -> int:
    """So much, in whole chips, as near as the limits allow."""
    limits = pit.spec.limits
    limit = limits.wagers.get(wager, NO_LIMIT)
    chip = limits.smallest_chip_cents
    low = max(limit.cents_min, chip)
    high = min(limit.cents_max or pit.wager_cents_max, pit.wager_cents_max)
    return max(low, min(high, cents // chip * chip))


def _coupon(pit: Pit, guest: Guest) -> Coupon | None:
    """A coupon that stayed on a push is played again; new ones turn up now and then."""
    held, guest.coupon = guest.coupon, None
    if held:
        return held
    chosen = _promotion(pit, guest)
    if chosen is None:
        return None
    promotion, terms = chosen
    if terms.kind is PromotionKind.POINT_MULTIPLIER:
        return None
    if terms.kind is PromotionKind.FREE_BET and pit.spec.game == HALF_BACK_BLACKJACK:
        return None
    if terms.patron_bound and not guest.patron:
        return None
    if terms.patron_daily_limit and not _is_left(pit, guest, promotion, terms):
        return None
    pit.coupons_issued += 1
    serial = f"{pit.log.table}-c{pit.coupons_issued:04d}"
    expires_at = pit.log.at + 86_400_000_000 if pit.rng.random() < 0.7 else 0
    return Coupon(serial, promotion, terms, expires_at, guest.patron)


def _promotion(pit: Pit, guest: Guest) -> tuple[str, Terms] | None:
    """Mostly none. A dealer who substitutes coupons has a stack of those that are nobody's."""
    if not pit.promotions:
        return None
    if guest.habit is Habit.HOARDS:
        return limited(pit)
    substituted = pit.habits.get(Habit.SUBSTITUTES)
    if substituted is not None and substituted.dealer == pit.dealer:
        if pit.rng.random() > SUBSTITUTED_SHARE:
            return None
        pit.strikes[Habit.SUBSTITUTES] += 1
        return pit.rng.choice([each for each in pit.promotions if not each[1].patron_bound])
    return None if pit.rng.random() > pit.coupon_share else pit.rng.choice(pit.promotions)


def _is_left(pit: Pit, guest: Guest, promotion: str, terms: Terms) -> bool:
    """A guest plays at two tables at most, and so uses half of his coupons at each."""
    used = (guest.patron, promotion)
    most = terms.patron_daily_limit // 2
    if guest.habit is Habit.HOARDS:
        most = terms.patron_daily_limit + HOARDED_BEYOND
        pit.strikes[Habit.HOARDS] += pit.limited_uses[used] < most
    pit.limited_uses[used] += 1
    return pit.limited_uses[used] <= most


def _is_free_ace(coupon: Coupon | None) -> bool:
    return coupon is not None and coupon.terms.kind is PromotionKind.FREE_ACE
