"""Alerts of surveillance, compared with the planted faults."""

from __future__ import annotations

import io

from alerting.alert import Alert, AlertState, Evidence
from blackjack.findings import Kind, Level
from deploy.demo.runs import BOOK_PATTERNS, PEOPLE_PATTERNS
from deploy.demo.watched import ALERTS_OF_PATTERNS, compare_alerts, print_alerts
from pitctl.output.text import Page
from table_simulator.domain.truth import Truth

OVERPAID = Truth("overpaid", "T1", (Kind.OVERPAID,), "R-1")
UNKNOWN = Truth("coupon unknown", "T1", pattern="coupon unknown", wager="c7")


def alert(kind: str, *evidence: Evidence, coupon: str = "") -> Alert:
    return Alert(
        id=kind,
        revision=1,
        state=AlertState.STANDING,
        kind=kind,
        level=Level.P2,
        sentence="so it is",
        rule="",
        raised_at=1,
        changed_at=1,
        table="T1",
        coupon=coupon,
        evidence=evidence,
    )


def story(round: str) -> Alert:
    proof = Evidence(at=1, words="", table="T1", round=round, kind=Kind.OVERPAID.value)
    return alert("payout.mismatch", proof)


def test_every_planted_pattern_has_an_alert() -> None:
    assert {*BOOK_PATTERNS, *PEOPLE_PATTERNS} <= set(ALERTS_OF_PATTERNS)


def test_an_alert_answers_for_the_round_that_proves_it_and_for_no_other() -> None:
    assert compare_alerts([OVERPAID], [story("R-1")]).is_clean
    assert compare_alerts([OVERPAID], [story("R-2")]).missed == [("payout.mismatch", OVERPAID)]


def test_a_coupon_answers_for_itself_and_for_no_other() -> None:
    assert compare_alerts([UNKNOWN], [alert("coupon.unknown", coupon="c7")]).is_clean
    assert not compare_alerts([UNKNOWN], [alert("coupon.unknown", coupon="c8")]).is_clean


def test_missing_alerts_are_named_and_alerts_of_statistics_are_only_reported() -> None:
    printed = io.StringIO()
    watched = compare_alerts([OVERPAID, UNKNOWN], [story("R-1"), alert("luck.beyond_chance")])
    print_alerts(Page(printed, columns=100), watched)
    text = printed.getvalue()
    assert "raised 1 of 2 planted alerts" in text
    assert "mismatch 1/1" in text
    assert "luck.beyond_chance 1" in text
    assert "missing: coupon.unknown for 'coupon unknown' at T1" in text
