"""Players act, seat by seat and hand by hand, each card as it is requested."""

from __future__ import annotations

from blackjack.cards.card import ACE
from blackjack.facts import Action, CardsRemoved, HalfBackReturned, PlayerActed
from blackjack.rulebook.house_rules import HALF_BACK, MAIN
from table_simulator.domain import games
from table_simulator.domain.habit import Habit
from table_simulator.domain.oracle.hands import returned, total
from table_simulator.domain.oracle.sides import is_bonus_pair
from table_simulator.domain.play.controller_log import CHIPS
from table_simulator.domain.play.hand_settlement import settle_dead_mans_hand, settle_hand
from table_simulator.domain.play.hole_card import choose_knowing
from table_simulator.domain.play.strategy import (
    allowed,
    basic,
    choose,
    may_split,
    takes_half_back,
)
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.record import PlacedBet, PlayedHand, PlayedSeat, RoundRecord


def play_seat(table: TableInPlay, record: RoundRecord, seat: PlayedSeat) -> None:
    """All hands of a seat in order of their numbers; hands that splits add come last."""
    number = 0
    while number < len(seat.hands):
        hand = seat.hands[number]
        if not hand.is_settled:
            _play_hand(table, record, seat, hand)
        number += 1
    if table.spec.game == games.DEAD_MANS_HAND_GAME and is_bonus_pair(seat.dealt):
        settle_dead_mans_hand(table, record, seat)
    if not any(bet.wager == games.MATCH_MADNESS for bet in seat.sides):
        for hand in seat.hands:
            if hand.is_settled and table.rng.random() < 0.9:
                table.log.write(CardsRemoved(seat.number, hand.number))
                hand.is_removed = True


def _play_hand(table: TableInPlay, record: RoundRecord, seat: PlayedSeat, hand: PlayedHand) -> None:
    """Until the hand stands, is doubled, given up or broken."""
    house, rng = table.spec.house, table.rng
    up = record.dealer[0].points
    half_back = table.spec.game == games.HALF_BACK_BLACKJACK
    if len(hand.cards) == 1:
        _hit(table, seat, hand)
    if half_back and not hand.is_split and not hand.free_ace and takes_half_back(rng, hand, up):
        _return_half_back(table, record, seat, hand)
    is_first = True
    while total(hand.cards, free_ace=hand.free_ace) < 21:
        if hand.is_split_aces and not house.hit_split_aces:
            if not may_split(seat, hand, house):
                break
            if rng.random() < 0.1 or _is_low(table, seat):
                table.log.write(PlayerActed(seat.number, Action.STAND, hand.number))
                break
            _split(table, seat, hand)
            continue
        actions = allowed(seat, hand, house, half_back=half_back, is_first=is_first)
        action = (
            Action.STAND if _is_low(table, seat) else _decide(table, record, seat, hand, actions)
        )
        is_first = False
        match action:
            case Action.STAND:
                table.log.write(PlayerActed(seat.number, action, hand.number))
                break
            case Action.SURRENDER:
                table.log.write(PlayerActed(seat.number, action, hand.number))
                hand.is_surrendered = True
                settle_hand(table, record, hand)
                break
            case Action.SPLIT:
                _split(table, seat, hand)
            case Action.DOUBLE:
                _double(table, seat, hand)
                break
            case Action.HIT:
                table.log.write(PlayerActed(seat.number, action, hand.number))
                _hit(table, seat, hand)
    count = total(hand.cards, free_ace=hand.free_ace)
    if count > 21:
        settle_hand(table, record, hand)
    elif count == 21 and rng.random() < 0.1 and _may_still_act(hand):
        table.log.write(PlayerActed(seat.number, Action.STAND, hand.number))


def _decide(
    table: TableInPlay,
    record: RoundRecord,
    seat: PlayedSeat,
    hand: PlayedHand,
    actions: list[Action],
) -> Action:
    """By the up card, as it should be; or by the hole card, where the player sees it."""
    up = record.dealer[0].points
    player = table.patrons.get(seat.number)
    if player is None or player.habit is not Habit.SEES_HOLE_CARD:
        return choose(table.rng, hand, up, actions)
    action = choose_knowing(table.rng, hand, record.dealer, actions)
    table.strikes[Habit.SEES_HOLE_CARD] += action is not basic(hand, up, actions)
    return action


def _may_still_act(hand: PlayedHand) -> bool:
    """A few players signal a stand on 21, where no decision is due."""
    return not hand.is_split_aces and not hand.is_doubled


def _is_low(table: TableInPlay, seat: PlayedSeat) -> bool:
    """Near the end of a shoe everybody stands, so that the dealer can finish."""
    waiting = sum(len(hand.cards) == 1 for hand in seat.hands)
    return table.shoe.remaining < 12 + waiting


def _hit(table: TableInPlay, seat: PlayedSeat, hand: PlayedHand) -> None:
    hand.cards.append(table.deal(seat.number, hand.number))


def _return_half_back(
    table: TableInPlay, record: RoundRecord, seat: PlayedSeat, hand: PlayedHand
) -> None:
    bet = next(bet for bet in hand.bets if bet.wager == HALF_BACK)
    hand.bets.remove(bet)
    seat.half_back_returned = True
    cents = bet.stake_cents if table.rng.random() < 0.8 else 0
    table.log.write(HalfBackReturned(seat.number, cents), CHIPS)
    record.expected.append(returned(bet))


def _split(table: TableInPlay, seat: PlayedSeat, hand: PlayedHand) -> None:
    """The second card makes a new hand; Half Back's first split moves the Half Back wager."""
    number = len(seat.hands) + 1
    moved = next((bet for bet in hand.bets if bet.wager == HALF_BACK), None)
    if moved is not None and not hand.is_split:
        hand.bets.remove(moved)
        moved.hand = number
        bet, cents = moved, 0
    else:
        unit = seat.main_unit_cents
        bet = PlacedBet(seat.number, MAIN, unit, number)
        cents = unit if table.rng.random() < 0.7 else 0
    table.log.write(PlayerActed(seat.number, Action.SPLIT, hand.number, cents), CHIPS)
    aces = hand.cards[0].rank == ACE
    hand.is_split, hand.is_split_aces = True, aces
    new = PlayedHand(number, [hand.cards.pop()], [bet], is_split=True, is_split_aces=aces)
    seat.hands.append(new)
    _hit(table, seat, hand)
    if aces or table.rng.random() < 0.3:
        _hit(table, seat, new)


def _double(table: TableInPlay, seat: PlayedSeat, hand: PlayedHand) -> None:
    """One main unit more, or less where the house allows it, and one card."""
    chip = table.spec.limits.smallest_chip_cents
    added = seat.main_unit_cents
    cents = added if table.rng.random() < 0.7 else 0
    if table.spec.house.double_for_less and table.rng.random() < 0.3:
        added = cents = max(chip, added // 2 // chip * chip)
    hand.bets[0].stake_cents += added
    hand.is_doubled = True
    table.log.write(PlayerActed(seat.number, Action.DOUBLE, hand.number, cents), CHIPS)
    _hit(table, seat, hand)
