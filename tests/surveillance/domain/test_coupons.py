"""Coupons against their issue, over tables, days and offices."""

from __future__ import annotations

import pytest

from tests.surveillance.domain.scenes import standing, watched

SCENES = {
    "a coupon that is issued and used once is nobody's business": (
        """
        desk  0  issues MP-1 P-1
        T-1  10  shows MP-1 P-1
        T-1  10  plays r1 P-1 MP-1 taken
        """,
        [],
    ),
    "a bearer's coupon is anybody's": (
        """
        desk  0  issues MP-1
        T-1  10  plays r1 P-2 MP-1 taken
        """,
        [],
    ),
    "a coupon that nobody issued is unknown as soon as it is shown": (
        """
        T-1  10  shows MP-1 P-1
        """,
        ["coupon.unknown P1 MP-1"],
    ),
    "a coupon that stayed after a push may come again, at another table too": (
        """
        desk  0  issues MP-1 P-1
        T-1  10  plays r1 P-1 MP-1 pushed
        T-2  20  plays r1 P-1 MP-1 taken
        """,
        [],
    ),
    "a coupon that was taken must not come again": (
        """
        desk  0  issues MP-1 P-1
        T-1  10  plays r1 P-1 MP-1 taken
        T-1  20  shows MP-1 P-1
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "a coupon is not at two tables in the same second": (
        """
        desk  0  issues MP-1
        T-1  10  shows MP-1
        T-2  10  shows MP-1
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "nor within a walk, though it pushed at one of them": (
        """
        desk  0  issues MP-1
        T-1  10    plays r1 P-1 MP-1 pushed
        T-2  11.2  plays r1 P-2 MP-1 taken
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "what went into the box was taken, though nobody can say how its round ended": (
        """
        desk  0  issues MP-1
        T-1  10  drops MP-1
        T-1  10  plays r1 P-1 MP-1 pushed
        T-1  20  plays r2 P-1 MP-1 pushed
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "a coupon that was taken on another day is still taken": (
        """
        desk     0  issues MP-1
        T-1     10  plays r1 P-1 MP-1 taken
        T-2  90000  plays r7 P-1 MP-1 taken
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "redeemed at the desk, it must not come to a table": (
        """
        desk  0  issues MP-1
        desk  5  redeems MP-1
        T-1  10  shows MP-1
        """,
        ["coupon.duplicate P1 MP-1"],
    ),
    "a second version of its round is the same use": (
        """
        desk  0  issues MP-1
        T-1  10  plays r1 P-1 MP-1 taken
        T-1  10  plays r1 P-1 MP-1 taken v2
        """,
        [],
    ),
    "a later version may say that it was not taken": (
        """
        desk  0  issues MP-1
        T-1  10  plays r1 P-1 MP-1 taken
        T-2  20  plays r2 P-1 MP-1 taken
        T-1  10  plays r1 P-1 MP-1 pushed v2
        """,
        [],
    ),
    "a coupon that was void before it was used": (
        """
        desk  0  issues MP-1
        desk  5  voids MP-1
        T-1  10  plays r1 P-1 MP-1 taken
        """,
        ["coupon.void P2 MP-1"],
    ),
    "one that is declared void after it was used is not": (
        """
        desk  0  issues MP-1
        T-1  10  plays r1 P-1 MP-1 taken
        desk 15  voids MP-1
        """,
        [],
    ),
    "a coupon of somebody else": (
        """
        desk  0  issues MP-1 P-1
        T-1  10  plays r1 P-2 MP-1 taken
        """,
        ["coupon.other_patron P2 MP-1"],
    ),
    "who uses it is not known: nothing is said of that": (
        """
        desk  0  issues MP-1 P-1
        T-1  10  shows MP-1
        """,
        [],
    ),
    "as many coupons as the terms allow": (
        """
        desk  0  limits 2
        desk  0  issues A
        desk  0  issues B
        T-1  10  plays r1 P-1 A taken
        T-2  20  plays r1 P-1 B taken
        """,
        [],
    ),
    "more coupons of a promotion than a day allows, over all tables": (
        """
        desk  0  limits 1
        desk  0  issues A
        desk  0  issues B
        T-1  10  plays r1 P-1 A taken
        T-2  20  plays r1 P-1 B taken
        """,
        ["coupon.over_limit P2 P-1"],
    ),
    "a push is no use": (
        """
        desk  0  limits 1
        desk  0  issues A
        T-1  10  plays r1 P-1 A pushed
        T-1  11  plays r2 P-1 A taken
        """,
        [],
    ),
    "the next day the limit is counted anew": (
        """
        desk    0  limits 1
        desk    0  issues A
        desk    0  issues B
        T-1    10  plays r1 P-1 A taken
        T-1  1450  plays r2 P-1 B taken
        """,
        [],
    ),
}

VISIT = """
        T-1  {0}0  sits P-1
        T-1  {0}1  plays r{0} P-1 C{0} taken
        T-1  {0}5  leaves P-1
        desk    0  issues C{0}
"""
PLAIN = """
        T-1  {0}0  sits P-1
        T-1  {0}1  plays r{0} P-1 C{0} taken
        T-1  {0}2  plays s{0} P-1
        T-1  {0}5  leaves P-1
        desk    0  issues C{0}
"""
NAMED = """
        T-1  {0}0  sits P-1
        T-1  {0}1  names C{0} P-1
        T-1  {0}1  plays r{0} P-1
        T-1  {0}5  leaves P-1
        desk    0  issues C{0}
"""
UNREAD = """
        T-1  {0}0  sits P-1
        T-1  {0}1  finds r{0} coupon.not_presented P-1
        T-1  {0}1  plays r{0} P-1
        T-1  {0}5  leaves P-1
        desk    0  issues C{0}
"""
WASHING = {
    "three visits for coupons alone are washing": (
        VISIT.format(1) + VISIT.format(2) + VISIT.format(3),
        ["coupon.washing P3 P-1"],
    ),
    "two are not": (VISIT.format(1) + VISIT.format(2), []),
    "a visit with a round of his own money is none": (
        VISIT.format(1) + PLAIN.format(2) + VISIT.format(3),
        [],
    ),
    "a coupon that a wager names and nobody presented is one all the same": (
        VISIT.format(1) + VISIT.format(2) + NAMED.format(3),
        ["coupon.washing P3 P-1"],
    ),
    "also where the wager does not say whose it is, and the seat does": (
        VISIT.format(1) + VISIT.format(2) + UNREAD.format(3),
        ["coupon.terms P2 P-1", "coupon.washing P3 P-1"],
    ),
    "who has not left yet may still play": (
        VISIT.format(1) + VISIT.format(2) + VISIT.format(3).replace("leaves", "sits").rstrip(),
        ["coupon.washing P3 P-1"],
    ),
    "many rounds are no wash": (
        (VISIT.format(1) + VISIT.format(2) + VISIT.format(3)).replace(
            "T-1  35  leaves P-1",
            """T-1 32 plays a P-1 D1 taken
        T-1 33 plays b P-1 D2 taken
        T-1 34 plays c P-1 D3 taken
        T-1 35 leaves P-1
        desk 0 issues D1
        desk 0 issues D2
        desk 0 issues D3""",
        ),
        [],
    ),
}


@pytest.mark.parametrize("sentence", [*SCENES, *WASHING])
def test_coupons(sentence: str) -> None:
    scene, expected = (SCENES | WASHING)[sentence]
    assert standing(watched(scene)) == expected


def test_the_alert_of_a_duplicate_names_both_places_and_their_video() -> None:
    (alert,) = watched(SCENES["a coupon is not at two tables in the same second"][0]).standing()
    assert [(each.table, each.first_seq) for each in alert.evidence] == [("T-1", 10), ("T-2", 10)]
    assert [each.table for each in alert.bookmarks] == ["T-1", "T-2"]
    for each in alert.bookmarks:
        assert each.until - each.since == 4 * 60_000_000
