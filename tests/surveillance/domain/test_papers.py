"""Slips, signers, boxes, repeated payouts and refusals."""

from __future__ import annotations

import pytest

from surveillance.domain.detectors.rejections import ADVICE
from table_gateway.domain.stream import RejectionCode
from tests.surveillance.domain.headlines import problems
from tests.surveillance.domain.scenes import standing, watched

SCENES = {
    "a series without gaps, each slip with both halves": (
        """
        cage  0  fill F-1 a b c d
        T-1   4  fill F-1 a b c d
        cage 20  fill F-2 a b c d
        T-1  24  fill F-2 a b c d
        """,
        [],
    ),
    "a number that nobody used": (
        """
        T-1   4  fill F-1 a b c d
        T-1  24  fill F-3 a b c d
        """,
        ["slip.gap P2 T-1"],
    ),
    "a series begins at one": (
        """
        T-1  4  fill F-2 a b c d
        """,
        ["slip.gap P2 T-1"],
    ),
    "unless it was begun elsewhere": (
        """
        T-1   4  fill F-120 a b c d
        T-1  14  fill F-121 a b c d
        """,
        [],
    ),
    "a number that was voided, or explained, is not missing": (
        """
        T-1   4  fill F-1 a b c d
        T-1  24  fill F-5 a b c d
        cage 30  voids F-2
        cage 31  explains F- 3 4
        """,
        [],
    ),
    "what is left of a gap stays": (
        """
        T-1   4  fill F-1 a b c d
        T-1  24  fill F-5 a b c d
        cage 31  explains F- 3 4
        """,
        ["slip.gap P2 T-1"],
    ),
    "a fill that three sign": (
        """
        cage  0  fill F-1 a b c
        T-1   4  fill F-1 a b c
        """,
        ["slip.signers P2 T-1"],
    ),
    "the cage's half, which one person signed twice": (
        """
        cage  0  fill F-1 a b c c
        T-1   4  fill F-1 a b c d
        """,
        ["slip.signers P2 T-1"],
    ),
    "a name that is repeated at the table is a finding already": (
        """
        T-1  4  fill F-1 a b c c
        """,
        [],
    ),
    "a box that only one takes": (
        """
        T-1  4  box B-1 a
        """,
        ["slip.signers P2 T-1"],
    ),
    "a box that holds what was sold": (
        """
        T-1   0  buys 500 P-1
        T-1   1  buys 300 P-1 debit
        T-1   2  buys 200 P-1 ticket
        T-1   3  buys 400 P-1 check
        T-1   4  is_issued_ticket 250 P-1
        T-1   9  box B-1 a b
        cage 50  counts B-1 500
        """,
        [],
    ),
    "a box that is short by a little": (
        """
        T-1   0  buys 500 P-1
        T-1   9  box B-1 a b
        cage 50  counts B-1 450
        """,
        ["box.variance P3 T-1"],
    ),
    "a box that is short by much": (
        """
        T-1   0  buys 500 P-1
        T-1   9  box B-1 a b
        cage 50  counts B-1 300
        """,
        ["box.variance P1 T-1"],
    ),
    "a recount stands in the place of the count": (
        """
        T-1   0  buys 500 P-1
        T-1   9  box B-1 a b
        cage 50  counts B-1 300
        cage 60  recounts B-1 500
        """,
        [],
    ),
    "the next box begins empty, though it has the same name": (
        """
        T-1     0  buys 500 P-1
        T-1     9  box B-1 a b
        cage   50  counts B-1 500
        T-1  1440  buys 100 P-1
        T-1  1450  box B-1 a b
        cage 1500  counts B-1 100
        """,
        [],
    ),
    "a dealer who pays wrongly at two tables, three times in a shift": (
        """
        T-1   0  mispays r1 D-1 500
        T-1  60  mispays r2 D-1 500
        T-2 200  mispays r1 D-1 -500
        """,
        ["payout.repeated P2 D-1"],
    ),
    "at one table settlement counts": (
        """
        T-1   0  mispays r1 D-1 500
        T-1  60  mispays r2 D-1 500
        T-1 200  mispays r3 D-1 500
        """,
        [],
    ),
    "a payment that was corrected is not wrong": (
        """
        T-1   0  mispays r1 D-1 500
        T-1  60  mispays r2 D-1 500
        T-2 200  mispays r1 D-1 500
        T-1 210  mispays r2 D-1 0 v2
        """,
        [],
    ),
    "refusals of one code are one story, of another another": (
        """
        letters  0  refuses T-1 malformed
        letters  1  refuses T-1 malformed
        letters  2  refuses T-1 foreign
        """,
        ["log.refused P2 T-1", "log.refused P2 T-1"],
    ),
    "what an office entered is for the report": (
        """
        letters  0  refuses -office duplicate jane
        """,
        ["office.refused P4 "],
    ),
}


@pytest.mark.parametrize("sentence", SCENES)
def test_papers(sentence: str) -> None:
    scene, expected = SCENES[sentence]
    assert standing(watched(scene)) == expected


REFUSED = {
    "letters 0 refuses T-1 out_of_order": (
        "T-1 left events out: have its controller send them or declare them lost"
    ),
    """
    letters 0 refuses T-1 conflict
    letters 1 refuses T-1 conflict
    """: (
        "T-1 sent conflicting events 2 times: a second device may be using this table's identity. "
        "Call a technician."
    ),
    "letters 0 refuses T-1 strange": "T-1 sent events that were rejected: call a technician",
    "letters 0 refuses -office duplicate jane": (
        "Entry by jane rejected: correct and enter it again"
    ),
}


@pytest.mark.parametrize(("scene", "sentence"), REFUSED.items())
def test_a_rejection_states_the_fault_and_the_action(scene: str, sentence: str) -> None:
    (alert,) = watched(scene).standing()
    assert alert.sentence == sentence
    assert problems(sentence) == []
    assert all(proof.words == f"it is {proof.kind}" for proof in alert.evidence)
    assert alert.detail == f"Reason: {alert.evidence[-1].words}"


def test_every_reason_of_the_gateway_has_advice() -> None:
    assert {code.value for code in RejectionCode} <= set(ADVICE)
