"""The checks before a gaming day is closed, and their open items.

All checks, and the amounts written off by the close, are read in one snapshot of the ledger, so
that they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from accounting.domain.checks import ExplainedRange, gaps
from accounting.domain.count_team import profile_on, team_remarks
from accounting.kafka.ledger_projection import CONSUMER
from accounting.postgres.report_inputs.journal import IS_ADJUSTING
from accounting.postgres.room_profiles import PROFILES, profiles_of
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CageEvent, CloseOverride
from casino.accounting.v1.service_pb2 import DayCheck, DayState, OpenItem
from runtime.database.query import DatabaseSnapshot, Row
from runtime.positions import Partition

SLIP_DAYS: Final = 31
"""The gaming days before and after that are searched for the numbers of a series."""
OPEN_ITEMS_MAX: Final = 200
"""The most open items listed for one check; the others are only counted."""

CAUGHT_UP: Final = "caught_up"
TABLES_CLOSED: Final = "tables_closed"
TABLES_COUNTED: Final = "tables_counted"
SLIPS: Final = "slips"
COUNT_TEAMS: Final = "count_teams"
ROUNDS: Final = "rounds"
ALERTS: Final = "alerts"
RECONCILED: Final = "reconciled"
EARLIER_DAYS: Final = "earlier_days"
WORDS: Final = {
    CAUGHT_UP: "Postings are up to date",
    TABLES_CLOSED: "Every table has a closer",
    TABLES_COUNTED: "Every drop box is counted",
    COUNT_TEAMS: "Every count team is large enough, without surveillance staff",
    SLIPS: "No unexplained slip gaps; every fill and credit has both halves",
    ROUNDS: "Every round is complete, with known rules",
    ALERTS: "No open P1 alerts",
    RECONCILED: "Reconciled after the last count",
    EARLIER_DAYS: "Earlier days are closed",
}

_POSITIONS: Final = """
SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s
"""
_IN_FORCE: Final = """
gaming_day = %(day)s AND NOT EXISTS (
    SELECT 1 FROM rounds later WHERE later.table_id = r.table_id AND later.round = r.round
        AND later.opening_seq = r.opening_seq AND later.version > r.version
)
"""
_TABLES: Final = f"""
WITH opened AS (
    SELECT DISTINCT table_id FROM rounds r WHERE {_IN_FORCE}
    UNION SELECT table_id FROM cash WHERE gaming_day = %(day)s AND kind = 'opener'
    UNION SELECT table_id FROM cage WHERE gaming_day = %(day)s AND kind = 'opener'
), closed AS (
    SELECT table_id FROM cash WHERE gaming_day = %(day)s AND kind = 'closer'
    UNION SELECT table_id FROM cage WHERE gaming_day = %(day)s AND kind = 'closer'
)
SELECT table_id, closed.table_id IS NOT NULL AS closed
FROM opened LEFT JOIN closed USING (table_id) ORDER BY table_id
"""
_BOXES: Final = """
WITH removed AS (
    SELECT DISTINCT table_id, name FROM cash WHERE gaming_day = %(day)s AND kind = 'box_removed'
), counted AS (
    SELECT table_id, name, bool_or(kind = 'drop_recounted') AS recounted FROM cage
    WHERE gaming_day = %(day)s AND kind IN ('drop_counted', 'drop_recounted')
    GROUP BY table_id, name
)
SELECT table_id, name, counted.name IS NOT NULL AS counted,
    coalesce(counted.recounted, false) AS recounted
FROM removed FULL JOIN counted USING (table_id, name) ORDER BY table_id, name
"""
_TEAMS: Final = """
SELECT table_id, name, signers FROM cage
WHERE gaming_day = %(day)s AND kind = 'drop_counted' ORDER BY table_id, name
"""
_SLIPS: Final = """
SELECT gaming_day, kind, table_id, name FROM cash
WHERE gaming_day BETWEEN %(from)s AND %(until)s AND kind IN ('fill_received', 'credit_sent')
UNION ALL
SELECT gaming_day, kind, table_id, name FROM cage
WHERE gaming_day BETWEEN %(from)s AND %(until)s
    AND kind IN ('fill_issued', 'credit_accepted', 'slip_voided')
ORDER BY name, kind
"""
_EXPLAINED: Final = """
SELECT value FROM cage WHERE gaming_day >= %(from)s AND kind = 'slips_explained'
"""
_ROUNDS: Final = f"""
SELECT table_id, round, status FROM rounds r
WHERE {_IN_FORCE} AND status IN ('unresolved', 'incomplete') ORDER BY table_id, round
"""
_RECONCILED: Final = """
SELECT max(source_offset) FILTER (WHERE kind = 'day_reconciled') AS reconciled,
    max(source_offset) FILTER (WHERE kind IN ('drop_counted', 'drop_recounted')) AS counted
FROM cage WHERE gaming_day = %(day)s
"""
# From day to day through the index, without a scan of all rounds.
_EARLIER: Final = """
WITH RECURSIVE days AS (
    SELECT min(gaming_day) AS gaming_day FROM rounds
    UNION ALL
    SELECT (SELECT min(r.gaming_day) FROM rounds r WHERE r.gaming_day > days.gaming_day)
    FROM days WHERE days.gaming_day IS NOT NULL
)
SELECT gaming_day FROM days
WHERE gaming_day < %(day)s AND gaming_day NOT IN (SELECT gaming_day FROM closed_days)
ORDER BY gaming_day
"""
_CLOSED: Final = """
SELECT c.closed_by, c.positions, g.value FROM closed_days c JOIN cage g USING (event_id)
WHERE c.gaming_day = %(day)s
"""
_ADJUSTMENTS: Final = f"""
SELECT count(*) AS count FROM entries e JOIN closed_days c USING (gaming_day)
WHERE e.gaming_day = %(day)s AND {IS_ADJUSTING}
"""
OTHER_HALF: Final = {
    "fill_issued": ("fill_received", pb.OPEN_ITEM_KIND_FILL_NOT_RECEIVED),
    "fill_received": ("fill_issued", pb.OPEN_ITEM_KIND_FILL_NOT_ISSUED),
    "credit_accepted": ("credit_sent", pb.OPEN_ITEM_KIND_CREDIT_NOT_SENT),
    "credit_sent": ("credit_accepted", pb.OPEN_ITEM_KIND_CREDIT_NOT_ACCEPTED),
}


@dataclass(frozen=True, slots=True)
class DayStatus:
    """The status of a day in one snapshot."""

    checks: tuple[DayCheck, ...]
    state: DayState.ValueType
    positions: Mapping[Partition, int]
    closed_by: str = ""
    override: CloseOverride | None = None
    adjustments: int = 0

    @property
    def unmet(self) -> list[str]:
        return [check.name for check in self.checks if not check.met]


class DayChecks:
    """Runs the checks of a day. `recount_required`: whether a verifier must recount each box."""

    def __init__(self, *, prefix: str, recount_required: bool) -> None:
        self._prefix = prefix
        self._recount_required = recount_required

    async def status_of(
        self,
        ledger: DatabaseSnapshot,
        day: date,
        ends: Mapping[Partition, int],
        alerts: Iterable[OpenItem],
    ) -> DayStatus:
        """`ends` are the end offsets of the topics before the snapshot; `alerts` are open items."""
        positions = await self._positions(ledger)
        tables = await ledger.fetch(_TABLES, {"day": day})
        boxes = await ledger.fetch(_BOXES, {"day": day})
        (marks,) = await ledger.fetch(_RECONCILED, {"day": day})
        rounds = await ledger.fetch(_ROUNDS, {"day": day})
        open_items = {
            CAUGHT_UP: _behind(ends, positions),
            TABLES_CLOSED: [
                OpenItem(kind=pb.OPEN_ITEM_KIND_NO_CLOSER, table_id=row["table_id"])
                for row in tables
                if not row["closed"]
            ],
            TABLES_COUNTED: list(_uncounted(tables, boxes, self._recount_required)),
            COUNT_TEAMS: await _teams(ledger, day),
            SLIPS: await self._slips(ledger, day),
            ROUNDS: [
                OpenItem(
                    kind=pb.OPEN_ITEM_KIND_ROUND,
                    table_id=row["table_id"],
                    round=row["round"],
                    reason=row["status"],
                )
                for row in rounds
            ],
            ALERTS: list(alerts),
            RECONCILED: list(_unreconciled(marks)),
            EARLIER_DAYS: [
                OpenItem(
                    kind=pb.OPEN_ITEM_KIND_EARLIER_DAY, gaming_day=row["gaming_day"].isoformat()
                )
                for row in await ledger.fetch(_EARLIER, {"day": day})
            ],
        }
        checks = tuple(_check(name, items) for name, items in open_items.items())
        closed = await ledger.fetch(_CLOSED, {"day": day})
        if closed:
            event = CageEvent.FromString(closed[0]["value"])
            override = event.day_closed.override if event.day_closed.HasField("override") else None
            (late,) = await ledger.fetch(_ADJUSTMENTS, {"day": day})
            return DayStatus(
                checks,
                pb.DAY_STATE_CLOSED,
                positions,
                closed[0]["closed_by"],
                override,
                late["count"],
            )
        counted = bool(tables) and not open_items[TABLES_CLOSED] and not open_items[TABLES_COUNTED]
        state = pb.DAY_STATE_COUNTED if counted else pb.DAY_STATE_OPEN
        if counted and not open_items[RECONCILED]:
            state = pb.DAY_STATE_RECONCILED
        return DayStatus(checks, state, positions)

    async def _positions(self, ledger: DatabaseSnapshot) -> dict[Partition, int]:
        """Read positions, with topics without their prefix."""
        rows = await ledger.fetch(_POSITIONS, [CONSUMER])
        return {
            Partition(row["topic"].removeprefix(self._prefix), row["partition"]): row["next_offset"]
            for row in rows
        }

    async def _slips(self, ledger: DatabaseSnapshot, day: date) -> list[OpenItem]:
        window = timedelta(days=SLIP_DAYS)
        slips = await ledger.fetch(_SLIPS, {"from": day - window, "until": day + window})
        explained = [
            ExplainedRange(note.series, note.first, note.last)
            for row in await ledger.fetch(_EXPLAINED, {"from": day - window})
            for note in [CageEvent.FromString(row["value"]).slips_explained]
        ]

        def names(is_meant: Callable[[date], bool]) -> list[str]:
            return [slip["name"] for slip in slips if is_meant(slip["gaming_day"])]

        missing = gaps(
            names(lambda of: of == day),
            names(lambda of: of < day),
            names(lambda of: of > day),
            explained,
        )
        missing_items = (
            OpenItem(kind=pb.OPEN_ITEM_KIND_SLIPS_MISSING, slip=first, last_slip=last)
            for first, last in missing
        )
        return [*missing_items, *_halves(day, slips)]


async def _teams(ledger: DatabaseSnapshot, day: date) -> list[OpenItem]:
    """Counts whose team breaks the rule of the day."""
    rows = await ledger.fetch(PROFILES, [])
    name = day.isoformat()
    profile = profile_on(profiles_of(row["value"] for row in rows), name)
    return [
        OpenItem(
            kind=pb.OPEN_ITEM_KIND_COUNT_TEAM,
            table_id=row["table_id"],
            box=row["name"],
            reason=remark,
        )
        for row in await ledger.fetch(_TEAMS, {"day": day})
        for remark in team_remarks(row["signers"], profile, name)
    ]


def _behind(ends: Mapping[Partition, int], positions: Mapping[Partition, int]) -> list[OpenItem]:
    lags: dict[str, int] = {}
    for place, end in ends.items():
        lag = end - positions.get(place, 0)
        if lag > 0:
            lags[place.topic] = lags.get(place.topic, 0) + lag
    return [
        OpenItem(kind=pb.OPEN_ITEM_KIND_UNREAD_MESSAGES, topic=topic, count=lag)
        for topic, lag in sorted(lags.items())
    ]


def _uncounted(
    tables: Iterable[Row], boxes: Iterable[Row], recount_required: bool
) -> Iterable[OpenItem]:
    of: dict[str, list[Row]] = {}
    for box in boxes:
        of.setdefault(box["table_id"], []).append(box)
    for name in sorted({row["table_id"] for row in tables} | of.keys()):
        if name not in of:
            yield OpenItem(kind=pb.OPEN_ITEM_KIND_NO_COUNT, table_id=name)
        for box in of.get(name, ()):
            if not box["counted"]:
                kind = pb.OPEN_ITEM_KIND_BOX_NOT_COUNTED
            elif recount_required and not box["recounted"]:
                kind = pb.OPEN_ITEM_KIND_BOX_NOT_RECOUNTED
            else:
                continue
            yield OpenItem(kind=kind, table_id=name, box=box["name"])


def _halves(day: date, slips: Iterable[Row]) -> Iterable[OpenItem]:
    """Fills and credits without their other half, which may be on another day: a fill may leave
    the cage just before the roll-over."""
    seen = {(slip["kind"], slip["table_id"], slip["name"]) for slip in slips}
    for kind, table, name in sorted(
        {
            (slip["kind"], slip["table_id"], slip["name"])
            for slip in slips
            if slip["gaming_day"] == day and slip["kind"] in OTHER_HALF
        }
    ):
        other, item_kind = OTHER_HALF[kind]
        if (other, table, name) not in seen:
            yield OpenItem(kind=item_kind, table_id=table, slip=name)


def _unreconciled(marks: Row) -> Iterable[OpenItem]:
    if marks["reconciled"] is None:
        yield OpenItem(kind=pb.OPEN_ITEM_KIND_NOT_RECONCILED)
    elif marks["counted"] is not None and marks["counted"] > marks["reconciled"]:
        yield OpenItem(kind=pb.OPEN_ITEM_KIND_COUNTED_SINCE)


def _check(name: str, items: list[OpenItem]) -> DayCheck:
    return DayCheck(
        name=name,
        words=WORDS[name],
        met=not items,
        open_items=items[:OPEN_ITEMS_MAX],
        open_items_more=max(len(items) - OPEN_ITEMS_MAX, 0),
    )
