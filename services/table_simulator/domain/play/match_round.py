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
from table_simulator.domain.play.betting import open_round
from table_simulator.domain.play.log import SHOE
from table_simulator.domain.play.pit import Pit
from table_simulator.domain.play.stacking import wishes
from table_simulator.domain.record import RoundRecord


def play_match_madness(pit: Pit) -> RoundRecord:
    """Three cards each against two of the dealer's, turned one after the other."""
    single = pit.spec.decks == 1
    if single:
        pit.shoe.shuffle()
        pit.log.write(ShuffleCompleted(52), SHOE)
    record = open_round(pit)
    if pit.rng.random() < pit.stacked:
        pit.stacked_rounds += 1
        game, decks = pit.spec.game, pit.spec.decks
        pit.shoe.arrange(wishes(pit.rng, game, decks=decks, seats=len(record.seats)))
    if single:
        _deal_stacks(pit, record)
    else:
        _deal_shoe(pit, record)
    _turn(pit, record, MATCH_ME, Place.MATCH_ME)
    if single:
        _turn_players_cards(pit, record)
    pit.settle(record, judge_sides(record, MATCH_ME))
    _turn(pit, record, MATCH_ME_2, Place.MATCH_ME_2)
    pit.settle(record, judge_sides(record, MATCH_ME_2))
    for seat in reversed(record.seats):
        pit.log.write(CardsRemoved(seat.number))
    pit.log.write(RoundClosed())
    return record


def _deal_shoe(pit: Pit, record: RoundRecord) -> None:
    """Card by card; the dealer's first lies on Match Me 2, his second on Match Me."""
    for place, wager in ((Place.MATCH_ME_2, MATCH_ME_2), (Place.MATCH_ME, MATCH_ME)):
        for seat in record.seats:
            seat.dealt.append(pit.deal(seat.number))
        record.match_cards[wager] = pit.deal(DEALER, face_up=False, place=place)
    for seat in record.seats:
        seat.dealt.append(pit.deal(seat.number))


def _deal_stacks(pit: Pit, record: RoundRecord) -> None:
    """Stacks of three, face down; of the dealer's the top is Match Me, the bottom is dead."""
    for seat in record.seats:
        seat.dealt = [pit.deal(seat.number, face_up=False) for _ in range(3)]
    record.match_cards[MATCH_ME] = pit.deal(DEALER, face_up=False, place=Place.MATCH_ME)
    record.match_cards[MATCH_ME_2] = pit.deal(DEALER, face_up=False, place=Place.MATCH_ME_2)
    pit.deal(DEALER, face_up=False, place=Place.DISCARD)


def _turn(pit: Pit, record: RoundRecord, wager: str, place: Place) -> None:
    pit.log.write(CardExposed(DEALER, record.match_cards[wager], 1, place=place), SHOE)


def _turn_players_cards(pit: Pit, record: RoundRecord) -> None:
    for seat in record.seats:
        for position, card in enumerate(seat.dealt, 1):
            pit.log.write(CardExposed(seat.number, card, position), SHOE)
