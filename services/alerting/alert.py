"""An alert: what a person is asked to look at, with all that proves it.

An alert is told whole each time it changes, with the next revision. Its id follows from its kind,
from whom it is about and from the first thing that proves it: whoever reads the same log tells
the same ids, and a repeat is an overwrite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

from msgspec import Struct

from blackjack.findings import Level

T = TypeVar("T")
EVIDENCE_MAX: Final = 40
"""Pieces of evidence that an alert carries: the first and the last; all are counted."""

BOOKMARK_MARGIN_US: Final = 120_000_000
"""Video is looked at from two minutes before to two minutes after."""


TIME_MAX: Final = 253_402_300_799_999_999
"""The end of the year 9999: no time that is told lies behind it."""

CENTS_MAX: Final = (1 << 63) - 1
"""More cannot be told; a table may have said more than any floor has."""


class AlertState(StrEnum):
    STANDING = "standing"
    WITHDRAWN = "withdrawn"
    """Later facts disproved all that it rested on."""


ADVANTAGE: Final = "advantage"
"""The label of legal play that costs the house money: never to be called cheating."""


class Evidence(Struct, frozen=True, gc=False):
    """One thing that happened, and where in the log it stands.

    `first_seq` and `last_seq` are numbers of the table's stream, 0 where there is none. What is
    no event of a table is named by `finding_id`, or by `entry_id` if an office entered it.
    `owed_cents` and `paid_cents` are None where no settled wager says them.
    """

    at: int
    words: str
    kind: str = ""
    """The code of the finding, or what it is in a word."""
    table: str = ""
    round: str = ""
    seat: int = 0
    hand: int = 0
    wager: str = ""
    first_seq: int = 0
    last_seq: int = 0
    finding_id: str = ""
    entry_id: str = ""
    dealer: str = ""
    patron: str = ""
    cents: int = 0
    owed_cents: int | None = None
    paid_cents: int | None = None


class StatisticalProof(Struct, frozen=True, gc=False):
    """Why chance is no explanation, and how often such an alert is false at most."""

    e_value: float
    false_alarm_bound: float
    observations: int


class Bookmark(Struct, frozen=True, gc=False):
    """Where to look in the video of a table."""

    table: str
    since: int
    until: int


class Alert(Struct, frozen=True):
    """`cents` is the amount at stake, positive where the house lost it.

    `raised_at` and `changed_at` are the times of the first and of the last evidence, by the
    tables' clocks. `label` is empty or `ADVANTAGE`.
    """

    id: str
    revision: int
    state: AlertState
    kind: str
    level: Level
    sentence: str
    rule: str
    raised_at: int
    changed_at: int
    label: str = ""
    table: str = ""
    round: str = ""
    seat: int = 0
    dealer: str = ""
    patron: str = ""
    coupon: str = ""
    cents: int = 0
    evidence: tuple[Evidence, ...] = ()
    evidence_count: int = 0
    """How much evidence there is, beyond what is carried too."""
    bookmarks: tuple[Bookmark, ...] = ()
    statistics: StatisticalProof | None = None
    tells_hole_card: bool = False
    """Whether it follows from a card that lay face down, in a round that is not over."""
    suppressed_by: str = ""
    """The setting that says that nobody is to be called for it."""
    generation: int = 0
    """Counted up whenever everything is made anew from the log."""
    withdrawn_because: str = ""
    detail: str = ""
    """Arithmetic, test and method, for the reader who wants to know why."""


def alert_id(*parts: object) -> str:
    """A stable name: 16 bytes are plenty against collision."""
    text = "".join(f"{len(word := str(part))}:{word}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def tellable(cents: int) -> int:
    """An amount, or as much of it as can be told.

    >>> tellable(-(1 << 70)) == -CENTS_MAX
    True
    """
    return max(-CENTS_MAX, min(cents, CENTS_MAX))


def capped(evidence: Iterable[T]) -> tuple[T, ...]:
    """The first and the last of it, as much as an alert carries; or of what it is made of."""
    kept = tuple(evidence)
    if len(kept) <= EVIDENCE_MAX:
        return kept
    half = EVIDENCE_MAX // 2
    return (*kept[:half], *kept[-half:])


def bookmarks(evidence: Iterable[Evidence]) -> tuple[Bookmark, ...]:
    """By table and time; stretches that touch are one."""
    found: list[Bookmark] = []
    for table, at in sorted({(each.table, each.at) for each in evidence if each.table}):
        since = max(0, at - BOOKMARK_MARGIN_US)
        until = min(at + BOOKMARK_MARGIN_US, TIME_MAX)
        if found and found[-1].table == table and since <= found[-1].until:
            found[-1] = Bookmark(table, found[-1].since, until)
        else:
            found.append(Bookmark(table, since, until))
    return tuple(found)
