"""Planted against found, on findings made by hand."""

from __future__ import annotations

import pytest

from blackjack.findings import Finding, Kind
from table_simulator.days.truth_file import InvalidTruthFile, read_truth, truth_lines
from table_simulator.domain.truth import Truth, count_due, planted_vs_found


def finding(kind: Kind, *, round: str = "", seq: int = 1, table: str = "T1") -> Finding:
    name = f"{table} {round} {kind} {seq}"
    return Finding(name, kind, kind.level, table, seq, 0, "", "", round=round)


OVERPAID = Truth("overpaid", "T1", (Kind.OVERPAID,), "R-1")
GAP = Truth("sequence gap", "T1", (Kind.SEQUENCE_GAP,), first_seq=10, last_seq=12)


def test_planted_and_found_leaves_nothing_over() -> None:
    found = [finding(Kind.OVERPAID, round="R-1"), finding(Kind.SEQUENCE_GAP, seq=11)]
    verdict = planted_vs_found([OVERPAID, GAP], found)
    assert verdict.is_clean
    assert verdict.planted == verdict.found == {Kind.OVERPAID: 1, Kind.SEQUENCE_GAP: 1}


def test_planted_and_not_found_is_missed() -> None:
    verdict = planted_vs_found([OVERPAID, GAP], [finding(Kind.SEQUENCE_GAP, seq=11)])
    assert verdict.missed == ((OVERPAID, Kind.OVERPAID),)
    assert not verdict.is_clean


@pytest.mark.parametrize(
    "elsewhere",
    [
        finding(Kind.OVERPAID, round="R-2"),
        finding(Kind.OVERPAID, round="R-1", table="T2"),
        finding(Kind.PINCH, round="R-1"),
        finding(Kind.SEQUENCE_GAP, seq=13),
    ],
)
def test_findings_elsewhere_or_of_another_kind_are_surplus(elsewhere: Finding) -> None:
    assert planted_vs_found([OVERPAID, GAP], [elsewhere]).surplus == (elsewhere,)


def test_a_companion_may_be_found_and_need_not_be() -> None:
    truth = Truth(
        "aggregate ignored",
        "T1",
        (Kind.AGGREGATE,),
        "R-1",
        companions={Kind.OVERPAID: "what passes the limit was not owed"},
    )
    count_due = finding(Kind.AGGREGATE, round="R-1")
    assert planted_vs_found([truth], [count_due]).is_clean
    assert planted_vs_found([truth], [count_due, finding(Kind.OVERPAID, round="R-1")]).is_clean


def test_a_pattern_without_kinds_expects_no_finding() -> None:
    assert planted_vs_found([Truth("structuring", "T1", pattern="structuring")], []).is_clean


def test_the_truth_goes_through_its_file_unchanged() -> None:
    truths = (OVERPAID, GAP, Truth("dealer dumping", "T2", dealer="D-1", tables=("T1", "T2")))
    assert read_truth(truth_lines(truths)) == truths
    assert truth_lines([OVERPAID]) == (
        b'{"fault":"overpaid","table":"T1","kinds":["payout.overpaid"],"round":"R-1"}\n'
    )


def test_a_line_that_is_no_truth_is_named() -> None:
    with pytest.raises(InvalidTruthFile, match="line 2"):
        read_truth(truth_lines([OVERPAID]) + b'{"fault": 3}\n')


BROKEN = Truth("chain broken", "T1", (Kind.CHAIN_BROKEN,), "R-2", rejected_as="chain_broken")
GARBAGE = Truth("garbage", "T2", rejected_as="malformed")


def test_rejected_messages_are_found_in_a_log_file_and_among_the_rejections() -> None:
    truths = [OVERPAID, BROKEN, GARBAGE]
    overpaid = finding(Kind.OVERPAID, round="R-1")
    broken = finding(Kind.CHAIN_BROKEN, round="R-2")
    assert planted_vs_found(truths, [overpaid, broken]).is_clean
    rejections = [("T1", "chain_broken"), ("T2", "malformed"), ("T2", "malformed")]
    verdict = planted_vs_found(truths, [overpaid], rejections)
    assert verdict.is_clean
    assert verdict.due_rejections == verdict.rejected == {"chain_broken": 1, "malformed": 1}
    assert (count_due(truths), count_due(truths, through_gateway=True)) == (2, 3)


def test_wrongly_accepted_and_wrongly_rejected_messages_are_reported() -> None:
    verdict = planted_vs_found([BROKEN], [], [("T1", "foreign")])
    assert verdict.accepted_faults == (BROKEN,)
    assert verdict.unexpected_rejections == (("T1", "foreign"),)
    assert not verdict.is_clean
    broken = finding(Kind.CHAIN_BROKEN, round="R-2")
    assert planted_vs_found([BROKEN], [broken], [("T1", "chain_broken")]).surplus == (broken,)
