"""Settling what is decided at more than one moment of a round."""

from __future__ import annotations

from tests.croupier.games import DEAD_MANS_HAND
from tests.croupier.oracle import judge_hand
from tests.croupier.oracle_sides import judge_side
from tests.croupier.pit import Pit
from tests.croupier.record import Hand, RoundRecord, Seat


def settle_dead_mans_hand(pit: Pit, record: RoundRecord, seat: Seat) -> None:
    """The bonus of one seat, with any tip on it."""
    bets = [bet for bet in seat.sides if bet.wager == DEAD_MANS_HAND]
    pit.settle(record, [(bet, judge_side(record, seat, bet)) for bet in bets])


def settle_hand(pit: Pit, record: RoundRecord, hand: Hand) -> None:
    """Everything that rides on one hand."""
    hand.is_settled = True
    pit.settle(record, judge_hand(hand, record.dealer, pit.spec))
