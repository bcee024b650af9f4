"""Totals of three cards and more, averaged over the hands that come to them in best play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import numpy as np

from odds.main_game.analysis import Move, TotalRow
from odds.main_game.arrays import Floats
from odds.main_game.hand_play import orders
from odds.main_game.hands import hands
from odds.main_game.openings import Opening
from odds.main_game.starts import StartPlay

NEVER_STOOD_ON: Final = 11
"""A total that no card can bust and every card betters: nothing is to be decided on it."""

_Key = tuple[bool, int, int]
"""Soft or not, the total, and the points of the up card."""
_MET, _STAND, _HIT = range(3)


class TotalSums:
    """Sums by total and up card, as deals are added to it."""

    def __init__(self) -> None:
        self._sums: defaultdict[_Key, Floats] = defaultdict(lambda: np.zeros(3))

    def add(self, opened: Opening, plays: Iterable[StartPlay]) -> None:
        """Add one deal: all that its starts are hit on to."""
        every = hands()
        begun = np.zeros(len(every))
        for play in plays:
            if play.best in (Move.HIT, Move.RETURN):
                place = every.at(play.low, play.high)
                begun[place] += play.probability / opened.drawn[place]
        met = orders(opened.hits, begun) * opened.deal.probability
        met[(every.size <= 2) | (every.total <= NEVER_STOOD_ON)] = 0.0
        places = np.flatnonzero(met * opened.passing[:-1] > 0.0)
        passing = opened.passing[places]
        drawn = opened.brings[every.child[places]].sum(axis=1)
        columns = np.stack([passing, opened.standing[places] - passing, drawn - passing], axis=1)
        columns *= met[places, None]
        soft, total = every.soft[places], every.total[places]
        for row, is_soft, each in zip(columns, soft, total, strict=True):
            self._sums[bool(is_soft), int(each), opened.deal.up_points] += row

    def rows(self) -> tuple[TotalRow, ...]:
        """The averages, in the order of a chart: hard totals, then soft ones."""
        return tuple(_row(key, sums) for key, sums in sorted(self._sums.items(), key=_key))


def _row(key: _Key, sums: Floats) -> TotalRow:
    soft, total, up = key
    return TotalRow(
        soft=soft,
        total=total,
        up=up,
        probability=float(sums[_MET]),
        stand=float(sums[_STAND] / sums[_MET]),
        hit=float(sums[_HIT] / sums[_MET]),
    )


def _key(item: tuple[_Key, Floats]) -> _Key:
    return item[0]
