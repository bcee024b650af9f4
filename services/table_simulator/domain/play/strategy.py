"""The play of patrons: near basic strategy, with some errors, always within the rules."""

from __future__ import annotations

from blackjack.cards.card import ACE, TEN
from blackjack.facts import Action
from blackjack.rulebook.house_rules import DoubleOn, HouseRules, SplitBy
from table_simulator.domain.chance import RandomStream
from table_simulator.domain.oracle.hands import is_soft, total
from table_simulator.domain.record import PlayedHand, PlayedSeat


def allowed(
    seat: PlayedSeat, hand: PlayedHand, house: HouseRules, *, half_back: bool, is_first: bool
) -> list[Action]:
    """What the rules let the player do with this hand now, hit and stand always among it.

    A hand under a coupon that is worth a card, or without chips of its own, is only hit
    or stood on: terms of coupons forbid the rest.
    """
    actions = [Action.HIT, Action.STAND]
    if len(hand.cards) != 2 or hand.free_ace or not hand.bets[0].stake_cents:
        return actions
    if seat.half_back_returned:
        return actions
    if may_split(seat, hand, house):
        actions.append(Action.SPLIT)
    if may_double(hand, house):
        actions.append(Action.DOUBLE)
    plain = not any(bet.tip for bet in hand.bets)
    if house.late_surrender and not half_back and is_first and not hand.is_split and plain:
        actions.append(Action.SURRENDER)
    return actions


def may_split(seat: PlayedSeat, hand: PlayedHand, house: HouseRules) -> bool:
    first, second = hand.cards
    by_rank = house.split_by is SplitBy.RANK
    equal = first.rank == second.rank if by_rank else first.points == second.points
    if not equal or len(seat.hands) >= house.hands_max:
        return False
    return not hand.is_split_aces or house.resplit_aces


def may_double(hand: PlayedHand, house: HouseRules) -> bool:
    if hand.is_split_aces or (hand.is_split and not house.double_after_split):
        return False
    count, soft = total(hand.cards), is_soft(hand.cards)
    match house.double_on:
        case DoubleOn.ANY_TWO:
            return True
        case DoubleOn.HARD_9_TO_11:
            return not soft and 9 <= count <= 11
        case DoubleOn.HARD_10_TO_11:
            return not soft and 10 <= count <= 11


def choose(rng: RandomStream, hand: PlayedHand, up: int, actions: list[Action]) -> Action:
    """Mostly basic strategy; one decision in twenty is anything the rules allow."""
    return rng.choice(actions) if rng.random() < 0.05 else basic(hand, up, actions)


def basic(hand: PlayedHand, up: int, actions: list[Action]) -> Action:
    """The best move of a player who sees one card of the dealer's."""
    count, soft = total(hand.cards, free_ace=hand.free_ace), is_soft(hand.cards)
    if Action.SPLIT in actions and _splits(hand.cards[0].points, up):
        return Action.SPLIT
    if Action.SURRENDER in actions and not soft and _surrenders(count, up):
        return Action.SURRENDER
    if Action.DOUBLE in actions and _doubles(count, up, soft=soft):
        return Action.DOUBLE
    if soft or hand.free_ace:
        return Action.HIT if count <= 17 or (count == 18 and up in (9, TEN, ACE)) else Action.STAND
    if count <= 11:
        return Action.HIT
    if up in (ACE, 7, 8, 9, TEN):
        return Action.HIT if count <= 16 else Action.STAND
    return Action.HIT if count == 12 and up in (2, 3) else Action.STAND


def _splits(points: int, up: int) -> bool:
    if points in (ACE, 8):
        return True
    if points in (2, 3, 7):
        return up in (2, 3, 4, 5, 6, 7)
    if points == 6:
        return up in (2, 3, 4, 5, 6)
    if points == 9:
        return up not in (7, TEN, ACE)
    return points == 4 and up in (5, 6)


def _surrenders(count: int, up: int) -> bool:
    return (count == 16 and up in (9, TEN, ACE)) or (count == 15 and up == TEN)


def _doubles(count: int, up: int, *, soft: bool) -> bool:
    if soft:
        return 15 <= count <= 18 and up in (4, 5, 6)
    if count == 11:
        return True
    if count == 10:
        return up not in (TEN, ACE)
    return count == 9 and up in (3, 4, 5, 6)


def takes_half_back(rng: RandomStream, hand: PlayedHand, up: int) -> bool:
    """Against a strong card most players request the Half Back wager."""
    if not 13 <= total(hand.cards) <= 16:
        return False
    chance = 0.8 if up in (ACE, 7, 8, 9, TEN) else 0.15
    if hand.cards[0].rank == hand.cards[1].rank:
        chance /= 2
    return rng.random() < chance
