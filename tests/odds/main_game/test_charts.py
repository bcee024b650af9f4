"""Facts that every basic strategy chart shows, for six decks."""

from collections import defaultdict

import pytest

from odds.main_game import Analysis, MainRules, Move
from tests.odds.main_game.analysed import analysed

LETTERS = {
    Move.STAND: "S",
    Move.HIT: "H",
    Move.DOUBLE: "D",
    Move.SPLIT: "P",
    Move.SURRENDER: "R",
}
UP_CARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)

# Up cards from two to ace; double after a split and late surrender allowed.
SOFT_17_STOOD_ON = """
    hard 8   H H H H H H H H H H
    hard 9   H D D D D H H H H H
    hard 10  D D D D D D D D H H
    hard 11  D D D D D D D D D H
    hard 12  H H S S S H H H H H
    hard 13  S S S S S H H H H H
    hard 14  S S S S S H H H H H
    hard 15  S S S S S H H H R H
    hard 16  S S S S S H H R R R
    hard 17  S S S S S S S S S S
    soft 13  H H H D D H H H H H
    soft 14  H H H D D H H H H H
    soft 15  H H D D D H H H H H
    soft 16  H H D D D H H H H H
    soft 17  H D D D D H H H H H
    soft 18  S D D D D S S H H H
    soft 19  S S S S S S S S S S
    soft 20  S S S S S S S S S S
    pair 1   P P P P P P P P P P
    pair 2   P P P P P P H H H H
    pair 3   P P P P P P H H H H
    pair 4   H H H P P H H H H H
    pair 5   D D D D D D D D H H
    pair 6   P P P P P H H H H H
    pair 7   P P P P P P H H H H
    pair 8   P P P P P P P P P P
    pair 9   P P P P P S P P S S
    pair 10  S S S S S S S S S S
"""
SOFT_17_HIT = {
    "hard 11": "D D D D D D D D D D",
    "hard 15": "S S S S S H H H R R",
    "hard 17": "S S S S S S S S S R",
    "soft 18": "D D D D D S S H H H",
    "soft 19": "S S S S D S S S S S",
    "pair 8": "P P P P P P P P P R",
}


def chart(text: str) -> dict[str, str]:
    lines = (line.split() for line in text.strip().splitlines())
    return {" ".join(line[:2]): " ".join(line[2:]) for line in lines}


def drawn_up(analysis: Analysis) -> dict[str, str]:
    """The chart of an analysis: the best move on the average over the cards of a total."""
    sums: defaultdict[tuple[str, int], defaultdict[Move, float]]
    sums = defaultdict(lambda: defaultdict(float))
    for start in analysis.starts:
        if start.best is Move.NATURAL:
            continue
        if start.pair:
            row = f"pair {start.low}"
        elif start.low == 1:
            row = f"soft {start.high + 11}"
        else:
            row = f"hard {start.low + start.high}"
        for move, value in start.values.items():
            sums[row, start.up][move] += start.probability * start.passes * value
    rows = {row for row, _ in sums}
    return {
        row: " ".join(
            LETTERS[max(sums[row, up], key=lambda move: sums[row, up][move])] for up in UP_CARDS
        )
        for row in rows
    }


@pytest.mark.parametrize("hits_soft_17", [False, True], ids=["S17", "H17"])
def test_the_chart_is_the_one_that_is_printed_everywhere(hits_soft_17: bool) -> None:
    printed = chart(SOFT_17_STOOD_ON) | (SOFT_17_HIT if hits_soft_17 else {})
    rules = MainRules(dealer_hits_soft_17=hits_soft_17, late_surrender=True)
    found = drawn_up(analysed(rules, 6))
    assert {row: found[row] for row in printed} == printed


def test_sixteen_against_ten_is_stood_on_once_it_took_three_cards() -> None:
    """Small cards that are gone make the hit worse: the closest play of all."""
    totals = analysed(MainRules(late_surrender=True), 6).totals
    rows = {(row.soft, row.total, row.up): row for row in totals}
    sixteen = rows[False, 16, 10]
    assert sixteen.stand == pytest.approx(sixteen.hit, abs=0.01)
    assert rows[False, 12, 4].stand > rows[False, 12, 4].hit
    assert rows[True, 18, 9].hit > rows[True, 18, 9].stand


def test_one_deck_hits_ten_and_two_against_four() -> None:
    """The exception that Appendix 3a of wizardofodds.com begins with."""
    starts = {
        (start.low, start.high): start for start in analysed(MainRules(), 1).starts if start.up == 4
    }
    assert starts[2, 10].best is Move.HIT
    assert starts[3, 9].best is Move.STAND
