"""Before the deal: patrons place their wagers, tips and coupons within all limits."""

from __future__ import annotations

from blackjack.facts import BetsClosed, CouponPresented, RoundOpened, WagerChanged, WagerPlaced
from blackjack.rulebook.house_rules import HALF_BACK, MAIN, RuleSetSpec, WagerLimit
from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.games import HALF_BACK_BLACKJACK, MATCH_MADNESS_GAME, SIDE_WAGERS
from table_simulator.domain.habit import Habit
from table_simulator.domain.play.card_count import COUNTED_SIDES, count_units, side_units
from table_simulator.domain.play.controller_log import CHIPS
from table_simulator.domain.play.habits import (
    HOARDED_BEYOND,
    SIDE_UNIT_CENTS,
    SUBSTITUTED_SHARE,
    limited,
)
from table_simulator.domain.play.table_in_play import SeatedPatron, TableInPlay
from table_simulator.domain.record import HeldCoupon, PlacedBet, PlayedHand, PlayedSeat, RoundRecord

SMALL_WAGER_CENTS = 5_00
"""Where a layout offers more than four wagers, one of a player's four stays within this."""

NO_LIMIT = WagerLimit()


def open_round(table: TableInPlay) -> RoundRecord:
    """All bets down and closed. There is always at least one."""
    table.rounds_played += 1
    record = RoundRecord(f"{table.log.table}-{table.rounds_played:05d}", table.spec, [])
    table.log.write(RoundOpened(record.id))
    playing = [seat for seat in sorted(table.patrons) if table.rng.random() > 0.06]
    for seat in playing or [min(table.patrons)]:
        record.seats.append(_place(table, seat, table.patrons[seat]))
    table.log.write(BetsClosed())
    return record


def _place(table: TableInPlay, number: int, player: SeatedPatron) -> PlayedSeat:
    """The wagers of one spot, main first."""
    spec, rng = table.spec, table.rng
    seat = PlayedSeat(number, player.patron, [], [])
    wanted = [wager for wager in SIDE_WAGERS[spec.game] if rng.random() < player.likes_sides]
    bets: list[PlacedBet] = []
    coupon: HeldCoupon | None = None
    is_for_side = False
    if spec.game == MATCH_MADNESS_GAME:
        wanted = wanted or [rng.choice(SIDE_WAGERS[spec.game])]
        seat.hands.append(PlayedHand(1, [], []))
    else:
        coupon = _coupon(table, player)
        is_for_side = coupon is not None and MAIN not in coupon.terms.wagers
        main = _main(table, number, player, None if is_for_side else coupon)
        bets.append(main)
        seat.main_unit_cents = main.stake_cents
        if spec.game == HALF_BACK_BLACKJACK:
            bets.append(PlacedBet(number, HALF_BACK, main.stake_cents))
        if rng.random() < 0.04 and main.stake_cents:
            bets.append(PlacedBet(number, MAIN, rng.choice([1_00, 2_00, 5_00]), tip=True))
        seat.hands.append(PlayedHand(1, [], list(bets), free_ace=_is_free_ace(main.coupon)))
        if not main.stake_cents:
            wanted = []
        if is_for_side and coupon is not None:
            wanted = sorted({*wanted, *coupon.terms.wagers}, key=SIDE_WAGERS[spec.game].index)
    wanted += _others(rng, spec, wanted)
    seat.sides = [_side(table, number, wager, player) for wager in wanted]
    for bet in seat.sides:
        if coupon and is_for_side and bet.wager in coupon.terms.wagers:
            bet.coupon = coupon
    if table.rounds_played == table.lucky_round:
        _dare(table, seat)
    if len(bets) + len(wanted) >= 4 and spec.limits.other_wagers:
        seat.sides[-1].stake_cents = min(seat.sides[-1].stake_cents, SMALL_WAGER_CENTS)
    if seat.sides and rng.random() < 0.02 and wanted[0] in SIDE_WAGERS[spec.game]:
        seat.sides.insert(1, PlacedBet(number, wanted[0], 1_00, tip=True))
    for bet in bets + seat.sides:
        _put_down(table, bet, player)
    last = seat.sides[-1] if len(seat.sides) > 1 else None
    if last and rng.random() < 0.02 and not last.tip and not last.coupon:
        bet = seat.sides.pop()
        table.log.write(WagerChanged(number, bet.wager, 0), CHIPS)
    return seat


def _others(rng: RandomStream, spec: RuleSetSpec, wanted: list[str]) -> list[str]:
    """Wagers of other filings: four spots at most where the layout offers more."""
    others = [wager for wager in spec.limits.other_wagers if rng.random() < 0.4]
    return others[: 3 - len(wanted)]


def _put_down(table: TableInPlay, bet: PlacedBet, player: SeatedPatron) -> None:
    """Chips on the spot; a few patrons change their mind while bets are open."""
    rng, log = table.rng, table.log
    patron = player.patron if rng.random() < 0.8 else ""
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


def _main(
    table: TableInPlay, seat: int, player: SeatedPatron, coupon: HeldCoupon | None
) -> PlacedBet:
    """A match play needs chips of at least its face; a free bet needs none."""
    if coupon and coupon.terms.kind is PromotionKind.FREE_BET:
        return PlacedBet(seat, MAIN, 0, coupon=coupon)
    stake = _stake(table, MAIN, player.unit_cents)
    if player.habit is Habit.COUNTS:
        units = count_units(table.shoe)
        table.strikes[Habit.COUNTS] += units > 1
        stake = _within(table, MAIN, player.unit_cents * units)
    if player.habit in (Habit.WASHES, Habit.HOARDS) and coupon:
        stake = _within(table, MAIN, coupon.terms.face_cents)
    if coupon and stake < coupon.terms.face_cents:
        player.coupon, coupon = coupon, None
    return PlacedBet(seat, MAIN, stake, coupon=coupon)


def _side(table: TableInPlay, seat: int, wager: str, player: SeatedPatron) -> PlacedBet:
    if player.habit is Habit.COUNTS_SIDES and wager in COUNTED_SIDES:
        units = side_units(table.shoe, table.spec, wager)
        table.strikes[Habit.COUNTS_SIDES] += units > 1
        return PlacedBet(seat, wager, _within(table, wager, SIDE_UNIT_CENTS * units))
    return PlacedBet(seat, wager, _stake(table, wager, table.rng.choice([1_00, 5_00, 5_00, 10_00])))


def _dare(table: TableInPlay, seat: PlayedSeat) -> None:
    """The most that may lie on each bonus wager."""
    for bet in seat.sides:
        limit = table.spec.limits.wagers.get(bet.wager, NO_LIMIT)
        bet.stake_cents = limit.cents_max or bet.stake_cents


def _stake(table: TableInPlay, wager: str, unit_cents: int) -> int:
    """Within the posted limits and the State's, in whole chips; now and then right at a limit."""
    rng = table.rng
    chance = rng.random()
    if chance < 0.02:
        return _within(table, wager, table.wager_cents_max)
    if chance < 0.08:
        return _within(table, wager, 0)
    chip = table.spec.limits.smallest_chip_cents
    return _within(
        table, wager, unit_cents * rng.choice((1, 1, 1, 2, 3)) + rng.choice((0, 0, 0, chip))
    )


def _within(table: TableInPlay, wager: str, cents: int) -> int:
    """So much, in whole chips, as near as the limits allow."""
    limits = table.spec.limits
    limit = limits.wagers.get(wager, NO_LIMIT)
    chip = limits.smallest_chip_cents
    low = max(limit.cents_min, chip)
    high = min(limit.cents_max or table.wager_cents_max, table.wager_cents_max)
    return max(low, min(high, cents // chip * chip))


def _coupon(table: TableInPlay, player: SeatedPatron) -> HeldCoupon | None:
    """A coupon that stayed on a push is played again; new ones turn up now and then."""
    held, player.coupon = player.coupon, None
    if held:
        return held
    chosen = _promotion(table, player)
    if chosen is None:
        return None
    promotion, terms = chosen
    if terms.kind is PromotionKind.POINT_MULTIPLIER:
        return None
    if terms.kind is PromotionKind.FREE_BET and table.spec.game == HALF_BACK_BLACKJACK:
        return None
    if terms.patron_bound and not player.patron:
        return None
    if terms.patron_daily_limit and not _is_left(table, player, promotion, terms):
        return None
    table.coupons_issued += 1
    serial = f"{table.log.table}-c{table.coupons_issued:04d}"
    expires_at = table.log.at + 86_400_000_000 if table.rng.random() < 0.7 else 0
    return HeldCoupon(serial, promotion, terms, expires_at, player.patron)


def _promotion(table: TableInPlay, player: SeatedPatron) -> tuple[str, Terms] | None:
    """Mostly none. A dealer who substitutes coupons has a stack of coupons without an owner."""
    if not table.promotions:
        return None
    if player.habit is Habit.HOARDS:
        return limited(table)
    substituted = table.habits.get(Habit.SUBSTITUTES)
    if substituted is not None and substituted.dealer == table.dealer:
        if table.rng.random() > SUBSTITUTED_SHARE:
            return None
        table.strikes[Habit.SUBSTITUTES] += 1
        return table.rng.choice(
            [promotion for promotion in table.promotions if not promotion[1].patron_bound]
        )
    return None if table.rng.random() > table.coupon_share else table.rng.choice(table.promotions)


def _is_left(table: TableInPlay, player: SeatedPatron, promotion: str, terms: Terms) -> bool:
    """A patron plays at two tables at most, and so uses half of his coupons at each."""
    used = (player.patron, promotion)
    most = terms.patron_daily_limit // 2
    if player.habit is Habit.HOARDS:
        most = terms.patron_daily_limit + HOARDED_BEYOND
        table.strikes[Habit.HOARDS] += table.limited_uses[used] < most
    table.limited_uses[used] += 1
    return table.limited_uses[used] <= most


def _is_free_ace(coupon: HeldCoupon | None) -> bool:
    return coupon is not None and coupon.terms.kind is PromotionKind.FREE_ACE
