"""Verdicts: equal to the last printed digit, within a tenth of a point, or a misprint."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.rulebook.filings import FILINGS
from odds.certificates.verdicts import PrintVerdict, compare, exact_value
from odds.decimals import rounded
from odds.printed import FigureKind, PrintedFigure, parse_figure
from odds.worth import Worth, as_ways, worth_by


def printed(kind: FigureKind, text: str) -> PrintedFigure:
    value, digits = parse_figure(kind, text)
    return PrintedFigure(
        game="skweezit",
        wagers=("skweezit",),
        decks=6,
        option=1,
        kind=kind,
        outcome=None,
        text=text,
        value=value,
        digits=digits,
        clause="here",
    )


@pytest.mark.parametrize(
    ("text", "exact", "verdict"),
    [
        ("5.53%", "5.534999", PrintVerdict.AGREES),
        ("5.53%", "5.525", PrintVerdict.AGREES),  # half up
        ("5.53%", "5.535", PrintVerdict.NEAR),
        ("5.53%", "5.524999", PrintVerdict.NEAR),
        ("5.53%", "5.63", PrintVerdict.NEAR),
        ("5.53%", "5.43", PrintVerdict.NEAR),
        ("5.53%", "5.6300001", PrintVerdict.MISPRINT),
        ("5.53%", "5.4299999", PrintVerdict.MISPRINT),
        ("8.2%", "8.249", PrintVerdict.AGREES),
        ("8.2%", "8.25", PrintVerdict.NEAR),
        ("11.092%", "11.0918", PrintVerdict.AGREES),
        ("0.05%", "-0.04", PrintVerdict.NEAR),
    ],
)
def test_a_percentage_is_judged_to_its_last_digit_then_by_points(
    text: str, exact: str, verdict: PrintVerdict
) -> None:
    assert compare(printed(FigureKind.HOUSE_EDGE, text), Fraction(exact)) is verdict


@pytest.mark.parametrize(
    ("text", "exact", "verdict"),
    [
        ("4.46", "4.4627", PrintVerdict.AGREES),
        ("4.42", "4.411", PrintVerdict.NEAR),
        ("4.39", "4.4315", PrintVerdict.MISPRINT),  # 0.21 points
        ("4.9", "4.843", PrintVerdict.MISPRINT),  # 0.24 points
        ("7107.0", "7107.02", PrintVerdict.AGREES),
        ("2,966", "2970.4", PrintVerdict.NEAR),
        (
            "715,552",
            "337893",
            PrintVerdict.MISPRINT,
        ),  # within a tenth of a point, and twice too rare
        ("1/9.2", "9.24", PrintVerdict.AGREES),
    ],
)
def test_one_in_so_many_must_be_near_as_a_chance_and_as_a_number(
    text: str, exact: str, verdict: PrintVerdict
) -> None:
    assert compare(printed(FigureKind.HIT_RATE, text), Fraction(exact)) is verdict


def test_a_rate_of_what_never_falls_is_a_misprint() -> None:
    assert compare(printed(FigureKind.HIT_RATE, "7107.0"), None) is PrintVerdict.MISPRINT


@given(st.fractions(min_value=-100, max_value=100, max_denominator=10**9), st.integers(0, 6))
def test_rounding_is_never_off_by_more_than_half_a_digit(value: Fraction, digits: int) -> None:
    shown = rounded(value, digits)
    assert (shown * 10**digits).denominator == 1
    assert -Fraction(1, 2) < (shown - value) * 10**digits <= Fraction(1, 2)


def test_what_should_have_been_printed_follows_from_the_chances() -> None:
    tenth = Fraction(1, 10)
    names = [row.outcome for row in FILINGS["skweezit"].tables[0].rows]
    worth: Worth = worth_by(FILINGS["skweezit"].tables[0], as_ways(dict.fromkeys(names, tenth)))
    # Four rows of a tenth each pay 1, 4, 20 and 100; six tenths lose.
    assert exact_value(FigureKind.HOUSE_EDGE, None, worth) == -1190
    assert exact_value(FigureKind.PAYOUT_PERCENTAGE, None, worth) == 1290
    assert exact_value(FigureKind.TOTAL_HIT_PERCENTAGE, None, worth) == 40
    assert exact_value(FigureKind.TOTAL_HIT_RATE, None, worth) == Fraction(5, 2)
    assert exact_value(FigureKind.HIT_RATE, names[0], worth) == 10
