"""How a gaming day stands: what must be so before it is closed, and what is lacking.

Read in one snapshot of the ledger, so that all checks, and what is written off when the day is
closed, are about the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from accounting.domain.checks import Explained, gaps
from accounting.domain.count_team import profile_on, team_remarks
from accounting.kafka.ledger_projection import CONSUMER
from accounting.postgres.report_inputs.journal import IS_ADJUSTING
from accounting.postgres.room_profiles import PROFILES, profiles_of
from casino.accounting.v1.cage_event_pb2 import CageEvent, CloseOverride
from casino.accounting.v1.service_pb2 import (
    DAY_STATE_CLOSED,
    DAY_STATE_COUNTED,
    DAY_STATE_OPEN,
    DAY_STATE_RECONCILED,
    DayCheck,
    DayState,
)
from runtime.database.query import Row, Snapshot
from runtime.positions import Partition

SLIP_DAYS: Final = 31
"""How many gaming days before and after are looked through for the numbers of a series."""
LACKING_MAX: Final = 200
"""Lines of one check: what is more is told by its number."""

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
    CAUGHT_UP: "the ledger has read every topic to its end",
    TABLES_CLOSED: "every table that was open has a closer",
    TABLES_COUNTED: "every drop box was counted",
    COUNT_TEAMS: "every count team is large enough and has nobody from surveillance",
    SLIPS: "slips are without gaps or explained, and every fill and credit has both halves",
    ROUNDS: "every round is complete, and its rules are known",
    ALERTS: "surveillance has no open alert of the first level",
    RECONCILED: "somebody went through the reconciliation after the last count",
    EARLIER_DAYS: "earlier days are closed",
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
# From day to day through the index: rounds of years are not looked at one by one.
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
    "fill_issued": ("fill_received", "the table did not report that it got fill {}"),
    "fill_received": ("fill_issued", "the cage did not enter fill {}"),
    "credit_accepted": ("credit_sent", "the table did not report that it sent credit {}"),
    "credit_sent": ("credit_accepted", "the cage did not enter credit {}"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """A day as it stands in one snapshot."""

    checks: tuple[DayCheck, ...]
    state: DayState.ValueType
    positions: Mapping[Partition, int]
    closed_by: str = ""
    override: CloseOverride | None = None
    adjustments: int = 0

    @property
    def unmet(self) -> list[str]:
        return [each.name for each in self.checks if not each.met]


class Days:
    """Looks at days. `recount_required`: whether a verifier must have counted again."""

    def __init__(self, *, prefix: str, recount_required: bool) -> None:
        self._prefix = prefix
        self._recount_required = recount_required

    async def look(
        self, ledger: Snapshot, day: date, ends: Mapping[Partition, int], alerts: Iterable[str]
    ) -> Look:
        """`ends`: where the topics ended before the snapshot; `alerts`: what is lacking there."""
        positions = await self._positions(ledger)
        tables = await ledger.ask(_TABLES, {"day": day})
        boxes = await ledger.ask(_BOXES, {"day": day})
        (marks,) = await ledger.ask(_RECONCILED, {"day": day})
        rounds = await ledger.ask(_ROUNDS, {"day": day})
        lacking = {
            CAUGHT_UP: _behind(ends, positions),
            TABLES_CLOSED: [
                f"{each['table_id']}: no closer" for each in tables if not each["closed"]
            ],
            TABLES_COUNTED: list(_uncounted(tables, boxes, self._recount_required)),
            COUNT_TEAMS: await _teams(ledger, day),
            SLIPS: await self._slips(ledger, day),
            ROUNDS: [f"{each['table_id']}, {each['round']}: {each['status']}" for each in rounds],
            ALERTS: list(alerts),
            RECONCILED: list(_unreconciled(marks)),
            EARLIER_DAYS: [
                f"{each['gaming_day']} is not closed"
                for each in await ledger.ask(_EARLIER, {"day": day})
            ],
        }
        checks = tuple(_check(name, lines) for name, lines in lacking.items())
        closed = await ledger.ask(_CLOSED, {"day": day})
        if closed:
            event = CageEvent.FromString(closed[0]["value"])
            override = event.day_closed.override if event.day_closed.HasField("override") else None
            (late,) = await ledger.ask(_ADJUSTMENTS, {"day": day})
            return Look(
                checks, DAY_STATE_CLOSED, positions, closed[0]["closed_by"], override, late["count"]
            )
        counted = bool(tables) and not lacking[TABLES_CLOSED] and not lacking[TABLES_COUNTED]
        state = DAY_STATE_COUNTED if counted else DAY_STATE_OPEN
        if counted and not lacking[RECONCILED]:
            state = DAY_STATE_RECONCILED
        return Look(checks, state, positions)

    async def _positions(self, ledger: Snapshot) -> dict[Partition, int]:
        """Of the topics without their prefix."""
        rows = await ledger.ask(_POSITIONS, [CONSUMER])
        return {
            Partition(row["topic"].removeprefix(self._prefix), row["partition"]): row["next_offset"]
            for row in rows
        }

    async def _slips(self, ledger: Snapshot, day: date) -> list[str]:
        window = timedelta(days=SLIP_DAYS)
        slips = await ledger.ask(_SLIPS, {"from": day - window, "until": day + window})
        explained = [
            Explained(each.series, each.first, each.last)
            for row in await ledger.ask(_EXPLAINED, {"from": day - window})
            for each in [CageEvent.FromString(row["value"]).slips_explained]
        ]

        def names(is_meant: Callable[[date], bool]) -> list[str]:
            return [each["name"] for each in slips if is_meant(each["gaming_day"])]

        missing = gaps(
            names(lambda of: of == day),
            names(lambda of: of < day),
            names(lambda of: of > day),
            explained,
        )
        return [*missing, *_halves(day, slips)]


async def _teams(ledger: Snapshot, day: date) -> list[str]:
    """Counts whose team breaks the rule that holds for the day."""
    rows = await ledger.ask(PROFILES, [])
    name = day.isoformat()
    profile = profile_on(profiles_of(row["value"] for row in rows), name)
    return [
        f"{row['table_id']}: box {row['name']}: {remark}"
        for row in await ledger.ask(_TEAMS, {"day": day})
        for remark in team_remarks(row["signers"], profile, name)
    ]


def _behind(ends: Mapping[Partition, int], positions: Mapping[Partition, int]) -> list[str]:
    lags: dict[str, int] = {}
    for place, end in ends.items():
        lag = end - positions.get(place, 0)
        if lag > 0:
            lags[place.topic] = lags.get(place.topic, 0) + lag
    return [f"{topic}: {lag} messages are not read" for topic, lag in sorted(lags.items())]


def _uncounted(
    tables: Iterable[Row], boxes: Iterable[Row], recount_required: bool
) -> Iterable[str]:
    of: dict[str, list[Row]] = {}
    for box in boxes:
        of.setdefault(box["table_id"], []).append(box)
    for name in sorted({each["table_id"] for each in tables} | of.keys()):
        if name not in of:
            yield f"{name}: no box was counted"
        for box in of.get(name, ()):
            if not box["counted"]:
                yield f"{name}: box {box['name']} was not counted"
            elif recount_required and not box["recounted"]:
                yield f"{name}: box {box['name']} was not counted again by a verifier"


def _halves(day: date, slips: Iterable[Row]) -> Iterable[str]:
    """Both halves may be on two days: a fill that leaves the cage just before the roll-over."""
    seen = {(each["kind"], each["table_id"], each["name"]) for each in slips}
    for kind, table, name in sorted(
        {
            (each["kind"], each["table_id"], each["name"])
            for each in slips
            if each["gaming_day"] == day and each["kind"] in OTHER_HALF
        }
    ):
        other, words = OTHER_HALF[kind]
        if (other, table, name) not in seen:
            yield f"{table}: {words.format(name)}"


def _unreconciled(marks: Row) -> Iterable[str]:
    if marks["reconciled"] is None:
        yield "nobody went through it yet"
    elif marks["counted"] is not None and marks["counted"] > marks["reconciled"]:
        yield "a box was counted after that"


def _check(name: str, lacking: list[str]) -> DayCheck:
    lines = lacking[:LACKING_MAX]
    if len(lacking) > LACKING_MAX:
        lines.append(f"and {len(lacking) - LACKING_MAX} more")
    return DayCheck(name=name, words=WORDS[name], met=not lacking, lacking=lines)
