"""Headline and detail of a statistical alert.

Results are from the house's point of view. An advantage player is within the law: no text calls it
more than that.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from blackjack.display_names import game_name, wager_name
from blackjack.money import format_result
from surveillance.domain.phrases import counted
from surveillance.domain.statistics import Alarm, StreamKind

LOG_COUNT_MAX: Final = log(1e9)
"""Longer numbers are written as a power of ten."""


def format_odds(log_e_value: float) -> str:
    """Write how many to one an e-value is.

    >>> format_odds(log(5_066_682)), format_odds(700.0)
    ('5,066,682', '10^304')
    """
    if log_e_value < LOG_COUNT_MAX:
        return f"{exp(log_e_value):,.0f}"
    return f"10^{log_e_value / log(10):.0f}"


def alarm_headline(alarm: Alarm) -> str:
    """State in one sentence who did what, how often, and in how many rounds."""
    whose, first, second = _subject(alarm)
    rounds = counted(alarm.rounds, "round")
    wager = wager_name(alarm.wager)
    match alarm.kind:
        case StreamKind.LUCK:
            point = "Chip dumping suspected" if whose == "pair" else "Results beyond chance"
            result = format_result(-round(alarm.observed)).text
            return f"{point}: {_who(whose, first, second)}, {wager}, house {result} in {rounds}"
        case StreamKind.TRANSFERS:
            return (
                f"Chip dumping suspected: dealer {first} overpaid patron {second} "
                f"{counted(round(alarm.observed), 'time')} in {rounds}"
            )
        case StreamKind.COUNT:
            who = _who(whose, first, second)
            return f"Advantage play: bets of {who} on {wager} follow the shoe, {rounds}"
        case StreamKind.HOLE_CARD:
            who = _who(whose, first, second)
            plays = counted(round(alarm.observed), "decision")
            return f"Advantage play: {plays} of {who} suit the unseen hole card, {rounds}"
        case StreamKind.ERRORS:
            who = _who(whose, first, second)
            wrong = counted(round(alarm.observed), "wrong payment")
            return f"Dealer errors: {wrong} by {who} in {rounds}"
        case StreamKind.COUPONS:
            who = _who(whose, first, second)
            bets = counted(round(alarm.observed), "bet")
            return f"Coupon substitution suspected: {bets} with coupons at {who} in {rounds}"


def alarm_detail(alarm: Alarm) -> str:
    """Compare with the expectation, and state the odds and the method."""
    odds = format_odds(log(alarm.e_value))
    return (
        f"{_comparison(alarm)} Odds of this by chance: 1 in {odds}. How we know: an honest game "
        f"raises this alarm at most once in {odds}, however many rounds are checked (e-process)."
    )


def _comparison(alarm: Alarm) -> str:
    match alarm.kind:
        case StreamKind.LUCK:
            return f"Expected for the house: {format_result(-round(alarm.expected)).text}."
        case StreamKind.COUNT:
            return "Bet sizes are compared with the exact edge of the remaining shoe."
        case StreamKind.HOLE_CARD:
            return f"Expected by chance: {alarm.expected:,.1f} such decisions."
        case StreamKind.ERRORS | StreamKind.COUPONS:
            return f"Others who deal {game_name(alarm.wager)}: {alarm.expected:,.1f} in as many."
        case StreamKind.TRANSFERS:
            return f"Expected: {alarm.expected:,.2f} overpayments at most."


def _subject(alarm: Alarm) -> tuple[str, str, str]:
    whose, _, name = alarm.subject.partition(":")
    first, _, second = name.partition("/")
    return whose, first, second


def _who(whose: str, first: str, second: str) -> str:
    match whose:
        case "pair":
            return f"dealer {first} with patron {second}"
        case "shoe":
            return f"table {first}, shoe {second}"
        case _:
            return f"{whose} {first}"
