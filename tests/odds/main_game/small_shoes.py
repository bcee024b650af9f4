"""Shoes so small that every round from them can be dealt, card by card."""

from odds.main_game import Ranks

RANKS = "A23456789TJQK"


def shoe(text: str) -> Ranks:
    """A shoe from ranks and counts: `A2 T4` is two aces and four tens."""
    counts = [0] * len(RANKS)
    for part in text.split():
        counts[RANKS.index(part[0])] = int(part[1:])
    return tuple(counts)


MIXED = shoe("A2 52 62 82 92 T2 J2")
"""Enough for two hands."""

EIGHTS = shoe("22 84 92 T5 J5")
"""Enough for four hands: eights can be split three times, and doubled with a two."""

ACES = shoe("A4 71 T7 J7")
"""Enough for four hands of aces."""

BLACKJACKS = shoe("A2 T9 J8")
"""An ace up and an ace held leave nothing but tens: then the blackjack is certain."""
