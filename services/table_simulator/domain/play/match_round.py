"""One round of stand-alone Match Madness, from a shoe or from a single-deck machine."""

from __future__ import annotations

from blackjack.facts import (
    DEALER,
    CardExposed,
    CardsRemoved,
    Place,
    RoundClosed,
    ShuffleCompleted,
)
from table_simulator.domain.games import MATCH_ME, MATCH_ME_2
from table_simulator.domain.oracle.sides import judge_sides
from table_simulator.domain.play.controller_log import SHOE
from table_simulator.domain.play.stacked_deals import wishes
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.play.wagers import open_round
from table_simulator.domain.record import RoundRecord


def play_match_madness(table: TableInPlay) -> RoundRecord:
    """Three cards each against two of the dealer's, turned one after the other."""
    single = table.spec.decks == 1
    if single:
        table.shoe.shuffle()
        table.log.write(ShuffleCompleted(52), SHOE)
    record = open_round(table)
    if table.rng.random() < table.stacked:
        table.stacked_rounds += 1
        game, decks = table.spec.game, table.spec.decks
        table.shoe.arrange(wishes(table.rng, game, decks=decks, seats=len(record.seats)))
    if single:
        _deal_stacks(table, record)
    else:
        _deal_shoe(table, record)
    _turn(table, record, MATCH_ME, Place.MATCH_ME)
    if single:
        _turn_players_cards(table, record)
    table.settle(record, judge_sides(record, MATCH_ME))
    _turn(table, record, MATCH_ME_2, Place.MATCH_ME_2)
    table.settle(record, judge_sides(record, MATCH_ME_2))
    for seat in reversed(record.seats):
        table.log.write(CardsRemoved(seat.number))
    table.log.write(RoundClosed())
    return record


def _deal_shoe(table: TableInPlay, record: RoundRecord) -> None:
    """Card by card; the dealer's first lies on Match Me 2, his second on Match Me."""
    for place, wager in ((Place.MATCH_ME_2, MATCH_ME_2), (Place.MATCH_ME, MATCH_ME)):
        for seat in record.seats:
            seat.dealt.append(table.deal(seat.number))
        record.match_cards[wager] = table.deal(DEALER, face_up=False, place=place)
    for seat in record.seats:
        seat.dealt.append(table.deal(seat.number))


def _deal_stacks(table: TableInPlay, record: RoundRecord) -> None:
    """Stacks of three, face down; of the dealer's the top is Match Me, the bottom is dead."""
    for seat in record.seats:
        seat.dealt = [table.deal(seat.number, face_up=False) for _ in range(3)]
    record.match_cards[MATCH_ME] = table.deal(DEALER, face_up=False, place=Place.MATCH_ME)
    record.match_cards[MATCH_ME_2] = table.deal(DEALER, face_up=False, place=Place.MATCH_ME_2)
    table.deal(DEALER, face_up=False, place=Place.DISCARD)


def _turn(table: TableInPlay, record: RoundRecord, wager: str, place: Place) -> None:
    table.log.write(CardExposed(DEALER, record.match_cards[wager], 1, place=place), SHOE)


def _turn_players_cards(table: TableInPlay, record: RoundRecord) -> None:
    for seat in record.seats:
        for position, card in enumerate(seat.dealt, 1):
            table.log.write(CardExposed(seat.number, card, position), SHOE)
