"""Names of wagers for people: the filed title of a side bet, a term of the trade for the rest."""

from __future__ import annotations

from functools import cache
from typing import Final

from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN

_BASE: Final = {MAIN: "main bet", HALF_BACK: "Half Back wager", INSURANCE: "insurance"}


@cache
def name_wager(wager: str) -> str:
    """The name of a wager for people; one that no filing has is its code in plain letters.

    >>> name_wager("match_me_2"), name_wager("half_back"), name_wager("lucky_pair")
    ('Match Me 2', 'Half Back wager', 'lucky pair')
    """
    for filing in FILINGS.values():
        if wager in filing.side_bets:
            return filing.side_bets[wager].title
    return _BASE.get(wager) or wager.replace("_", " ")


def name_bet(seat: int, hand: int, wager: str, *, tip: bool = False) -> str:
    """Where a bet lies: the seat, the hand of a split, and the wager unless it is the main one.

    >>> name_bet(2, 1, "main"), name_bet(3, 2, "main"), name_bet(3, 1, "match_me_2", tip=True)
    ('seat 2', 'seat 3 hand 2', 'seat 3, Match Me 2 for the dealer')
    """
    place = f"seat {seat}" + (f" hand {hand}" if hand > 1 else "")
    if wager and wager != MAIN:
        place = f"{place}, {name_wager(wager)}"
    return f"{place} for the dealer" if tip else place
