"""The paytables of the five filings, typed once more from the filings themselves.

Nothing here comes from the engine: if a figure was mistyped there or here, the two
disagree and a test fails. A number is "to 1" unless it is a pair; 0 is a push.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from table_simulator.domain.games import (
    DEAD_MANS_HAND_GAME,
    DOUBLE_ACTION_III,
    HALF_BACK_BLACKJACK,
    MATCH_MADNESS_GAME,
    SKWEEZIT_BLACKJACK,
)

Pays = dict[str, tuple[int, int]]
"""The payout of each outcome, as odds."""

# Filing 000, "Double Action" side bet. Match, flush, straight, three of a kind, straight
# flush, suited three of a kind.
_DOUBLE_ACTION: Final = {
    4: (
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 3, 6, 20, 45, 200),
        (1, 3, 6, 20, 40, 200),
    ),
    5: (
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
        (1, 3, 6, 10, 50, 100),
    ),
    6: (
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
    ),
    8: (
        (1, 3, 6, 21, 50, 150),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
    ),
}
_DOUBLE_ACTION_ROWS: Final = (
    "match",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "suited_three_of_a_kind",
)

# Filing 000, "Match Madness" side bet. Unsuited, suited, double, triple, triple suited.
_MATCH_MADNESS: Final = {
    4: ((1, 6, 20, 100, 1000), (2, 7, 10, 50, 100)),
    5: ((1, 6, 20, 100, 1000), (2, 7, 10, 50, 100)),
    6: ((1, 5, 20, 100, 1000), (2, 6, 10, 50, 100)),
    8: ((1, 5, 20, 100, 1000), (2, 6, 10, 50, 100)),
}

# Filing 001, stand-alone, several decks; one deck has four outcomes of its own.
_MATCH_ME: Final = {
    4: ((1, 6, 20, 100, 1000),),
    6: ((1, 6, 18, 100, 1000), (1, 5, 20, 100, 1000)),
    7: ((1, 6, 16, 125, 1000), (1, 5, 20, 100, 1000)),
    8: ((1, 6, 16, 100, 1000), (1, 5, 20, 100, 1000)),
}
_MATCH_ROWS: Final = (
    "unsuited_match",
    "suited_match",
    "double_match",
    "triple_match",
    "triple_suited",
)
_SINGLE_DECK: Final[Pays] = {
    "uncolored_match": (3, 1),
    "colored_match": (6, 1),
    "double_match": (10, 1),
    "triple_match": (200, 1),
}

# Filing 002, appendix A, the same for any number of decks.
_SKWEEZIT: Final[Pays] = {
    "skweezer": (1, 1),
    "one_colour_skweezer": (4, 1),
    "belly_skweezer": (20, 1),
    "suited_belly_skweezer": (100, 1),
}

# Filing 003: one row an outcome, one column a paytable; None where a row is not filed.
_DEAD_MANS_HAND: Final[dict[str, tuple[tuple[int, int] | None, ...]]] = {
    "four_sets": (None, None, None, (500, 1), (500, 1)),
    "three_sets": (None, None, None, (250, 1), (250, 1)),
    "two_sets": ((50, 1), (25, 1), (50, 1), (25, 1), (50, 1)),
    "one_set": ((14, 1), (4, 1), (4, 1), (4, 1), (5, 1)),
    "pair_no_set": ((3, 1), (4, 1), (4, 1), (4, 1), (4, 1)),
    "any_ace_or_eight": ((3, 2), (2, 1), (2, 1), (2, 1), (2, 1)),
    "pair_with_dealer_blackjack": ((50, 1), (25, 1), (50, 1), (50, 1), (50, 1)),
}

# Filing 004: suited blackjack, unsuited blackjack, ace up, ten up, seven to nine up.
_UPCARD_BONUS: Final = (
    (40, 15, 8, 3, 1),
    (20, 20, 8, 3, 1),
    (20, 20, 8, 4, 0),
    (12, 12, 6, 4, 2),
    (15, 15, 4, 4, 2),
    (20, 20, 4, 3, 2),
)
_UPCARD_ROWS: Final = (
    "suited_blackjack",
    "unsuited_blackjack",
    "ace_up",
    "ten_up",
    "seven_to_nine_up",
)

DECKS: Final[dict[str, tuple[int, ...]]] = {
    DOUBLE_ACTION_III: (4, 5, 6, 8),
    MATCH_MADNESS_GAME: (1, 4, 6, 7, 8),
    SKWEEZIT_BLACKJACK: (2, 4, 5, 6, 7, 8),
    DEAD_MANS_HAND_GAME: (1, 2, 5, 6, 8),
    HALF_BACK_BLACKJACK: (6, 8),
}


def _to_one(rows: tuple[str, ...], payouts: tuple[int, ...]) -> Pays:
    return {row: (figure, 1) for row, figure in zip(rows, payouts, strict=True)}


@cache
def options(game: str, wager: str, decks: int) -> tuple[Pays, ...]:
    """Every filed paytable of a wager at this number of decks, option 1 first."""
    match game, wager:
        case "double_action_iii", "double_action":
            return tuple(_to_one(_DOUBLE_ACTION_ROWS, row) for row in _DOUBLE_ACTION[decks])
        case "double_action_iii", "match_madness":
            return tuple(_to_one(_MATCH_ROWS, row) for row in _MATCH_MADNESS[decks])
        case "match_madness", "match_me" | "match_me_2":
            if decks == 1:
                return (_SINGLE_DECK,)
            return tuple(_to_one(_MATCH_ROWS, row) for row in _MATCH_ME[decks])
        case "skweezit", "skweezit":
            return (_SKWEEZIT,)
        case "dead_mans_hand", "dead_mans_hand":
            columns = range(5)
            return tuple(
                {row: pays for row, line in _DEAD_MANS_HAND.items() if (pays := line[column])}
                for column in columns
            )
        case "half_back", "upcard_bonus":
            return tuple(_to_one(_UPCARD_ROWS, row) for row in _UPCARD_BONUS)
        case _:
            raise LookupError(f"{game} has no wager {wager}")
