"""The headline of a finding leads with the point; arithmetic and clause have their own fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackjack.findings import Finding, Kind
from blackjack.hand_history import parse
from blackjack.play.table import Table, fold

ROUNDS = sorted((Path(__file__).parents[1] / "rounds").glob("*.bj"))
CODE = re.compile(r"[a-z]+_[a-z0-9_]+")
"""A code such as match_me_2; ids of patrons and dealers have no small letters before a `_`."""


def findings_of(path: Path) -> list[Finding]:
    events = parse(path.read_text("utf-8")).events
    return [
        finding
        for name in dict.fromkeys(event.table for event in events)
        for step in fold(Table.new(name), [event for event in events if event.table == name])[1]
        for finding in step.findings
    ]


FINDINGS = [finding for path in ROUNDS for finding in findings_of(path)]


def test_the_golden_rounds_show_most_kinds_of_findings() -> None:
    assert len({finding.kind for finding in FINDINGS}) > 30


@pytest.mark.parametrize("kind", sorted({finding.kind for finding in FINDINGS}))
def test_headlines_are_short_sentences_with_names_for_people(kind: Kind) -> None:
    for finding in FINDINGS:
        if finding.kind is kind:
            assert finding.text[0].isupper() or not finding.text[0].isalpha(), finding.text
            assert len(finding.text) <= 120, finding.text
            assert not CODE.search(finding.text), finding.text
            # The problems of a definition name its fields.
            assert kind is Kind.UNAPPROVED_RULES or not CODE.search(finding.detail), finding.detail


def test_a_mispay_states_the_amount_and_keeps_the_arithmetic_in_detail() -> None:
    dispute = Path(__file__).parents[2] / "docs" / "hands" / "dispute.bj"
    (underpaid,) = [finding for finding in findings_of(dispute) if finding.kind is Kind.UNDERPAID]
    assert underpaid.text == (
        "Underpaid $15.00: seat 2 was owed $75.00 for a natural and was paid $60.00"
    )
    assert underpaid.detail == "natural, 3 to 2 on $50.00 = $75.00; paid $60.00, collected $0.00"
