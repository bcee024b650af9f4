"""An alert: something a person should look at, with its evidence.

An alert is published whole each time it changes, with the next revision. Its id follows from its
kind, its subject and its first evidence: every reader of one log derives the same ids, and a
repeat is an overwrite.
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
"""Video is reviewed from two minutes before to two minutes after."""


TIME_MAX: Final = 253_402_300_799_999_999
"""The end of the year 9999: no published time is later."""

CENTS_MAX: Final = (1 << 63) - 1
"""The largest amount that is published; a faulty table may report more."""


class AlertState(StrEnum):
    STANDING = "standing"
    WITHDRAWN = "withdrawn"
    """Later facts disproved all of its evidence."""


ADVANTAGE: Final = "advantage"
"""The label of legal play that costs the house money: never called cheating."""


class Evidence(Struct, frozen=True, gc=False):
    """One fact that proves an alert, and its place in the log.

    `first_seq` and `last_seq` are numbers of the table's stream, 0 where there is none. Other
    facts are named by `finding_id`, or by `entry_id` if they were entered by hand.
    `owed_cents` and `paid_cents` are None where no settled wager states them.
    """

    at: int
    words: str
    kind: str = ""
    """The code of the finding, or a word for the fact."""
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
    """Why chance is no explanation, and the most frequent rate of false alerts."""

    e_value: float
    false_alarm_bound: float
    observations: int


class Bookmark(Struct, frozen=True, gc=False):
    """A stretch of video of a table."""

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
    """All pieces of evidence, including those that are not carried."""
    bookmarks: tuple[Bookmark, ...] = ()
    statistics: StatisticalProof | None = None
    tells_hole_card: bool = False
    """Whether it follows from a card that lay face down, in a round that is not over."""
    suppressed_by: str = ""
    """The setting by which it notifies no one."""
    generation: int = 0
    """Increased whenever surveillance is rebuilt from the log."""
    withdrawn_because: str = ""
    detail: str = ""
    """Arithmetic, test and method, for the reader who wants to know why."""


def alert_id(*parts: object) -> str:
    """A stable name: 16 bytes are plenty against collision."""
    text = "".join(f"{len(word := str(part))}:{word}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def clamp_cents(cents: int) -> int:
    """An amount, limited to the range that is published.

    >>> clamp_cents(-(1 << 70)) == -CENTS_MAX
    True
    """
    return max(-CENTS_MAX, min(cents, CENTS_MAX))


def capped(evidence: Iterable[T]) -> tuple[T, ...]:
    """The first and the last items, as many as an alert carries."""
    kept = tuple(evidence)
    if len(kept) <= EVIDENCE_MAX:
        return kept
    half = EVIDENCE_MAX // 2
    return (*kept[:half], *kept[-half:])


def bookmarks(evidence: Iterable[Evidence]) -> tuple[Bookmark, ...]:
    """Stretches of video by table and time; those that touch are joined."""
    found: list[Bookmark] = []
    for table, at in sorted({(proof.table, proof.at) for proof in evidence if proof.table}):
        since = max(0, at - BOOKMARK_MARGIN_US)
        until = min(at + BOOKMARK_MARGIN_US, TIME_MAX)
        if found and found[-1].table == table and since <= found[-1].until:
            found[-1] = Bookmark(table, found[-1].since, until)
        else:
            found.append(Bookmark(table, since, until))
    return tuple(found)
