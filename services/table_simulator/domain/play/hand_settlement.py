"""Settlement of hands that are decided at different moments of a round."""

from __future__ import annotations

from table_simulator.domain.games import DEAD_MANS_HAND
from table_simulator.domain.oracle.hands import judge_hand
from table_simulator.domain.oracle.sides import judge_side
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.record import PlayedHand, PlayedSeat, RoundRecord


def settle_dead_mans_hand(table: TableInPlay, record: RoundRecord, seat: PlayedSeat) -> None:
    """The bonus of one seat, with any tip on it."""
    bets = [bet for bet in seat.sides if bet.wager == DEAD_MANS_HAND]
    table.settle(record, [(bet, judge_side(record, seat, bet)) for bet in bets])


def settle_hand(table: TableInPlay, record: RoundRecord, hand: PlayedHand) -> None:
    """Everything that rides on one hand."""
    hand.is_settled = True
    table.settle(record, judge_hand(hand, record.dealer, table.spec))
