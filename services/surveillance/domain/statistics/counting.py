"""Does a bet follow what is left in the shoe?

The index of a shoe is the average, over the cards left in it, of what each is worth to the
player (its effect of removal, scaled to lie between nought and one). Each draw changes it by
chance alone: the share of any card among those left is a martingale, however the players decide
and whenever a round ends. If a bet owes nothing to the cards dealt since the one before it, then
given both bets the change of the index is still a sum of fair draws.

With n cards left, the k-th draw moves n times the index by a fair amount: c = n / (n - k) times
how far the card is from the average. Its variance is at most v * c, where v is that of the cards
before the first (to take cards away cannot raise a sum of squares about a mean). An average of m
becomes at most m * c, so no card lies more than b = min(1, m * c) below it; likewise above it,
with what is missing to one. By Bennett's inequality, for any slope s chosen without the cards,

    exp(s * n * change - sum over k of v * c / b ** 2 * (exp(|s| * b * c) - 1 - |s| * b * c))

is a fair ticket. The slope is taken from the bets: up for one that rises, down for one that
falls.
"""

from __future__ import annotations

from math import exp
from typing import Final

from surveillance.domain.statistics.evidence import Bet, Ticket

SLOPES: Final = (0.5, 1.0, 2.0)
"""For a bet that rises from nothing; one angle each."""

COUNT_ANGLES: Final = len(SLOPES)

LOG_MIN: Final = -50.0
"""No ticket is worth less than what no float could add to one: it has a logarithm then."""


def angles_between(before: Bet | None, after: Bet) -> tuple[tuple[Ticket, ...], ...]:
    """The tickets of a bet and the one before it; none if they are not of one shoe."""
    if before is None or before.shoe != after.shoe or before.cents == after.cents:
        return ()
    cards, drawn = before.cards, before.cards - after.cards
    if drawn <= 0 or after.cards <= 0 or not 0.0 < before.index < 1.0:
        return ()
    rise = (after.cents - before.cents) / max(after.cents, before.cents)
    change = (after.index - before.index) * cards
    reaches = [cards / (cards - k) for k in range(1, drawn + 1)]
    far = before.index if rise > 0.0 else 1.0 - before.index
    moves = [(reach, min(1.0, far * reach)) for reach in reaches]
    return tuple((_ticket(slope * rise, change, before.variance, moves),) for slope in SLOPES)


def _ticket(
    slope: float, change: float, variance: float, moves: list[tuple[float, float]]
) -> Ticket:
    """`moves` are c and b of every draw."""
    steep = abs(slope)
    bound = sum(
        [reach / far**2 * (exp(x := steep * far * reach) - 1.0 - x) for reach, far in moves]
    )
    return Ticket(exp(max(LOG_MIN, slope * change - variance * bound)))
