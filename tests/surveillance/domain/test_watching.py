"""How an alert is told: with what was set for it, for as long as its detector remembers."""

from __future__ import annotations

import pytest

from alerting.alert import AlertState
from alerting.settings import AlertsSuppressed, LevelSet, Settings, ThresholdSet
from blackjack.findings import Level
from tests.surveillance.domain.scenes import NOON, said, standing, watched
from tests.surveillance.domain.watcher import Watcher

MISPAID = "T-1 {} finds {} payout.overpaid\n"
TWO = MISPAID.format(1, "r1") + MISPAID.format(11, "r2")


def test_the_settled_round_says_what_was_owed_and_paid() -> None:
    scene = MISPAID.format(1, "r1") + "T-1 1 mispays r1 D-1 500 v2\n"
    (alert,) = watched(scene).standing()
    (proof,) = alert.evidence
    assert (proof.owed_cents, proof.paid_cents) == (10_00, 15_00)
    assert proof.first_seq <= 10 <= proof.last_seq


def test_a_level_that_was_set_is_told() -> None:
    settings = Settings((LevelSet("payout.mismatch", Level.P1, NOON),))
    assert standing(watched(TWO, settings)) == ["payout.mismatch P1 D-1"]


def test_a_suppressed_alert_is_kept_and_says_by_what() -> None:
    settings = Settings((AlertsSuppressed("s1", "payout.mismatch", NOON, table="T-1"),))
    (alert,) = watched(TWO, settings).standing()
    assert alert.suppressed_by == "s1"


@pytest.mark.parametrize(("gap_seconds", "stories"), [(9 * 60, 2), (10 * 60, 1)])
def test_how_far_apart_findings_belong_together_is_set(gap_seconds: int, stories: int) -> None:
    settings = Settings((ThresholdSet("story_gap_seconds", gap_seconds, NOON),))
    assert len(watched(TWO, settings).standing()) == stories


def test_what_is_long_over_is_forgotten_and_not_withdrawn() -> None:
    days = [MISPAID.format(day * 1440, f"r{day}") for day in range(1, 31)]
    watcher = watched("".join(days))
    assert len(watcher.standing()) == 30
    assert {each.state for each in watcher.told} == {AlertState.STANDING}
    assert _size(watcher) < _size(watched("".join(days[:12]))) * 1.3


def test_patrons_who_come_every_day_are_not_remembered_for_ever() -> None:
    def visits(days: int) -> str:
        lines = [
            f"T-1 {day * 1440} sits P-1\nT-1 {day * 1440 + 1} buys 6000 P-1\n"
            f"T-2 {day * 1440 + 60} buys 5000 P-1\nT-1 {day * 1440 + 90} plays r{day} P-1\n"
            for day in range(days)
        ]
        return "".join(lines)

    two_months, month = (Watcher().see_all(said(visits(days))) for days in (60, 30))
    assert len(two_months.standing("cash.reporting_line")) == 60
    assert _size(two_months) < _size(month) * 1.1


def test_who_was_over_a_limit_long_ago_is_forgotten_too() -> None:
    def days(number: int) -> str:
        lines = ["desk 0 limits 1\n"]
        for day in range(number):
            for each in ("a", "b"):
                lines.append(f"desk {day * 1440} issues {each}{day}\n")
                lines.append(f"T-1 {day * 1440 + 5} plays {each}{day} P-1 {each}{day} taken\n")
        return "".join(lines)

    month, week = (Watcher().see_all(said(days(number))) for number in (30, 7))
    assert len(month.standing("coupon.over_limit")) == 30
    ours = [
        [len(s) for n, s in w.states.items() if n.startswith("promotion")] for w in (month, week)
    ]
    assert max(ours[0]) < max(ours[1]) * 1.1


def _size(watcher: Watcher) -> int:
    return sum(len(each) for each in watcher.states.values())
