"""A pattern of shortages, per table and per dealer (WAC 230-15-495(5)(g))."""

from __future__ import annotations

import pytest

from alerting.settings import Settings, ThresholdSet
from tests.surveillance.domain.scenes import NOON, watched
from tests.surveillance.domain.watcher import Watcher

KIND = "tray.shortage_pattern"
DAY = 24 * 60
"""In minutes."""


def patterns(watcher: Watcher) -> list[str]:
    return sorted(
        f"{'dealer ' + alert.dealer if alert.dealer else 'table ' + alert.table} "
        f"{alert.evidence_count} P{alert.level.value}"
        for alert in watcher.standing(KIND)
    )


SCENES = {
    "two shortages are none": (
        f"""
        T-1 0        short s1 D-1 30
        T-1 {DAY}    short s2 D-2 30
        """,
        [],
    ),
    "three of a table, under several dealers": (
        f"""
        T-1 0          short s1 D-1 30
        T-1 {DAY}      short s2 D-2 30
        T-1 {2 * DAY}  short s3 D-3 30
        """,
        ["table T-1 3 P2"],
    ),
    "three of a dealer, at several tables": (
        f"""
        T-1 0          short s1 D-1 30
        T-2 {DAY}      short s1 D-1 30
        T-3 {2 * DAY}  short s1 D-1 30
        """,
        ["dealer D-1 3 P2"],
    ),
    "the third on the last minute of the seventh day": (
        f"""
        T-1 0              short s1 D-1 30
        T-1 {DAY}          short s2 D-2 30
        T-1 {7 * DAY - 1}  short s3 D-3 30
        """,
        ["table T-1 3 P2"],
    ),
    "the third a week later": (
        f"""
        T-1 0          short s1 D-1 30
        T-1 {DAY}      short s2 D-2 30
        T-1 {7 * DAY}  short s3 D-3 30
        """,
        [],
    ),
    "exactly the smallest amount counts": (
        """
        T-1 0  short s1 D-1 25
        T-1 1  short s2 D-2 25
        T-1 2  short s3 D-3 25
        """,
        ["table T-1 3 P2"],
    ),
    "a cent less, and what is too much, do not": (
        """
        T-1 0  short s1 D-1 25
        T-1 1  short s2 D-2 24.99
        T-1 2  short s3 D-3 25
        T-1 3  short s4 D-4 -300
        """,
        [],
    ),
    "a shortage that a late fact explains is withdrawn, of table and dealer": (
        """
        T-1 0  short s1 D-1 30
        T-1 1  short s2 D-1 30
        T-1 2  short s3 D-1 30
        T-1 3  regains s2 D-1
        """,
        [],
    ),
    "more of them make it grow": (
        """
        T-1 0  short s1 D-1 30
        T-1 1  short s2 D-1 30
        T-1 2  short s3 D-1 30
        T-1 3  short s4 D-1 300
        """,
        ["dealer D-1 4 P2", "table T-1 4 P2"],
    ),
    "the next pattern is another": (
        f"""
        T-1 0               short s1 D-1 30
        T-1 1               short s2 D-2 30
        T-1 2               short s3 D-3 30
        T-1 {8 * DAY}       short s4 D-4 30
        T-1 {8 * DAY + 1}   short s5 D-5 30
        T-1 {8 * DAY + 2}   short s6 D-6 30
        """,
        ["table T-1 3 P2", "table T-1 3 P2"],
    ),
}


@pytest.mark.parametrize("sentence", SCENES)
def test_pattern_of_shortages(sentence: str) -> None:
    scene, expected = SCENES[sentence]
    assert patterns(watched(scene)) == expected


def test_the_alert_names_the_amount_and_the_duty() -> None:
    scene = SCENES["three of a dealer, at several tables"][0]
    (alert,) = watched(scene).standing(KIND)
    assert alert.sentence == (
        "3 float shortages in 7 days, $90.00 in all: report dealer D-1 to the commission within "
        "24 hours"
    )
    assert alert.detail == "Float short at tables T-1, T-2 and T-3."
    assert (alert.cents, alert.rule) == (90_00, "WAC 230-15-495(5)(g)")


@pytest.mark.parametrize(
    ("name", "value"), [("shortage_count", 4), ("shortage_days", 2), ("shortage_cents", 30_01)]
)
def test_what_a_pattern_is_counts_from_when_it_was_set(name: str, value: int) -> None:
    scene = SCENES["three of a table, under several dealers"][0]
    since, later = NOON, NOON + 30 * DAY * 60_000_000
    assert patterns(watched(scene, Settings((ThresholdSet(name, value, since),)))) == []
    assert patterns(watched(scene, Settings((ThresholdSet(name, value, later),)))) == [
        "table T-1 3 P2"
    ]


def test_a_pattern_that_is_remembered_no_more_stands() -> None:
    scene = f"""
        T-1 0             short s1 D-1 30
        T-1 1             short s2 D-2 30
        T-1 2             short s3 D-3 30
        T-1 {200 * DAY}   short s4 D-4 30
        T-1 {201 * DAY}   short s5 D-5 30
    """
    assert patterns(watched(scene)) == ["table T-1 3 P2"]
