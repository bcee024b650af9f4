"""What a person should look at: signers, differences, gaps."""

from __future__ import annotations

from accounting.domain.checks import (
    ExplainedRange,
    commission_remarks,
    gaps,
    numbered,
    opener_remarks,
    signers_remarks,
    verifier_remarks,
)


def test_complete_and_distinct_signers_have_no_remark() -> None:
    assert list(signers_remarks(["A", "B", "C", "D"], 4)) == []
    assert list(signers_remarks([], 2)) == ["0 of 2 signatures"]
    assert list(signers_remarks(["A", ""], 2)) == ["1 of 2 signatures"]


def test_a_verifier_is_none_of_the_count_team() -> None:
    assert list(verifier_remarks("V", ["A"])) == []
    assert list(verifier_remarks("", ["A"])) == ["Recount without a verifier's signature"]


def test_the_line_of_the_commission_is_200_dollars() -> None:
    assert list(commission_remarks(199_99)) == []
    assert len(list(commission_remarks(-200_00))) == 1
    assert list(opener_remarks(opener=1, closer=None, has_error_slip=False)) == []
    assert list(opener_remarks(opener=1, closer=1, has_error_slip=False)) == []
    assert len(list(opener_remarks(opener=100, closer=1, has_error_slip=True))) == 1


def test_gaps_are_looked_for_from_the_last_number_before() -> None:
    assert list(gaps(["F-3"], [], [], [])) == []
    assert list(gaps(["F-3", "F-4"], ["F-2"], [], [])) == []
    assert list(gaps(["F-0009", "G-1"], ["F-0005", "G-7"], ["F-0006"], [])) == [
        ("F-0007", "F-0008")
    ]
    assert list(gaps(["F-9"], ["F-1"], [], [ExplainedRange("F-", 2, 8)])) == []
    assert list(gaps(["F-9"], ["F-1"], [], [ExplainedRange("G-", 2, 8)])) == [("F-2", "F-8")]


def test_a_slip_without_a_number_is_of_no_series() -> None:
    assert numbered("torn") is None
    assert list(gaps(["torn", "F-1"], ["lost"], [], [])) == []
