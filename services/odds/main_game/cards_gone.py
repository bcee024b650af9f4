"""Which cards can be gone when a hand stands: the shoes that the dealer draws from.

A hand on its own takes its own cards out of the shoe. A split hand takes the other card of
the pair too, and as many further ones as its sisters are known to have begun with. Many hands
lead to the same cards, and each set of cards is looked at once.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct

from odds.main_game.arrays import ACE_COLUMN, VALUES, Integers
from odds.main_game.hands import hands

_BASE = 64
"""More than any count: a row of counts is a number in this base, in 60 bits."""


class CardsGone(Struct, frozen=True, eq=False):
    """All sets of cards, and where the set of each hand is found; pairs are columns."""

    counts: Integers
    own: Integers
    """By hand: its own cards."""
    members: tuple[Integers, ...]
    """By the column of a pair: the places of the hands that can come of splitting it."""
    with_pair: tuple[Integers, ...]
    """By the column of a pair, then by further pair cards gone: the set of each member."""


@cache
def cards_gone(further: int, *, aces_play_on: bool) -> CardsGone:
    """Sets of cards for splits with so many further pair cards at most."""
    every = hands()
    keys = [_keys(every.counts)]
    members = []
    for pair in range(VALUES):
        belongs = every.counts[:, pair] > 0
        if pair == ACE_COLUMN and not aces_play_on:
            belongs &= every.size <= 2
        places = np.flatnonzero(belongs)
        members.append(places)
        gone = np.arange(1, further + 2)[:, None] * _BASE**pair
        keys.append((_keys(every.counts[places])[None, :] + gone).ravel())
    counts, found = _sets(np.concatenate(keys))
    parts = np.split(found, np.cumsum([len(key) for key in keys])[:-1])
    return CardsGone(
        counts=counts,
        own=parts[0],
        members=tuple(members),
        with_pair=tuple(part.reshape(further + 1, -1) for part in parts[1:]),
    )


@cache
def free_ace_cards_gone() -> tuple[Integers, Integers, Integers]:
    """Hands that begin with a free ace: their places, all sets of cards, and where each is.

    The last is by the column of the card that counted as an ace, then by hand.
    """
    every = hands()
    places = np.flatnonzero(every.counts[:, ACE_COLUMN] > 0)
    further = _keys(every.counts[places]) - _BASE**ACE_COLUMN
    keys = further[None, :] + _BASE ** np.arange(VALUES)[:, None]
    counts, found = _sets(keys.ravel())
    return places, counts, found.reshape(keys.shape)


def _keys(counts: Integers) -> Integers:
    keys: Integers = counts @ _BASE ** np.arange(VALUES)
    return keys


def _sets(keys: Integers) -> tuple[Integers, Integers]:
    """Every set once, as counts, and where the set of each key is found."""
    unique, found = np.unique(keys, return_inverse=True)
    return unique[:, None] // _BASE ** np.arange(VALUES) % _BASE, found
