"""New misprints: their explanations are found, and none is invented.

A reading that is wrong is worse than none, so that half of this page is about silence.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blackjack.rulebook.filings import FILINGS
from odds.certificates import JudgedFigure, PrintVerdict, offers
from odds.decimals import rounded
from odds.printed import FigureKind
from tests.odds.planted_prints import EDGE, Place, judged_with, percent

DOUBLE_ACTION: Place = ("double_action_iii", "double_action", 6, 3)
DOUBLE_ACTION_1: Place = ("double_action_iii", "double_action", 6, 1)
MATCH_MADNESS_2: Place = ("double_action_iii", "match_madness", 6, 2)
MATCH_ME: Place = ("match_madness", "match_me", 6, 1)


def reading(judged: JudgedFigure) -> str:
    assert judged.verdict is PrintVerdict.MISPRINT
    return judged.reading.words if judged.reading is not None else ""


@pytest.mark.parametrize(
    ("place", "text", "words"),
    [
        (DOUBLE_ACTION, "7.50%", "two digits of the exact figure are exchanged"),
        (DOUBLE_ACTION, "5.07%", "two digits of the exact figure are exchanged"),
        (MATCH_ME, "6.235%", "one digit of the exact figure is mistyped"),
        (DOUBLE_ACTION, "57.0%", "the point of the exact figure is shifted"),
        (DOUBLE_ACTION, "94.30%", "it is 100% less the exact figure"),
        (DOUBLE_ACTION, "10.46%", "it is the figure of Match Madness, option 1"),
        (DOUBLE_ACTION, "3.12%", "it is the figure for option 1"),
        (DOUBLE_ACTION, "4.81%", "it is the figure for 8 decks"),
    ],
)
def test_a_slip_of_the_pen_or_of_the_place_is_named(place: Place, text: str, words: str) -> None:
    assert reading(judged_with(place, EDGE, text)) == words


@pytest.mark.parametrize(
    ("place", "kind", "text"),
    [
        (DOUBLE_ACTION, EDGE, "1.23%"),  # a rare row at 631 to 2 would do it
        (DOUBLE_ACTION_1, EDGE, "0.00%"),
        (("dead_mans_hand", "dead_mans_hand", 6, 3), FigureKind.PAYOUT_PERCENTAGE, "97.23%"),
        (MATCH_ME, FigureKind.TOTAL_HIT_PERCENTAGE, "66.66%"),
    ],
)
def test_what_only_fitted_odds_would_explain_is_left_unexplained(
    place: Place, kind: FigureKind, text: str
) -> None:
    assert reading(judged_with(place, kind, text)) == ""


def test_hardly_any_number_is_explained_by_chance() -> None:
    rng = Random(3)
    random = [judged_with(DOUBLE_ACTION, EDGE, f"{rng.uniform(12.5, 99):.2f}%") for _ in range(60)]
    assert sum(bool(reading(judgment)) for judgment in random) <= 3


def test_readings_that_explain_equally_well_are_all_named_the_smallest_change_first() -> None:
    assert reading(judged_with(DOUBLE_ACTION_1, EDGE, "6.22%")) == (
        "it agrees if “Straight” paid 5 to 1, not the filed 6 to 1; or it agrees if “Straight "
        "flush” paid 35 to 1, not the filed 50 to 1"
    )


def test_a_figure_of_another_option_is_not_called_inexact() -> None:
    """8.2% is right for option 1 at five and at eight decks."""
    words = reading(judged_with(MATCH_MADNESS_2, EDGE, "8.2%"))
    assert words == (
        "it is the figure for option 1 with 8 decks; or it is the figure for option 1 with 5 decks"
    ) or words == (
        "it is the figure for option 1 with 5 decks; or it is the figure for option 1 with 8 decks"
    )


def test_one_typing_error_does_not_hide_what_explains_the_others() -> None:
    typo = (("skweezit", "skweezit", 2, 1), EDGE, "9.99%")
    for decks, text in ((4, "6.02%"), (8, "6.70%")):
        words = reading(judged_with(("skweezit", "skweezit", decks, 1), EDGE, text, typo))
        assert words.startswith(
            "the printed figures for 4, 5, 6, 7 and 8 decks all agree if “Suited"
        )
    assert reading(judged_with(*typo)) == ""


def test_an_exact_figure_explains_better_than_one_that_is_only_printed() -> None:
    """Wrong totals copied to six decks do not make the five-deck ones their copy."""
    five: Place = ("double_action_iii", "double_action", 5, 2)
    six: Place = ("double_action_iii", "double_action", 6, 2)
    rate, share = FigureKind.TOTAL_HIT_RATE, FigureKind.TOTAL_HIT_PERCENTAGE
    copied = ((six, rate, "4.39"), (six, share, "22.8%"))
    assert reading(judged_with(five, rate, "4.39", *copied)) == "it is the figure for 8 decks"


@given(st.data())
def test_a_slip_in_a_common_row_is_found(data: st.DataObject) -> None:
    """A figure worked out with other odds in one row is explained by those odds, among others."""
    offer = next(
        offer
        for offer in offers(FILINGS["match_madness"])
        if (offer.decks, offer.paytable.option) == (6, 1)
    )
    row = data.draw(st.sampled_from(offer.worth.rows[:3]))
    paid = data.draw(st.integers(1, 30).filter(lambda pays: pays != row.pays.ratio))
    edge = rounded(100 * (offer.worth.edge - row.probability * (paid - row.pays.ratio)), 3)
    assume(0 <= edge <= 100 and abs(edge - 100 * offer.worth.edge) > 0.1)
    judged = judged_with(MATCH_ME, EDGE, percent(edge))
    if judged.reading is not None and judged.reading.words.startswith("it agrees if"):
        assert f"“{row.label}” paid {paid} to 1, not the filed {row.pays}" in reading(judged)


@pytest.mark.parametrize(
    ("outcome", "decks"),
    [("three_of_a_kind", 4), ("three_of_a_kind", 5), ("three_of_a_kind", 8), ("flush", 4)],
)
def test_a_rate_of_another_deck_count_is_found(outcome: str, decks: int) -> None:
    texts = {
        ("three_of_a_kind", 4): "209.0",
        ("three_of_a_kind", 5): "202.49",
        ("three_of_a_kind", 8): "193.48",
        ("flush", 4): "17.4",
    }
    judged = judged_with(
        DOUBLE_ACTION_1, FigureKind.HIT_RATE, texts[outcome, decks], outcome=outcome
    )
    assert reading(judged) == f"it is the figure for {decks} decks"
