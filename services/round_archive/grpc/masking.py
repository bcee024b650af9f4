"""Masks findings that would reveal a hole card before it is shown: text, detail and amount."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.settled_round_pb2 import SettledRound
from runtime.database.column_values import column_text
from runtime.database.query import Database
from runtime.query_errors import DatabaseUnavailable, QueryTimeout

T = TypeVar("T")

HIDDEN: Final = "hidden until the hole card is shown"
REMEMBERED_MAX: Final = 4_096
"""A floor has some hundred rounds in progress, and few of them have masked findings."""
_FINISHED: Final = """
SELECT f.table_id, f.round, f.seq
FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS f (table_id, round, seq)
WHERE EXISTS (
    SELECT FROM rounds r WHERE r.table_id = f.table_id AND r.round = f.round
        AND f.seq >= r.since_seq AND (r.until_seq IS NULL OR f.seq < r.until_seq)
        AND f.seq <= r.last_seq
)
"""


def mask(finding: Finding) -> Finding:
    """The finding as any reader may see it now: that it exists, its kind, and its place."""
    masked = Finding()
    masked.CopyFrom(finding)
    masked.text = f"{finding.kind}: {HIDDEN}"
    masked.ClearField("detail")
    masked.cents = 0
    return masked


class MaskedFindings:
    """The findings that one watch has masked, to be sent in full when their rounds are over.

    The two topics are not in step: a round may be read before its findings. So finished rounds are
    remembered too. Of both the oldest are forgotten first.
    """

    def __init__(self, remembered_max: int = REMEMBERED_MAX) -> None:
        self._remembered_max = remembered_max
        self._finished: dict[tuple[str, str], int] = {}
        self._findings: dict[tuple[str, str], Finding] = {}

    def is_over(self, finding: Finding) -> bool:
        """Whether its round was read; an earlier round of the same id does not count."""
        return finding.seq <= self._finished.get((finding.table_id, finding.round), -1)

    def add(self, finding: Finding) -> None:
        self._findings[finding.table_id, finding.id] = finding
        _trim(self._findings, self._remembered_max)

    def remove(self, withdrawal: Withdrawal) -> None:
        self._findings.pop((withdrawal.table_id, withdrawal.id), None)

    def release(self, settled: SettledRound) -> list[Finding]:
        """The masked findings of a round that is over."""
        name = (settled.table_id, settled.round)
        self._finished[name] = max(settled.last_seq, self._finished.pop(name, 0))
        _trim(self._finished, self._remembered_max)
        released = [
            finding
            for finding in self._findings.values()
            if (finding.table_id, finding.round) == name and finding.seq <= settled.last_seq
        ]
        for finding in released:
            del self._findings[finding.table_id, finding.id]
        return released


def _trim(kept: dict[tuple[str, str], T], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]


async def find_finished(
    database: Database, findings: Sequence[Finding]
) -> frozenset[tuple[str, str, int]]:
    """The keys (`finding_key`) of those findings whose rounds are over by the index.

    None while it cannot be queried: then they are masked, and sent when their rounds are read.
    """
    if not findings:
        return frozenset()
    keys = [finding_key(finding) for finding in findings]
    try:
        rows = await database.fetch(_FINISHED, [list(column) for column in zip(*keys, strict=True)])
    except (DatabaseUnavailable, QueryTimeout):
        return frozenset()
    return frozenset((row["table_id"], row["round"], row["seq"]) for row in rows)


def finding_key(finding: Finding) -> tuple[str, str, int]:
    return column_text(finding.table_id), column_text(finding.round), finding.seq
