"""What surveillance told, held against what was planted."""

from __future__ import annotations

import io

from alerting.alert import Alert, AlertState, Evidence
from blackjack.findings import Kind, Level
from deploy.demo.runs import OF_PEOPLE, OF_THE_BOOKS
from deploy.demo.watched import ALERTS_OF_PATTERNS, hold_alerts_against, print_watched
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


def test_every_pattern_that_is_planted_is_due_to_be_told() -> None:
    assert {*OF_THE_BOOKS, *OF_PEOPLE} <= set(ALERTS_OF_PATTERNS)


def test_an_alert_answers_for_the_round_that_proves_it_and_for_no_other() -> None:
    assert hold_alerts_against([OVERPAID], [story("R-1")]).is_clean
    assert hold_alerts_against([OVERPAID], [story("R-2")]).missed == [("payout.mismatch", OVERPAID)]


def test_a_coupon_answers_for_itself_and_for_no_other() -> None:
    assert hold_alerts_against([UNKNOWN], [alert("coupon.unknown", coupon="c7")]).is_clean
    assert not hold_alerts_against([UNKNOWN], [alert("coupon.unknown", coupon="c8")]).is_clean


def test_what_was_not_told_is_named_and_what_chance_decides_is_only_reported() -> None:
    printed = io.StringIO()
    watched = hold_alerts_against([OVERPAID, UNKNOWN], [story("R-1"), alert("luck.beyond_chance")])
    print_watched(Page(printed, columns=100), watched)
    text = printed.getvalue()
    assert "2 things to tell of, told of 1" in text
    assert "mismatch 1/1" in text
    assert "luck.beyond_chance 1" in text
    assert "not told: coupon.unknown of 'coupon unknown' at T1" in text
