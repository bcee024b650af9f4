"""Amounts owed on side bets: each filing's definition, word for word.

An outcome that a hand meets is a row; only the row that pays most counts.
"""

from __future__ import annotations

from dataclasses import replace

from blackjack.cards.card import ACE, KING, TEN, Card
from blackjack.outcomes import Result
from table_simulator.domain import games
from table_simulator.domain.oracle.hands import is_blackjack, lost, pushed, won
from table_simulator.domain.oracle.paytables import Pays, options
from table_simulator.domain.record import (
    ExpectedWager,
    JudgedBet,
    PlacedBet,
    PlayedSeat,
    RoundRecord,
)

EIGHT = 8


def paytable(record: RoundRecord, wager: str) -> Pays:
    spec = record.spec
    return options(spec.game, wager, spec.decks)[spec.paytables[wager] - 1]


def double_action(dealt: list[Card], upcard: Card) -> list[str]:
    """Filing 000, General Rules 3: a match with the up card, or a three-card poker hand."""
    three = [*dealt, upcard]
    ranks = sorted(card.rank for card in three)
    one_suit = len({card.suit for card in three}) == 1
    one_rank = ranks[0] == ranks[2]
    in_a_row = ranks[1] == ranks[0] + 1 and ranks[2] == ranks[1] + 1
    straight = in_a_row or ranks == [ACE, KING - 1, KING]
    rows = []
    if any(card.rank == upcard.rank for card in dealt):
        rows.append("match")
    if one_suit:
        rows.append("flush")
    if straight:
        rows.append("straight")
    if one_rank:
        rows.append("three_of_a_kind")
    if straight and one_suit:
        rows.append("straight_flush")
    if one_rank and one_suit:
        rows.append("suited_three_of_a_kind")
    return rows


def match_rows(three: list[Card], target: Card, *, single_deck: bool = False) -> list[str]:
    """Filing 000, General Rules 4, and filing 001: how many of three match one card in rank."""
    matches = [card for card in three if card.rank == target.rank]
    if len(matches) == 3:
        suited = all(card.suit == target.suit for card in matches)
        return ["triple_suited"] if suited and not single_deck else ["triple_match"]
    if len(matches) == 2:
        return ["double_match"]
    if len(matches) == 1 and single_deck:
        same_color = matches[0].is_red == target.is_red
        return ["colored_match" if same_color else "uncolored_match"]
    if len(matches) == 1:
        same_suit = matches[0].suit == target.suit
        return ["suited_match" if same_suit else "unsuited_match"]
    return []


def skweezit(dealt: list[Card], upcard: Card) -> list[str]:
    """Filing 002: the up card strictly between the player's two, ace high only."""

    def height(card: Card) -> int:
        return KING + 1 if card.rank == ACE else card.rank

    low, high = sorted(height(card) for card in dealt)
    middle = height(upcard)
    three = [*dealt, upcard]
    if not low < middle < high:
        return []
    rows = ["skweezer"]
    if len({card.is_red for card in three}) == 1:
        rows.append("one_colour_skweezer")
    if high - low == 2:
        rows.append("belly_skweezer")
        if len({card.suit for card in three}) == 1:
            rows.append("suited_belly_skweezer")
    return rows


def upcard_bonus(original: Card, upcard: Card, hole: Card) -> list[str]:
    """Filing 004, rule 13 and paytable: only a replaced three to six can win."""
    if original.rank not in (3, 4, 5, 6):
        return []
    if is_blackjack([upcard, hole]):
        return ["suited_blackjack" if upcard.suit == hole.suit else "unsuited_blackjack"]
    if upcard.rank == ACE:
        return ["ace_up"]
    if upcard.points == TEN:
        return ["ten_up"]
    if upcard.rank in (7, 8, 9):
        return ["seven_to_nine_up"]
    return []


def is_bonus_pair(dealt: list[Card]) -> bool:
    """A dealt pair of aces or of eights: its bonus waits for the dealer and for the splits."""
    return dealt[0].rank == dealt[1].rank and dealt[0].rank in (ACE, EIGHT)


def dead_mans_hand(seat: PlayedSeat, pays: Pays, *, dealer_has_blackjack: bool) -> list[str]:
    """Filing 003: an ace or an eight, A-8, or what a pair of either was split into."""
    ranks = {card.rank for card in seat.dealt}
    if ranks == {ACE, EIGHT}:
        return ["one_set"]
    if not is_bonus_pair(seat.dealt):
        return ["any_ace_or_eight"] if ranks & {ACE, EIGHT} else []
    if dealer_has_blackjack:
        return ["pair_with_dealer_blackjack"]
    sets = sum({card.rank for card in hand.cards[:2]} == {ACE, EIGHT} for hand in seat.hands)
    rows = ["pair_no_set", "one_set", "two_sets", "three_sets", "four_sets"]
    most = 4 if "four_sets" in pays else 2
    return [rows[min(sets, most)]]


def rows_won(record: RoundRecord, seat: PlayedSeat, wager: str) -> list[str]:
    """All rows of the wager's paytable that the seat's cards meet."""
    if wager in (games.MATCH_ME, games.MATCH_ME_2):
        single = record.spec.decks == 1
        return match_rows(seat.dealt, record.match_cards[wager], single_deck=single)
    upcard, hole = record.dealer[:2]
    match wager:
        case games.DOUBLE_ACTION:
            return double_action(seat.dealt, upcard)
        case games.MATCH_MADNESS:
            return match_madness(seat, upcard, hole)
        case games.SKWEEZIT:
            return skweezit(seat.dealt, upcard)
        case games.UPCARD_BONUS:
            return upcard_bonus(record.original_upcard or upcard, upcard, hole)
        case games.DEAD_MANS_HAND:
            blackjack = is_blackjack([upcard, hole])
            return dead_mans_hand(seat, paytable(record, wager), dealer_has_blackjack=blackjack)
        case _:
            raise LookupError(wager)


def match_madness(seat: PlayedSeat, upcard: Card, hole: Card) -> list[str]:
    return match_rows([*seat.dealt, upcard], hole)


def judge_side(record: RoundRecord, seat: PlayedSeat, bet: PlacedBet) -> ExpectedWager:
    """One side bet by itself, any aggregate limit left out."""
    pays = paytable(record, bet.wager)
    rows = rows_won(record, seat, bet.wager)
    if not rows:
        return lost(bet)
    best = max(rows, key=lambda row: pays[row][0] / pays[row][1])
    if pays[best][0] == 0:
        return pushed(bet, best)
    return won(bet, best, pays[best], record.spec)


def judge_sides(record: RoundRecord, wager: str) -> list[JudgedBet]:
    """All side bets of one kind, right to left, within the posted aggregate limit."""
    judged = [
        (bet, judge_side(record, seat, bet))
        for seat in reversed(record.seats)
        for bet in seat.sides
        if bet.wager == wager
    ]
    limit = record.spec.limits.wagers.get(wager)
    return share(judged, limit.aggregate_cents) if limit and limit.aggregate_cents else judged


def share(judged: list[JudgedBet], aggregate_cents: int) -> list[JudgedBet]:
    """Cut winners pro rata to the aggregate, cents by largest remainder; tips stay outside."""
    winners = [
        index
        for index, (_, expected) in enumerate(judged)
        if expected.result is Result.WON and not expected.tip
    ]
    owed = {index: judged[index][1].owed_cents for index in winners}
    due = sum(owed.values())
    if due <= aggregate_cents:
        return judged
    cut = {index: owed[index] * aggregate_cents // due for index in winners}
    rest = {index: owed[index] * aggregate_cents % due for index in winners}
    by_remainder = sorted(winners, key=lambda index: (-rest[index], judged[index][0].seat))
    for index in by_remainder[: aggregate_cents - sum(cut.values())]:
        cut[index] += 1
    return [
        (bet, replace(expected, owed_cents=cut.get(index, expected.owed_cents)))
        for index, (bet, expected) in enumerate(judged)
    ]
