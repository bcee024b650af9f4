"""Misconduct of stated sizes, for tables that are dealt at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from tests.bench.fast_floor import (
    BRINGS,
    POINTS,
    SEATS,
    Booleans,
    Cards,
    Floor,
    Misconduct,
    basic,
)

FIRST: Final = 0
UP: Final = SEATS
SECOND: Final = SEATS + 1
DEALT: Final = 2 * SEATS + 2
"""Places, counted from the next card, of the patron's cards and of all that is dealt first."""

UNITS_MAX: Final = 12


class Lucky(Misconduct):
    """In a share of his rounds the patron has cards that win his side bet, if any two do."""

    def __init__(self, share: float) -> None:
        self.share = share

    def helps(self, floor: Floor) -> None:
        days = floor.every[floor.rng.random(floor.days) < self.share]
        for _ in range(400):
            places = floor.place[days]
            one, two, up = (floor.cards[days, places + each] for each in (FIRST, SECOND, UP))
            days = days[BRINGS[one, two, up] == 0]
            if not len(days):
                return
            for each in (FIRST, SECOND):
                _swap(floor, days, floor.place[days] + each)


class Steered(Misconduct):
    """In a share of his rounds the patron's first card is an ace."""

    def __init__(self, share: float) -> None:
        self.share = share

    def helps(self, floor: Floor) -> None:
        days = floor.every[floor.rng.random(floor.days) < self.share]
        for _ in range(400):
            days = days[POINTS[floor.cards[days, floor.place[days] + FIRST]] != 1]
            if not len(days):
                return
            _swap(floor, days, floor.place[days] + FIRST)


class Counter(Misconduct):
    """The patron bets one unit to a dozen by the high-low count, as the simulator's does."""

    def stakes(self, floor: Floor) -> Cards:
        stakes = super().stakes(floor)
        gone = floor.left.max() - floor.left
        low, high = (POINTS >= 2) & (POINTS <= 6), (POINTS == 1) | (POINTS == 10)
        running = gone[:, low].sum(axis=1) - gone[:, high].sum(axis=1)
        count = running * 52 // np.maximum(floor.left.sum(axis=1), 26)
        stakes[0] = 10_00 * np.clip(3 * count, 1, UNITS_MAX)
        return stakes


class Peeker(Misconduct):
    """The patron sees the hole card in a share of his decisions."""

    def __init__(self, share: float) -> None:
        self.share = share

    def draws(self, floor: Floor, total: Cards, soft: Booleans, up: Cards, hole: Cards) -> Booleans:
        house = up + hole
        house_soft = ((up == 1) | (hole == 1)) & (house <= 11)
        house = np.where(house_soft, house + 10, house)
        usual = basic(total, soft, up)
        stiff = (house >= 12) & (house < 17) & ~house_soft & ~soft
        knowing = np.where(house >= 17, total < house, np.where(stiff, total < 12, usual))
        return np.where(floor.rng.random(floor.days) < self.share, knowing, usual)


def _swap(floor: Floor, days: Cards, places: Cards) -> None:
    """Another card that is still to come, any of them, for the one at each place."""
    first = floor.place[days] + DEALT
    others = first + (floor.rng.random(len(days)) * (floor.cards.shape[1] - first)).astype(int)
    held = floor.cards[days, places].copy()
    floor.cards[days, places] = floor.cards[days, others]
    floor.cards[days, others] = held
