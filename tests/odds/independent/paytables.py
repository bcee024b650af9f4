"""All 81 paytables, typed from the filings: what each outcome pays to one; 0 is a push."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

Pays = dict[str, Fraction]


class Paytable(NamedTuple):
    """Where a paytable is filed: the options of a number of decks count from one."""

    game: str
    wager: str
    decks: int
    option: int


def _columns(rows: str, *payouts: tuple[float, ...]) -> list[Pays]:
    """One paytable for each tuple; every figure here is a whole number or a half."""
    return [dict(zip(rows.split(), map(Fraction, column), strict=True)) for column in payouts]


_POKER = "match flush straight three_of_a_kind straight_flush suited_three_of_a_kind"
DOUBLE_ACTION: Final = {
    4: _columns(
        _POKER,
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 3, 6, 20, 45, 200),
        (1, 3, 6, 20, 40, 200),
    ),
    5: _columns(
        _POKER,
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
        (1, 3, 6, 10, 50, 100),
    ),
    6: _columns(
        _POKER,
        (1, 3, 6, 21, 50, 200),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
    ),
    8: _columns(
        _POKER,
        (1, 3, 6, 21, 50, 150),
        (1, 3, 6, 20, 50, 150),
        (1, 3, 6, 20, 50, 100),
        (1, 3, 6, 20, 45, 100),
        (1, 2, 6, 20, 50, 100),
    ),
}

_MATCHES = "unsuited_match suited_match double_match triple_match triple_suited"
MATCH_MADNESS: Final = {
    4: _columns(_MATCHES, (1, 6, 20, 100, 1000), (2, 7, 10, 50, 100)),
    5: _columns(_MATCHES, (1, 6, 20, 100, 1000), (2, 7, 10, 50, 100)),
    6: _columns(_MATCHES, (1, 5, 20, 100, 1000), (2, 6, 10, 50, 100)),
    8: _columns(_MATCHES, (1, 5, 20, 100, 1000), (2, 6, 10, 50, 100)),
}
MATCH_ME: Final = {
    1: _columns("uncolored_match colored_match double_match triple_match", (3, 6, 10, 200)),
    4: _columns(_MATCHES, (1, 6, 20, 100, 1000)),
    6: _columns(_MATCHES, (1, 6, 18, 100, 1000), (1, 5, 20, 100, 1000)),
    7: _columns(_MATCHES, (1, 6, 16, 125, 1000), (1, 5, 20, 100, 1000)),
    8: _columns(_MATCHES, (1, 6, 16, 100, 1000), (1, 5, 20, 100, 1000)),
}

SKWEEZIT: Final = _columns(
    "skweezer one_colour_skweezer belly_skweezer suited_belly_skweezer", (1, 4, 20, 100)
)

_SETS_TO_TWO = "two_sets one_set pair_no_set any_ace_or_eight pair_with_dealer_blackjack"
DEAD_MANS_HAND: Final = [
    *_columns(_SETS_TO_TWO, (50, 14, 3, 1.5, 50), (25, 4, 4, 2, 25), (50, 4, 4, 2, 50)),
    *_columns(
        f"four_sets three_sets {_SETS_TO_TWO}",
        (500, 250, 25, 4, 4, 2, 50),
        (500, 250, 50, 5, 4, 2, 50),
    ),
]

UPCARD_BONUS: Final = _columns(
    "suited_blackjack unsuited_blackjack ace_up ten_up seven_to_nine_up",
    (40, 15, 8, 3, 1),
    (20, 20, 8, 3, 1),
    (20, 20, 8, 4, 0),
    (12, 12, 6, 4, 2),
    (15, 15, 4, 4, 2),
    (20, 20, 4, 3, 2),
)


def _filed(game: str, wager: str, decks: int, tables: Iterable[Pays]) -> dict[Paytable, Pays]:
    numbered = enumerate(tables, start=1)
    return {Paytable(game, wager, decks, option): pays for option, pays in numbered}


def all_paytables() -> dict[Paytable, Pays]:
    """Every paytable that a card room may post."""
    tables: dict[Paytable, Pays] = {}
    for decks, pays in DOUBLE_ACTION.items():
        tables |= _filed("double_action_iii", "double_action", decks, pays)
    for decks, pays in MATCH_MADNESS.items():
        tables |= _filed("double_action_iii", "match_madness", decks, pays)
    for decks, pays in MATCH_ME.items():
        tables |= _filed("match_madness", "match_me", decks, pays)
    for decks in (2, 4, 5, 6, 7, 8):
        tables |= _filed("skweezit", "skweezit", decks, SKWEEZIT)
    for decks in (1, 2, 5, 6, 8):
        tables |= _filed("dead_mans_hand", "dead_mans_hand", decks, DEAD_MANS_HAND)
    for decks in (6, 8):
        tables |= _filed("half_back", "upcard_bonus", decks, UPCARD_BONUS)
    return tables
