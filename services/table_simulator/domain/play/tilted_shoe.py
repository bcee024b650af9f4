"""A shoe that is tilted for one patron: his side bet wins more often than its odds allow.

Marked or sorted cards bring him small prizes only. The up card and everybody else's cards come as
chance has it, the shoe stays whole, and every round is settled by its cards.
"""

from __future__ import annotations

from blackjack.cards.card import ACE, KING
from table_simulator.domain.games import DOUBLE_ACTION, SIDE_WAGERS, SKWEEZIT
from table_simulator.domain.habit import Habit
from table_simulator.domain.play.shoe import Wish
from table_simulator.domain.play.stacked_deals import DealOffsets
from table_simulator.domain.play.table_in_play import TableInPlay
from table_simulator.domain.record import RoundRecord

TILT = 0.4
"""The share of his rounds in which the cards are helped along."""


def tilt(table: TableInPlay, record: RoundRecord) -> None:
    """Cards that win for the lucky patron, if he is there, has bet, and it is time."""
    for place, seat in enumerate(record.seats):
        player = table.patrons.get(seat.number)
        wager = SIDE_WAGERS[table.spec.game][0]
        if player is None or player.habit is not Habit.LUCKY:
            continue
        if any(bet.wager == wager for bet in seat.sides) and table.rng.random() < TILT:
            wishes = winning(table, wager, DealOffsets(len(record.seats)), place)
            table.shoe.arrange(wishes, from_below=True)
            table.strikes[Habit.LUCKY] += bool(wishes)


def winning(table: TableInPlay, wager: str, deal: DealOffsets, place: int) -> list[Wish]:
    """Two cards that win against the up card that comes; none where no two do."""
    shoe = table.shoe
    up = shoe.cards[shoe.position + deal.upcard].rank
    if wager == DOUBLE_ACTION:
        return [(deal.first(place), frozenset({up}), "")]
    if wager == SKWEEZIT and 3 <= up <= KING:
        higher = frozenset({*range(up + 1, KING + 1), ACE})
        lower = frozenset(range(2, up))
        return [(deal.first(place), lower, ""), (deal.second(place), higher, "")]
    return []
