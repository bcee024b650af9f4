"""A croupier who plays correct rounds from a seed, and knows what every wager is owed.

`play_table` and `play_day` give streams of events as a table controller would report
them; `play` also gives the oracle's judgement of every round. The oracle (`oracle`,
`oracle_sides`, `paytables`) is written from the filings and shares no code with the
engine, so that the two can be held against each other. `faults` plants irregularities.
"""

from __future__ import annotations

from tests.croupier.day import play_day, play_table, plays_of_day
from tests.croupier.house import START_AT, Played, play
from tests.croupier.record import Expected, ExpectedRound
from tests.croupier.specs import specs

__all__ = [
    "START_AT",
    "Expected",
    "ExpectedRound",
    "Played",
    "play",
    "play_day",
    "play_table",
    "plays_of_day",
    "specs",
]
