"""The filed games, the fold of a table, and what every wager is owed.

Pure: no input or output, no clock, no randomness. A table's events go in, one by one,
through `blackjack.play.table.advance`; settled rounds and findings come out.
"""

ENGINE = "4"
"""The version of the rules of judgement: what is settled under one number never changes."""
