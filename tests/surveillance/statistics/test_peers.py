"""Who differs from peers: the law of it by enumeration, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import exp, prod
from random import Random

import pytest

from alerting.alert import AlertState
from alerting.settings import Settings, ThresholdSet
from surveillance.domain.sightings import PeerCounts, SourcedSighting, SubjectSighting
from surveillance.domain.statistics import StreamKind
from surveillance.domain.statistics.peers import (
    ODDS_RATIOS,
    Dealt,
    Usual,
    against_peers,
    against_rate,
    compared,
)
from tests.surveillance.domain.watcher import Watcher, placed_sightings

MINUTE = 60_000_000
USUAL = Usual(errors=0.125, coupons=0.25, peers=2)
SUBJECT = "peers:half_back"


def dealt(minute: float, dealer: str, wrong: int = 0, *, of: int = 6, version: int = 1) -> Dealt:
    """A round at the dealer's own table."""
    return Dealt(
        int(minute * MINUTE), f"T-{dealer}", f"r{minute:g}", version, dealer, of, wrong, of, 0
    )


@pytest.mark.parametrize(
    ("own", "others", "happened"), [(1, 1, 1), (2, 3, 2), (3, 4, 5), (4, 2, 6)]
)
def test_of_all_ways_in_which_errors_can_fall_the_average_is_exactly_one(
    own: int, others: int, happened: int
) -> None:
    """Whatever the rate is: only where they fell is judged, given how many there were."""
    ways = [
        sum(each < own for each in chosen) for chosen in combinations(range(own + others), happened)
    ]
    for place in range(len(ODDS_RATIOS)):
        values = [exp(against_peers(each, own, happened, own + others)[place]) for each in ways]
        assert sum(values) / len(values) == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.125, 0.05])
def test_where_peers_are_too_few_whoever_keeps_to_the_set_rate_wins_nothing(rate: float) -> None:
    for place in range(len(ODDS_RATIOS)):
        average = 0.0
        for wrong in product((False, True), repeat=4):
            chance = prod(rate if each else 1 - rate for each in wrong)
            average += chance * exp(against_rate(sum(wrong), 4, 0.125)[place])
        assert average == pytest.approx(1) if rate == 0.125 else average < 1


def test_peers_are_those_who_deal_in_the_same_minutes_and_one_is_not_enough() -> None:
    two = {each.stream: each for each in compared([dealt(0, "A", 1), dealt(1, "B")], USUAL)}
    assert two["errors/dealer:A"].evidence.expected == 6 * 0.125
    three = [dealt(0, "A", 1), dealt(1, "B", 1), dealt(1, "C")]
    found = {each.stream: each for each in compared(three, USUAL)}
    assert found["errors/dealer:A"].evidence.expected == 6 * 1 / 12
    assert [each[0].value for each in found["errors/dealer:A"].evidence.angles] == pytest.approx(
        [exp(each) for each in against_peers(1, 6, 2, 18)]
    )
    assert set(found) == {
        f"{kind}/{who}"
        for kind, whose in (("errors", ["dealer"]), ("coupons", ["dealer", "table"]))
        for each in ("A", "B", "C")
        for who in (f"{one}:{'T-' if one == 'table' else ''}{each}" for one in whose)
    }


def test_the_highest_version_of_a_round_counts_and_a_dealer_who_is_not_known_is_nobody() -> None:
    rounds = [
        dealt(0, "A", 3),
        dealt(0, "A", 0, version=2),
        dealt(1, "B"),
        dealt(1, "C"),
        dealt(2, "", 2),
    ]
    found = {each.stream: each for each in compared(rounds, USUAL)}
    assert found["errors/dealer:A"].evidence.observed == 0
    assert "errors/dealer:" not in found
    assert found["errors/dealer:A"].evidence.expected == 6 * 2 / 18


def floor(hours: float, wrong: dict[str, float], seed: int = 1) -> Iterator[Dealt]:
    """Six who deal a round a minute, each wrong with a chance of their own."""
    chance = Random(seed)
    for minute in range(int(hours * 60)):
        for dealer in "ABCDEF":
            rate = wrong.get(dealer, wrong[""])
            yield dealt(minute, dealer, sum(chance.random() < rate for _ in range(6)))


def watched(rounds: list[Dealt], settings: Settings | None = None) -> Watcher:
    seen = [SubjectSighting(SUBJECT, PeerCounts(each)) for each in rounds]
    return Watcher(settings or Settings()).see_all(placed_sightings("settled-rounds/0", seen))


def test_who_errs_more_than_peers_is_told_by_name_and_nobody_else() -> None:
    (alert,) = watched(list(floor(4, {"": 0.004, "B": 0.04}))).standing()
    assert (alert.kind, alert.dealer, alert.table) == ("dealer.error_rate", "B", "")
    assert alert.statistics is not None
    assert alert.statistics.e_value >= 100
    assert alert.sentence.startswith("Dealer errors: ")
    assert " by dealer B in " in alert.sentence
    assert "Others who deal Half Back Blackjack: " in alert.detail
    assert {(each.table, each.dealer) for each in alert.evidence} == {("T-B", "B")}


def test_a_bad_day_of_everybody_is_nobodys_alarm_though_it_is_far_from_what_was_set() -> None:
    assert watched(list(floor(4, {"": 0.05}))).told == []


def test_a_house_says_how_many_peers_are_enough() -> None:
    settings = Settings((ThresholdSet("peers_count", 6, 0),))
    alerts = watched(list(floor(4, {"": 0.05})), settings).standing()
    assert {each.dealer for each in alerts} == set("ABCDEF")


def test_rounds_may_come_late_and_in_any_order_within_the_window() -> None:
    rounds = list(floor(1.5, {"": 0.01, "B": 0.1}))
    corrected = [
        dealt(each.opened_at / MINUTE, "B", 0, version=2) for each in rounds[:100] if each.wrong
    ]
    one = watched([*rounds, *corrected, *floor_end()])
    shuffled = [*rounds, *corrected]
    Random(5).shuffle(shuffled)
    # What is shuffled spans less than the window, so that all of it finds its place.
    other = watched([*shuffled, *floor_end()])
    assert [each.id for each in one.standing()] == [each.id for each in other.standing()] != []
    assert [each.statistics for each in one.standing()] == [
        each.statistics for each in other.standing()
    ]


def floor_end() -> list[Dealt]:
    return [dealt(110, each) for each in "ABC"]


def test_a_block_that_is_judged_anew_takes_the_alert_back() -> None:
    rounds = list(floor(1, {"": 0.0, "B": 0.3}))
    corrected = [dealt(each.opened_at / MINUTE, "B", 0, version=2) for each in rounds if each.wrong]
    (alert,) = watched([*rounds, *floor_end(), *corrected]).alerts.values()
    assert (alert.kind, alert.state) == ("dealer.error_rate", AlertState.WITHDRAWN)


def test_what_comes_when_its_block_has_left_the_window_is_not_taken() -> None:
    rounds = [*floor(3, {"": 0.01})]
    late = [dealt(1.5, "B", 6)] * 20
    assert watched([*rounds, *late]).told == watched(rounds).told


def test_a_table_with_more_coupons_than_others_is_told_as_such() -> None:
    chance = Random(3)
    rounds = [
        Dealt(minute * MINUTE, table, f"r{minute}", 1, f"D-{minute // 20}-{table}", 6, 0, 6, with_)
        for minute in range(120)
        for table in ("T-1", "T-2", "T-3", "T-4")
        for share in (0.45 if table == "T-3" else 0.15,)
        for with_ in (sum(chance.random() < share for _ in range(6)),)
    ]
    alerts = watched(rounds).standing("coupon.substitution")
    assert [each.table for each in alerts if each.table] == ["T-3"]
    assert all(each.dealer.endswith("T-3") for each in alerts if each.dealer)
    assert {each.level.name for each in alerts} == {"P2"}


def test_sightings_of_peers_are_placed_like_all_others() -> None:
    placed = SourcedSighting(
        "settled-rounds/0", 0, 0, SubjectSighting(SUBJECT, PeerCounts(dealt(0, "A")))
    )
    assert Watcher().see_all([placed, placed]).told == []
    assert StreamKind.ERRORS.value == "errors"
