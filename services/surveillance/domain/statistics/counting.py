"""Does a bet follow what is left in the shoe?

The index of a shoe is the average, over the cards left in it, of what each is worth to the
player (its effect of removal, scaled to lie between nought and one). Each draw changes it by
chance alone: the share of any card among those left is a martingale, however the players decide
and whenever a round ends. If a bet owes nothing to the cards dealt since the one before it,
then given both bets the change of the index is still a sum of fair draws, of which the k-th of
n cards can move the index over a range of 1 / (n - k) at most. By Hoeffding's lemma, for any
slope s chosen without the cards,

    exp(s * change - s ** 2 / 8 * (sum of 1 / (n - k) ** 2))

is a fair ticket. The slope is taken from the bets: up for one that rises, down for one that
falls.
"""

from __future__ import annotations

from math import exp
from typing import Final

from surveillance.domain.statistics.evidence import Bet, Ticket

SLOPES: Final = (0.4, 0.8, 1.6)
"""For each card left; one angle each."""

COUNT_ANGLES: Final = len(SLOPES)


def angles_between(before: Bet | None, after: Bet) -> tuple[tuple[Ticket, ...], ...]:
    """The tickets of a bet and the one before it; none if they are not of one shoe."""
    if before is None or before.shoe != after.shoe or before.cents == after.cents:
        return ()
    drawn = before.cards - after.cards
    if drawn <= 0 or after.cards <= 0:
        return ()
    rise = (after.cents - before.cents) / max(after.cents, before.cents)
    change = (after.index - before.index) * before.cards
    spread = sum([(before.cards / (before.cards - k)) ** 2 for k in range(1, drawn + 1)])
    slopes = (slope * rise for slope in SLOPES)
    return tuple((Ticket(exp(s * change - s * s / 8 * spread)),) for s in slopes)
