"""Cash and debit sales with no patron on record (31 CFR 1021.311, WAC 230-15-506)."""

from __future__ import annotations

from pathlib import Path

import pytest

from alerting.settings import Settings, ThresholdSet
from blackjack.findings import Level
from blackjack.hand_history import parse
from blackjack.play.table import Table, fold
from surveillance.domain.facts import RoutableFact
from tests.surveillance.domain.scenes import NOON, standing, watched
from tests.surveillance.domain.watcher import Watcher, placed

ROUNDS = Path(__file__).parents[2] / "rounds"

SCENES = {
    "one cash-in over the line": ("T-1 0 takes 10001 3", ["cash.no_patron P1 T-1"]),
    "exactly the line is a line of the log only": ("T-1 0 takes 10000 3", []),
    "one over the line at a seat nobody noted": ("T-1 0 takes 10001 0", ["cash.no_patron P1 T-1"]),
    "each one over the line by itself": (
        """
        T-1  0  takes 15000 3
        T-1  9  takes 15000 3
        """,
        ["cash.no_patron P1 T-1", "cash.no_patron P1 T-1"],
    ),
    "one cash-out over the line at the cage": (
        "cage 0 pays 10001",
        ["cash.no_patron P1 "],
    ),
    "exactly the line at the cage": ("cage 0 pays 10000", []),
    "strangers at the cage are not added up": (
        """
        cage  0  pays 9000
        cage  9  pays 9000
        """,
        [],
    ),
    "cash-outs to one seat are added up": (
        """
        cage  0  pays 5000 T-1 3
        cage  9  pays 5001 T-1 3
        """,
        ["cash.no_patron P1 T-1"],
    ),
    "cash-ins at one seat pass the line together": (
        """
        T-1   0  takes 6000 3
        T-1  30  takes 4001 3
        """,
        ["cash.no_patron P1 T-1"],
    ),
    "cash-ins at one seat reach the line and do not pass it": (
        """
        T-1   0  takes 6000 3
        T-1  30  takes 4000 3
        """,
        [],
    ),
    "structuring at one seat": (
        """
        T-1   0  takes 2900 3
        T-1  30  takes 2900 3
        T-1  60  takes 2200 3
        """,
        ["cash.no_patron P2 T-1"],
    ),
    "a dollar less than near": (
        """
        T-1   0  takes 2900 3
        T-1  30  takes 2900 3
        T-1  60  takes 2199 3
        """,
        [],
    ),
    "purchases of $3,000 are not small": (
        """
        T-1   0  takes 3000 3
        T-1  30  takes 3000 3
        T-1  60  takes 3000 3
        """,
        [],
    ),
    "small ones at another seat, or another table, are another's": (
        """
        T-1   0  takes 2900 3
        T-1  30  takes 2900 4
        T-2  60  takes 2900 3
        """,
        [],
    ),
    "small ones beside one over the line": (
        """
        T-1   0  takes 10001 3
        T-1  30  takes 2900 3
        T-1  60  takes 2900 3
        T-1  90  takes 2900 3
        """,
        ["cash.no_patron P1 T-1", "cash.no_patron P2 T-1"],
    ),
    "where no seat was noted, sums are for a person to judge": (
        """
        T-1   0  takes 6000 0
        T-1  30  takes 6000 0
        """,
        ["cash.no_patron P2 T-1"],
    ),
    "the next gaming day is another": (
        """
        T-1     0  takes 6000 3
        T-1  1450  takes 6000 3
        """,
        [],
    ),
    "cash in and cash out are not added up": (
        """
        T-1    0  takes 6000 3
        cage  60  pays 6000 T-1 3
        """,
        [],
    ),
    "a patron on record is not unnamed": (
        "T-1 0 buys 10001 P-1",
        ["cash.reporting_line P1 P-1"],
    ),
}


@pytest.mark.parametrize("sentence", SCENES)
def test_cash_without_identity(sentence: str) -> None:
    scene, expected = SCENES[sentence]
    assert standing(watched(scene)) == expected


def test_the_alert_describes_what_staff_noted() -> None:
    (alert,) = watched("T-1 0 takes 15000 3").standing()
    assert alert.sentence == (
        "$15,000.00 cash in with no patron on record at table T-1, seat 3: identify the patron"
    )
    assert alert.detail == ("A currency transaction report is due. Gaming day 20514. Note: red cap")
    assert (alert.table, alert.seat, alert.patron, alert.cents) == ("T-1", 3, "", 15_000_00)
    assert alert.evidence[0].words == "$15,000.00 cash in, note: red cap"


def test_the_line_of_the_day_counts() -> None:
    lower = ThresholdSet("cash_line_cents", 5_000_00, NOON)
    later = ThresholdSet("cash_line_cents", 5_000_00, NOON + 3_600_000_000)
    scene = "T-1 0 takes 6000 3\ncage 0 pays 6000"
    assert len(watched(scene, Settings((lower,))).standing("cash.no_patron")) == 2
    assert standing(watched(scene, Settings((later,)))) == []


def watched_history(name: str) -> Watcher:
    """A golden round through settlement and surveillance."""
    events = parse((ROUNDS / name).read_text("utf-8")).events
    table = events[0].table
    _, steps = fold(Table.new(table), events)
    findings: list[RoutableFact] = []
    for step in steps:
        findings += (*step.findings, *step.withdrawals)
    watcher = Watcher()
    watcher.see_all(placed(f"table-events/{table}", events))
    watcher.see_all(placed(f"findings/{table}", findings))
    return watcher


def test_anonymous_cash_in_over_the_line_is_an_urgent_alert() -> None:
    (alert,) = watched_history("double_action_iii-anonymous_cash.bj").standing()
    assert (alert.kind, alert.level, alert.cents) == ("cash.no_patron", Level.P1, 15_000_00)
    assert alert.rule == "31 CFR 1021.311"


def test_anonymous_debit_sales_are_told_one_by_one() -> None:
    (alert,) = watched_history("double_action_iii-anonymous_debit_sales.bj").standing()
    assert (alert.kind, alert.level) == ("cash.debit_no_patron", Level.P2)
    assert len({proof.finding_id for proof in alert.evidence}) == 7
    assert alert.rule == "WAC 230-15-506"
