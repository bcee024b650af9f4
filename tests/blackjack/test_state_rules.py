"""The State's rules by the date of play."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from blackjack.money import THREE_TO_TWO, Odds
from blackjack.rulebook import state_rules
from blackjack.rulebook.state_rules import (
    AGGREGATE_FROM_US,
    AGGREGATE_RULE,
    AGGREGATE_RULE_BEFORE,
    WAGER_CENTS_MAX,
    WAGER_LIMITS,
    aggregate_cents_min,
    aggregate_rule,
    may_have_aggregate,
    wager_cents_max,
)

PACIFIC = timezone(timedelta(hours=-7))  # daylight time, which both dates fall in


def us(year: int, month: int, day: int, hour: int = 0) -> int:
    """A Pacific wall-clock hour as microseconds since 1970."""
    return int(datetime(year, month, day, hour, tzinfo=PACIFIC).timestamp()) * 1_000_000


class TestWagerMaximum:
    """WAC 230-15-140."""

    def test_the_new_maximum_holds_from_midnight_pacific_time(self) -> None:
        boundary = us(2023, 9, 25)
        assert WAGER_LIMITS[1].from_us == boundary
        assert wager_cents_max(boundary - 1) == 30_000
        assert wager_cents_max(boundary) == 40_000

    @pytest.mark.parametrize(
        ("at_us", "cents"),
        [
            (us(2009, 1, 1), 30_000),
            (us(2023, 9, 24, hour=23), 30_000),
            (us(2023, 9, 25, hour=1), 40_000),
            (us(2035, 1, 1), 40_000),
            (0, 30_000),
            (-1, 30_000),
        ],
    )
    def test_a_wager_is_measured_by_the_day_it_was_made(self, at_us: int, cents: int) -> None:
        assert wager_cents_max(at_us) == cents

    def test_a_rule_set_of_today_is_measured_by_the_newest_maximum(self) -> None:
        assert WAGER_CENTS_MAX == 40_000

    def test_limits_are_listed_oldest_first(self) -> None:
        dates = [limit.from_us for limit in WAGER_LIMITS]
        assert dates == sorted(set(dates))


class TestAggregateLimit:
    """WAC 230-15-490."""

    def test_the_rule_has_its_form_since_june_2021(self) -> None:
        assert us(2021, 6, 14) == AGGREGATE_FROM_US
        assert aggregate_rule(AGGREGATE_FROM_US) == AGGREGATE_RULE
        assert aggregate_rule(AGGREGATE_FROM_US - 1) == AGGREGATE_RULE_BEFORE

    @pytest.mark.parametrize(
        ("top", "may"),
        [(Odds(49), False), (Odds(50), True), (Odds(1000), True), (Odds(99, 2), False)],
    )
    def test_it_is_for_odds_of_fifty_to_one_and_more(self, top: Odds, may: bool) -> None:
        assert may_have_aggregate(top) is may

    @pytest.mark.parametrize(
        ("top", "cents"),
        [
            (Odds(1000), 500_000),
            (Odds(50), 500_000),
            (Odds(40), 400_000),
            (THREE_TO_TWO, 15_000),
        ],
    )
    def test_it_is_at_least_the_largest_wager_at_its_odds_but_no_more_than_fifty(
        self, top: Odds, cents: int
    ) -> None:
        assert aggregate_cents_min(wager_cents_max=10_000, top=top) == cents

    def test_a_part_of_a_cent_counts_as_a_cent(self) -> None:
        assert aggregate_cents_min(wager_cents_max=101, top=THREE_TO_TWO) == 152


def test_the_lines_are_those_of_the_rules() -> None:
    assert state_rules.SPOTS_MAX == 9
    assert state_rules.BIG_WIN_CENTS == 300_000
    assert (state_rules.DEBIT_SALE_CENTS_MAX, state_rules.DEBIT_PATRON_CENTS_MAX) == (
        50_000,
        250_000,
    )
    assert state_rules.DEBIT_WINDOW_US == 86_400_000_000
    assert state_rules.TRAY_VARIANCE_CENTS == 20_000
    assert state_rules.TRAY_VARIANCE_CENTS_SMALL == 2_500
    assert state_rules.CLOCK_SKEW_US_MAX == 500_000


def test_tickets_are_legal_from_midnight_pacific_time() -> None:
    assert us(2023, 10, 23) == state_rules.TICKETS_FROM_US


def test_every_rule_of_the_state_is_cited_by_its_number() -> None:
    ours = {"CLOCK_RULE"}
    cited = {
        value
        for name, value in vars(state_rules).items()
        if name.endswith("_RULE") and name not in ours
    }
    assert len(cited) > 10
    assert all(value.startswith("WAC 230-15-") for value in cited)
