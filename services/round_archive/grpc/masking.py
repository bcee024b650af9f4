"""What would give away a hole card before it is shown is masked: the words and the amount."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.settled_round_pb2 import SettledRound
from round_archive.kafka.decoder import plain
from runtime.database.query import Database
from runtime.query_errors import DatabaseUnavailable, QueryTimeout

T = TypeVar("T")

HIDDEN: Final = "hidden until the hole card is shown"
REMEMBERED_MAX: Final = 4_096
"""A floor has some hundred rounds under way, and few of them have anything to hide."""
_OVER: Final = """
SELECT f.table_id, f.round, f.seq
FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS f (table_id, round, seq)
WHERE EXISTS (
    SELECT FROM rounds r WHERE r.table_id = f.table_id AND r.round = f.round
        AND f.seq >= r.since_seq AND (r.until_seq IS NULL OR f.seq < r.until_seq)
        AND f.seq <= r.last_seq
)
"""


def mask(finding: Finding) -> Finding:
    """The finding as anybody may see it now: that it is there, of which kind, and where."""
    masked = Finding()
    masked.CopyFrom(finding)
    masked.text = f"{finding.kind}: {HIDDEN}"
    masked.ClearField("detail")
    masked.cents = 0
    return masked


class MaskedFindings:
    """What one watch has masked and may tell when the round is over.

    The two topics are not in step: a round may pass before what was found in it. So rounds that
    passed are remembered too. Of both the oldest are forgotten first.
    """

    def __init__(self, remembered_max: int = REMEMBERED_MAX) -> None:
        self._remembered_max = remembered_max
        self._over: dict[tuple[str, str], int] = {}
        self._findings: dict[tuple[str, str], Finding] = {}

    def is_over(self, finding: Finding) -> bool:
        """Whether its round has passed; one of the same id that ended before it has not."""
        return finding.seq <= self._over.get((finding.table_id, finding.round), -1)

    def keep(self, finding: Finding) -> None:
        self._findings[finding.table_id, finding.id] = finding
        _trim(self._findings, self._remembered_max)

    def forget(self, withdrawal: Withdrawal) -> None:
        self._findings.pop((withdrawal.table_id, withdrawal.id), None)

    def end(self, said: SettledRound) -> list[Finding]:
        """What the end of this round lets be told."""
        name = (said.table_id, said.round)
        self._over[name] = max(said.last_seq, self._over.pop(name, 0))
        _trim(self._over, self._remembered_max)
        told = [
            each
            for each in self._findings.values()
            if (each.table_id, each.round) == name and each.seq <= said.last_seq
        ]
        for each in told:
            del self._findings[each.table_id, each.id]
        return told


def _trim(kept: dict[tuple[str, str], T], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]


async def find_finished(
    database: Database, findings: Sequence[Finding]
) -> frozenset[tuple[str, str, int]]:
    """Which of these findings, by `finding_key`, are of rounds that the index knows to be over.

    None while it cannot be asked: then they are masked, and told when their rounds pass.
    """
    if not findings:
        return frozenset()
    places = [finding_key(each) for each in findings]
    try:
        rows = await database.ask(_OVER, [list(column) for column in zip(*places, strict=True)])
    except (DatabaseUnavailable, QueryTimeout):
        return frozenset()
    return frozenset((row["table_id"], row["round"], row["seq"]) for row in rows)


def finding_key(finding: Finding) -> tuple[str, str, int]:
    return plain(finding.table_id), plain(finding.round), finding.seq
