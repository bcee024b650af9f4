"""One round of blackjack with side bets, in the order of procedure of the filings."""

from __future__ import annotations

from blackjack.cards.card import ACE, TEN
from blackjack.facts import (
    DEALER,
    CardsRemoved,
    CouponDropped,
    DealerPeeked,
    HoleCardRevealed,
    InsuranceTaken,
    RoundClosed,
    UpcardReplaced,
)
from blackjack.outcomes import Result
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.rulebook.promotions import OnPush
from table_simulator.domain import games
from table_simulator.domain.habit import Habit
from table_simulator.domain.oracle.hands import (
    dealer_must_draw,
    is_blackjack,
    is_natural,
    judge_insurance,
    not_settled,
)
from table_simulator.domain.oracle.sides import is_bonus_pair, judge_sides
from table_simulator.domain.play.controller_log import SHOE
from table_simulator.domain.play.hand_settlement import settle_dead_mans_hand, settle_hand
from table_simulator.domain.play.hole_card import insures_knowing
from table_simulator.domain.play.players import play_seat
from table_simulator.domain.play.stacked_deals import windfall, wishes
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.play.tilted_shoe import tilt
from table_simulator.domain.play.wagers import open_round
from table_simulator.domain.record import PlacedBet, PlayedHand, PlayedSeat, RoundRecord


def play_blackjack(table: TableInPlay) -> RoundRecord:
    """From the first chip to the last card; the record has the amounts owed."""
    record = open_round(table)
    game, decks = table.spec.game, table.spec.decks
    if table.rounds_played == table.lucky_round:
        table.shoe.arrange(windfall(table.rng, seats=len(record.seats)))
    elif table.rng.random() < table.stacked:
        table.stacked_rounds += 1
        table.shoe.arrange(wishes(table.rng, game, decks=decks, seats=len(record.seats)))
    else:
        tilt(table, record)
    _deal(table, record)
    _settle_after_deal(table, record)
    _offer_insurance(table, record)
    if _peek(table, record):
        _finish_dealer_blackjack(table, record)
    else:
        _settle_after_peek(table, record)
        for seat in record.seats:
            play_seat(table, record, seat)
        _finish(table, record)
    _clear(table, record)
    return record


def _deal(table: TableInPlay, record: RoundRecord) -> None:
    """Two cards to each seat from the dealer's left, the dealer's first face up."""
    for seat in record.seats:
        seat.dealt.append(table.deal(seat.number))
    record.dealer.append(table.deal(DEALER))
    for seat in record.seats:
        seat.dealt.append(table.deal(seat.number))
        seat.hands[0].cards = list(seat.dealt)
    record.dealer.append(table.deal(DEALER, face_up=False))
    upcard = record.dealer[0]
    record.original_upcard = upcard
    if table.spec.game == games.HALF_BACK_BLACKJACK and upcard.rank in (3, 4, 5, 6):
        record.dealer[0] = table.shoe.draw()
        table.log.write(UpcardReplaced(record.dealer[0], table.shoe.index), SHOE)
        table.show_cut_card()


def _settle_after_deal(table: TableInPlay, record: RoundRecord) -> None:
    """Bonuses that two cards and an up card decide, before insurance and peek."""
    match table.spec.game:
        case games.DOUBLE_ACTION_III:
            table.settle(record, judge_sides(record, games.DOUBLE_ACTION))
        case games.SKWEEZIT_BLACKJACK:
            table.settle(record, judge_sides(record, games.SKWEEZIT))
            _settle_others(table, record)
        case games.DEAD_MANS_HAND_GAME:
            for seat in reversed(record.seats):
                if not is_bonus_pair(seat.dealt):
                    settle_dead_mans_hand(table, record, seat)
        case games.HALF_BACK_BLACKJACK if not _bonus_waits(record):
            table.settle(record, judge_sides(record, games.UPCARD_BONUS))
        case _:
            pass


def _bonus_waits(record: RoundRecord) -> bool:
    """A replacement ace or ten is decided only with the hole card."""
    original, upcard = record.original_upcard, record.dealer[0]
    return original is not upcard and (upcard.rank == ACE or upcard.points == TEN)


def _settle_others(table: TableInPlay, record: RoundRecord) -> None:
    """Wagers of other filings: taken or paid by rules that are not ours to judge."""
    for seat in reversed(record.seats):
        for bet in seat.sides:
            if bet.wager in table.spec.limits.other_wagers:
                table.settle_other(record, bet, not_settled(bet))


def _offer_insurance(table: TableInPlay, record: RoundRecord) -> None:
    """Under an ace: up to half of the chips in play, or even money on a natural."""
    house, rng = table.spec.house, table.rng
    if record.dealer[0].rank != ACE or not house.insurance:
        return
    takers: list[tuple[PlayedSeat, PlayedHand]] = []
    for seat in record.seats:
        hand = seat.hands[0]
        chips = sum(bet.stake_cents for bet in hand.bets if not bet.tip)
        plain = not any(bet.tip or bet.coupon for bet in hand.bets)
        if house.even_money and plain and is_natural(hand) and rng.random() < 0.5:
            table.log.write(InsuranceTaken(seat.number, 0, even_money=True))
            hand.took_even_money = True
            takers.append((seat, hand))
        elif _insures(table, record, seat):
            chip = table.spec.limits.smallest_chip_cents
            cents = chips // 2 // chip * chip
            if rng.random() < 0.3:
                cents = max(chip, cents // 2 // chip * chip)
            if chips and 0 < cents <= chips // 2:
                seat.insurance = PlacedBet(seat.number, INSURANCE, cents)
                table.log.write(InsuranceTaken(seat.number, cents))
    for _, hand in reversed(takers):
        settle_hand(table, record, hand)


def _insures(table: TableInPlay, record: RoundRecord, seat: PlayedSeat) -> bool:
    player = table.patrons.get(seat.number)
    if player is not None and player.habit is Habit.SEES_HOLE_CARD:
        return insures_knowing(record.dealer[1])
    return table.rng.random() < 0.25


def _peek(table: TableInPlay, record: RoundRecord) -> bool:
    upcard, hole = record.dealer
    if upcard.rank != ACE and upcard.points != TEN:
        return False
    blackjack = is_blackjack([upcard, hole])
    table.log.write(DealerPeeked(blackjack))
    return blackjack


def _settle_insurance(table: TableInPlay, record: RoundRecord) -> None:
    for seat in reversed(record.seats):
        if seat.insurance:
            table.settle(record, [judge_insurance(seat, record.dealer)])


def _settle_waiting_bonuses(table: TableInPlay, record: RoundRecord) -> None:
    """Match Madness, and the Upcard Bonus if it waits, once the hole card decides them."""
    if table.spec.game == games.DOUBLE_ACTION_III:
        table.settle(record, judge_sides(record, games.MATCH_MADNESS))
    if table.spec.game == games.HALF_BACK_BLACKJACK and _bonus_waits(record):
        table.settle(record, judge_sides(record, games.UPCARD_BONUS))


def _finish_dealer_blackjack(table: TableInPlay, record: RoundRecord) -> None:
    """Insurance wins, naturals push, all else loses, pairs of aces and eights have their row."""
    table.log.write(HoleCardRevealed(record.dealer[1]))
    _settle_waiting_bonuses(table, record)
    _settle_insurance(table, record)
    _settle_hands(table, record)
    if table.spec.game == games.DEAD_MANS_HAND_GAME:
        for seat in reversed(record.seats):
            if is_bonus_pair(seat.dealt):
                settle_dead_mans_hand(table, record, seat)


def _settle_after_peek(table: TableInPlay, record: RoundRecord) -> None:
    """No blackjack: insurance loses and naturals are paid."""
    if table.spec.game == games.HALF_BACK_BLACKJACK:
        _settle_waiting_bonuses(table, record)
    _settle_insurance(table, record)
    for seat in reversed(record.seats):
        hand = seat.hands[0]
        if is_natural(hand) and not hand.is_settled:
            settle_hand(table, record, hand)


def _settle_hands(table: TableInPlay, record: RoundRecord) -> None:
    for seat in reversed(record.seats):
        for hand in reversed(seat.hands):
            if not hand.is_settled:
                settle_hand(table, record, hand)


def _finish(table: TableInPlay, record: RoundRecord) -> None:
    """The hole card, Match Madness, the dealer's draw if anybody is left, and the hands."""
    table.log.write(HoleCardRevealed(record.dealer[1]))
    if table.spec.game == games.DOUBLE_ACTION_III:
        _settle_waiting_bonuses(table, record)
    if any(not hand.is_settled for seat in record.seats for hand in seat.hands):
        hits_soft_17 = table.spec.house.dealer_hits_soft_17
        while dealer_must_draw(record.dealer, hits_soft_17=hits_soft_17):
            record.dealer.append(table.deal(DEALER))
    _settle_hands(table, record)


def _clear(table: TableInPlay, record: RoundRecord) -> None:
    """Cards away from right to left, coupons into the box, round closed."""
    for seat in reversed(record.seats):
        for hand in reversed(seat.hands):
            if not hand.is_removed:
                table.log.write(CardsRemoved(seat.number, hand.number))
    for seat in record.seats:
        _drop_coupon(table, record, seat)
    table.log.write(RoundClosed())


def _drop_coupon(table: TableInPlay, record: RoundRecord, seat: PlayedSeat) -> None:
    """A coupon is used up win or lose; on a push it goes by its terms."""
    for bet in seat.sides:
        if bet.coupon:
            table.log.write(CouponDropped(bet.coupon.serial, seat.number))
    coupon = seat.main.coupon
    if coupon is None:
        return
    result = next(
        wager.result
        for wager in record.expected
        if (wager.seat, wager.hand, wager.wager, wager.tip) == (seat.number, 1, "main", False)
    )
    player = table.patrons.get(seat.number)
    if result is Result.PUSHED and coupon.terms.on_push is not OnPush.LOST:
        if player is not None and coupon.terms.on_push is OnPush.STAYS:
            player.coupon = coupon
        return
    table.log.write(CouponDropped(coupon.serial, seat.number))
