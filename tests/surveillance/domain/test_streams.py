"""Statistics as alerts: with their e-value and bound, and told seldom."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest

from alerting.alert import ADVANTAGE, AlertState
from surveillance.domain.sightings import StatisticsEntry, SubjectSighting
from surveillance.domain.statistics.evidence import Entry, StreamEvidence, StreamKind, Ticket
from tests.surveillance.domain.watcher import Watcher, placed_sightings


def entry(
    number: int, value: float, *, kind: StreamKind = StreamKind.LUCK, version: int = 1
) -> Entry:
    """A round in which a fair ticket brought back so many units."""
    evidence = StreamEvidence(kind, "main", ((Ticket(value),),), observed=5.0, expected=1.0)
    return Entry(number * 60_000_000, "T-1", f"r{number}", version, (evidence,))


def watched(subject: str, entries: Iterable[Entry]) -> Watcher:
    seen = [SubjectSighting(subject, StatisticsEntry(each)) for each in entries]
    return Watcher().see_all(placed_sightings("settled-rounds/0", seen))


def test_what_chance_explains_is_not_told() -> None:
    fair = [entry(number, 1.5 if number % 2 else 0.5) for number in range(1, 200)]
    assert watched("patron:P-1", fair).told == []


def test_luck_beyond_chance_states_its_e_value_and_its_bound() -> None:
    (alert,) = watched("patron:P-1", [entry(each, 30.0) for each in range(1, 10)]).standing()
    assert (alert.kind, alert.patron, alert.level.name) == ("luck.beyond_chance", "P-1", "P3")
    assert alert.statistics is not None
    assert alert.statistics.e_value >= 10_000
    assert alert.statistics.false_alarm_bound == pytest.approx(1 / alert.statistics.e_value)
    assert alert.statistics.false_alarm_bound <= 1e-4


def test_it_is_told_again_only_when_a_power_of_ten_is_passed() -> None:
    slowly = [entry(each, 1.2) for each in range(1, 400)]
    watcher = watched("patron:P-1", slowly)
    (alert,) = watcher.standing()
    assert alert.revision == len(watcher.told) == alert.evidence_count
    values = [each.statistics.e_value for each in watcher.told if each.statistics is not None]
    assert all(later / earlier > 9 for earlier, later in itertools.pairwise(values))
    assert len(values) < 20


def test_rounds_that_were_judged_anew_take_the_alert_back() -> None:
    lucky = [entry(each, 30.0) for each in range(1, 10)]
    corrected = [entry(each, 1.0, version=2) for each in range(1, 10)]
    (alert,) = watched("patron:P-1", [*lucky, *corrected]).alerts.values()
    assert alert.state is AlertState.WITHDRAWN


@pytest.mark.parametrize(
    ("subject", "kind", "alert_kind", "label"),
    [
        ("table:T-1", StreamKind.LUCK, "luck.beyond_chance", ""),
        ("shoe:T-1/s1", StreamKind.LUCK, "luck.beyond_chance", ""),
        ("pair:D-1/P-1", StreamKind.LUCK, "dealer.dumping", ""),
        ("pair:D-1/P-1", StreamKind.TRANSFERS, "dealer.dumping", ""),
        ("patron:P-1", StreamKind.HOLE_CARD, "play.hole_card", ADVANTAGE),
    ],
)
def test_every_question_has_its_kind_and_skill_is_called_advantage(
    subject: str, kind: StreamKind, alert_kind: str, label: str
) -> None:
    rich = [entry(each, 50.0, kind=kind) for each in range(1, 12)]
    (alert,) = watched(subject, rich).standing()
    assert (alert.kind, alert.label) == (alert_kind, label)
    assert (alert.dealer == "D-1") == ("D-1" in subject)
    assert (alert.patron == "P-1") == ("P-1" in subject)
    assert (alert.table == "T-1") == ("T-1" in subject)
