"""The filed games, the fold of a table, and what every wager is owed.

Pure: no input or output, no clock, no randomness. A table's events go in, one by one,
through `blackjack.play.table.advance`; settled rounds and findings come out.
"""

ENGINE = "4"
"""The version of the engine's rules: results settled under one number never change."""
