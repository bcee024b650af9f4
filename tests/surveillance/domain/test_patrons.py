"""Patrons over all tables: where they are, whether they may be, what they pay."""

from __future__ import annotations

import pytest

from alerting.settings import Settings, ThresholdSet
from tests.surveillance.domain.scenes import NOON, standing, watched

SCENES = {
    "who walks from one table to another is in one place": (
        """
        T-1  0    sits P-1
        T-1  1    plays r1 P-1
        T-2  3.5  sits P-1
        """,
        [],
    ),
    "who sits down within a walk of his last round is in two": (
        """
        T-1  0  sits P-1
        T-1  1  plays r1 P-1
        T-2  2  sits P-1
        """,
        ["patron.two_places P2 P-1"],
    ),
    "so is who plays at two tables at once": (
        """
        T-1  0  plays r1 P-1
        T-1  1  plays r2 P-1
        T-1  2  plays r3 P-1
        T-2  1  plays r1 P-1
        """,
        ["patron.two_places P2 P-1"],
    ),
    "whom nobody knows is nowhere twice": (
        """
        T-1  0  buys 100 P-1
        T-2  0  buys 100 P-2
        """,
        [],
    ),
    "who is excluded turns chips into a ticket": (
        """
        house  0  excludes P-1
        T-1    5  is_issued_ticket 100 P-1
        """,
        ["patron.excluded P1 P-1"],
    ),
    "who is excluded sits down": (
        """
        house  0  excludes P-1
        T-1    5  sits P-1
        """,
        ["patron.excluded P1 P-1"],
    ),
    "an exclusion counts from when it is valid": (
        """
        T-1    5  plays r1 P-1
        house 10  excludes P-1
        """,
        [],
    ),
    "one that is read late is not too late": (
        """
        T-1    5  plays r1 P-1
        house  0  excludes P-1
        """,
        ["patron.excluded P1 P-1"],
    ),
    "one that has run out, or was lifted, is none": (
        """
        house  0  excludes P-1 10
        house  0  excludes P-2
        house  8  lifts P-2
        T-1   12  plays r1 P-1
        T-1   13  plays r2 P-2
        """,
        [],
    ),
    "over ten thousand in cash must be reported": (
        """
        T-1   0  buys 6000 P-1
        T-2  30  buys 4001 P-1
        """,
        ["cash.reporting_line P1 P-1"],
    ),
    "ten thousand need not, and large sales are not cut to pieces": (
        """
        T-1   0  buys 6000 P-1
        T-2  30  buys 4000 P-1
        """,
        [],
    ),
    "three sales under three thousand that add up to nearly the line": (
        """
        T-1   0  buys 2900 P-1
        T-2  30  buys 2900 P-1
        T-3  60  buys 2200 P-1
        """,
        ["cash.reporting_line P2 P-1"],
    ),
    "two of them do not": (
        """
        T-1   0  buys 2900 P-1
        T-2  30  buys 2900 P-1
        """,
        [],
    ),
    "tickets and checks are no cash, and know no debit limit": (
        """
        T-1   0  buys 9000 P-1
        T-2  10  buys 9000 P-1 ticket
        T-2  20  buys 9000 P-1 check
        T-2  30  is_issued_ticket 20000 P-1
        """,
        [],
    ),
    "small tickets and checks are no parts of a larger cash sale": (
        """
        T-1   0  buys 2900 P-1
        T-2  30  buys 2900 P-1 ticket
        T-3  60  buys 2900 P-1 check
        T-3  90  is_issued_ticket 2900 P-1
        """,
        [],
    ),
    "a card is no cash": (
        """
        T-1   0  buys 9000 P-1
        T-2  30  buys 2000 P-1 debit
        """,
        [],
    ),
    "the next gaming day is another": (
        """
        T-1     0  buys 6000 P-1
        T-1  1450  buys 6000 P-1
        """,
        [],
    ),
    "cash out counts by itself": (
        """
        T-1    0  buys 6000 P-1
        cage  60  redeems 9000 P-1
        """,
        [],
    ),
    "and is reported over the line": (
        """
        cage  60  redeems 9000 P-1
        cage  90  redeems 1001 P-1
        """,
        ["cash.reporting_line P1 P-1"],
    ),
    "debit sales at two tables, over the limit of a day": (
        """
        T-1     0  buys 500 P-1 debit
        T-1    10  buys 500 P-1 debit
        T-2    20  buys 500 P-1 debit
        T-2    30  buys 500 P-1 debit
        T-2    40  buys 500 P-1 debit
        T-1  1400  buys 1 P-1 debit
        """,
        ["cash.debit_limit P2 P-1"],
    ),
    "24 hours later the first of them counts no more": (
        """
        T-1     0  buys 2000 P-1 debit
        T-2    20  buys 500 P-1 debit
        T-2  1440  buys 500 P-1 debit
        """,
        [],
    ),
    "what one table sold too much is a finding already": (
        """
        T-1  0  buys 2000 P-1 debit
        T-1  5  buys 2000 P-1 debit
        """,
        [],
    ),
}


@pytest.mark.parametrize("sentence", SCENES)
def test_patrons(sentence: str) -> None:
    scene, expected = SCENES[sentence]
    assert standing(watched(scene)) == expected


def test_a_threshold_counts_from_when_it_is_valid() -> None:
    scene = SCENES["who walks from one table to another is in one place"][0]
    longer = ThresholdSet("walking_seconds", 600, NOON)
    later = ThresholdSet("walking_seconds", 600, NOON + 3_600_000_000)
    assert standing(watched(scene, Settings((longer,)))) == ["patron.two_places P2 P-1"]
    assert standing(watched(scene, Settings((later,)))) == []
    assert (
        standing(watched(scene, Settings((longer, ThresholdSet("walking_seconds", None, NOON)))))
        == []
    )
