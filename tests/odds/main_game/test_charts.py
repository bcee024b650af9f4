"""Facts that every basic strategy chart shows, for six decks."""

import pytest

from odds.main_game import UP_CARDS, Advice, MainRules, Move, Start, StrategyChart
from tests.odds.main_game.analysed import analysed

SYMBOLS = {
    Move.STAND: "S",
    Move.HIT: "H",
    Move.DOUBLE: "D",
    Move.SPLIT: "P",
    Move.SURRENDER: "R",
}

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


def typed(text: str) -> dict[str, str]:
    lines = (line.split() for line in text.strip().splitlines())
    return {" ".join(line[:2]): " ".join(line[2:]) for line in lines}


def symbols(chart: StrategyChart) -> dict[str, str]:
    """The best moves of a chart, by part and number of a row."""
    return {
        f"{part} {row.number}": " ".join(
            SYMBOLS[advice.best] if advice else "-" for advice in row.advice
        )
        for part, rows in (("hard", chart.hard), ("soft", chart.soft), ("pair", chart.pairs))
        for row in rows
    }


@pytest.mark.parametrize("hits_soft_17", [False, True], ids=["S17", "H17"])
def test_the_chart_is_the_one_that_is_printed_everywhere(hits_soft_17: bool) -> None:
    printed = typed(SOFT_17_STOOD_ON) | (SOFT_17_HIT if hits_soft_17 else {})
    rules = MainRules(dealer_hits_soft_17=hits_soft_17, late_surrender=True)
    found = symbols(StrategyChart.of(analysed(rules, 6).starts))
    assert {row: found[row] for row in printed} == printed


def test_a_chart_shows_the_move_where_its_move_is_not_allowed() -> None:
    chart = StrategyChart.of(analysed(MainRules(late_surrender=True), 6).starts)
    soft_18 = next(row for row in chart.soft if row.number == 18)
    hard_16 = next(row for row in chart.hard if row.number == 16)
    against_three, against_ten = UP_CARDS.index(3), UP_CARDS.index(10)
    assert soft_18.advice[against_three] == Advice(best=Move.DOUBLE, otherwise=Move.STAND)
    assert hard_16.advice[against_ten] == Advice(best=Move.SURRENDER, otherwise=Move.HIT)


def test_a_part_of_a_chart_that_cannot_come_is_empty() -> None:
    start = Start(2, 10, 4, False, 0.1, 1.0, Move.STAND, -0.1, -0.2)
    chart = StrategyChart.of([start])
    (row,) = chart.hard
    assert [advice is None for advice in row.advice] == [up != 4 for up in UP_CARDS]
    assert (chart.soft, chart.exceptions) == ((), ())
    assert not any(any(pair.advice) for pair in chart.pairs)


def test_sixteen_against_ten_is_stood_on_once_it_took_three_cards() -> None:
    """Small cards that are gone make the hit worse: the closest play of all."""
    totals = analysed(MainRules(late_surrender=True), 6).totals
    rows = {(row.soft, row.total, row.up): row for row in totals}
    sixteen = rows[False, 16, 10]
    assert 0 < sixteen.stand - sixteen.hit < 0.01
    assert rows[False, 12, 4].stand > rows[False, 12, 4].hit
    assert rows[True, 18, 9].hit > rows[True, 18, 9].stand


def test_one_deck_hits_ten_and_two_against_four() -> None:
    """The exception that Appendix 3a of wizardofodds.com begins with."""
    chart = StrategyChart.of(analysed(MainRules(), 1).starts)
    twelve = next(row for row in chart.hard if row.number == 12)
    advised = twelve.advice[UP_CARDS.index(4)]
    assert advised is not None
    assert advised.best is Move.STAND
    against_four = {
        (exception.start.low, exception.start.high): exception
        for exception in chart.exceptions
        if exception.start.up == 4 and exception.by_total == advised
    }
    assert against_four.keys() == {(2, 10)}
    assert against_four[2, 10].by_cards.best is Move.HIT
    assert against_four[2, 10].gain == pytest.approx(0.0178834431)
