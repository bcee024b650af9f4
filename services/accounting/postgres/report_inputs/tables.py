"""Trays, boxes and sales, by day and table; and causes of a tray variance."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from accounting.domain.reports.inputs import (
    Correction,
    ErrorSlip,
    ManualEntryLine,
    TableDay,
    TrayFinding,
)
from accounting.domain.reports.leaves import Leaf
from accounting.postgres.report_inputs.measures import CAGE, CASH, COUNTED, DAYS, of_source, sums
from accounting.postgres.report_inputs.scope import OF_TABLE, ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot
from blackjack.play.betting import AMOUNT_CENTS_MAX
from bookkeeping.accounts import AccountKind, parse
from casino.accounting.v1.cage_event_pb2 import CageEvent

_CASH: Final = f"""
SELECT f.gaming_day::text AS day, f.table_id,
    count(*) FILTER (WHERE f.kind = 'opener') AS openers,
    count(*) FILTER (WHERE f.kind = 'closer') AS closers,
    {sums(CASH)}
FROM cash f WHERE {DAYS.format("f")} AND {OF_TABLE.format("f")} GROUP BY 1, 2
"""
_CAGE: Final = f"""
SELECT f.gaming_day::text AS day, f.table_id,
    count(*) FILTER (WHERE f.kind = 'opener') AS openers,
    count(*) FILTER (WHERE f.kind = 'closer') AS closers,
    count(*) FILTER (WHERE f.kind = 'drop_counted') AS counts,
    {sums(CAGE)}
FROM cage f WHERE {DAYS.format("f")} AND f.table_id <> '' AND {OF_TABLE.format("f")} GROUP BY 1, 2
"""
_COUNTED: Final = f"""
SELECT f.gaming_day::text AS day, f.table_id, {sums(COUNTED)}
FROM drop_counts f WHERE {DAYS.format("f")} AND {OF_TABLE.format("f")} GROUP BY 1, 2
"""
_UNCOUNTED: Final = f"""
SELECT c.gaming_day::text AS day, c.table_id, count(DISTINCT c.name) AS uncounted FROM cash c
WHERE c.kind = 'box_removed' AND {DAYS.format("c")} AND {OF_TABLE.format("c")}
    AND NOT EXISTS (
        SELECT FROM cage d WHERE d.gaming_day = c.gaming_day AND d.kind = 'drop_counted'
            AND d.table_id = c.table_id AND d.name = c.name
    )
GROUP BY 1, 2
"""
# A finding may be withdrawn and published again: the last message counts. The difference between an
# opener and the closer before it lies between two days, and belongs to neither.
_FINDINGS: Final = f"""
SELECT DISTINCT ON (f.table_id, f.id) f.gaming_day::text AS day, f.table_id, f.round, f.seq,
    f.at, f.kind, f.cents, f.text
FROM findings f
WHERE {DAYS.format("f")} AND {OF_TABLE.format("f")} AND NOT f.is_withdrawal AND f.cents <> 0
    AND (
        f.kind IN (
            'tray.changed', 'tray.variance', 'nonsense.no_such_wager', 'nonsense.out_of_place',
            'log.out_of_reach'
        )
        OR (f.round = '' AND f.kind IN ('payout.paid_loser', 'payout.took_winner'))
    )
    AND NOT EXISTS (
        SELECT FROM findings b WHERE b.table_id = f.table_id AND b.id = f.id AND b.is_withdrawal
            AND b.source_offset > f.source_offset
    )
    AND NOT EXISTS (
        SELECT FROM cash o WHERE o.table_id = f.table_id AND o.seq = f.seq AND o.kind = 'opener'
    )
ORDER BY f.table_id, f.id, f.source_offset DESC
"""
# The last round of that name opened before the correction, whatever its day. A correction without a
# wager, or of a round out of reach, belongs to no round: its finding explains it.
_CORRECTIONS: Final = f"""
SELECT c.gaming_day::text AS day, r.gaming_day::text AS round_day, c.table_id AS "table",
    c.name AS round, r.opening_seq, c.seq, c.at, c.cents
FROM cash c CROSS JOIN LATERAL (
    SELECT r.gaming_day, r.opening_seq FROM rounds r
    WHERE r.table_id = c.table_id AND r.round = c.name AND r.opening_seq < c.seq
    ORDER BY r.opening_seq DESC, r.version DESC LIMIT 1
) r
WHERE c.kind = 'correction' AND c.gaming_day >= %(from_day)s AND {OF_TABLE.format("c")}
    AND c.gaming_day <> r.gaming_day
    AND ({DAYS.format("c")} OR {DAYS.format("r")})
    AND abs(c.cents) BETWEEN 1 AND {AMOUNT_CENTS_MAX}
    AND NOT EXISTS (
        SELECT FROM findings f WHERE f.table_id = c.table_id AND f.seq = c.seq AND f.cents <> 0
            AND f.kind IN ('nonsense.no_such_wager', 'log.out_of_reach')
    )
ORDER BY c.table_id, c.seq
"""
_ENTERED: Final = f"""
SELECT c.gaming_day::text AS day, c.at, c.event_id, c.table_id, c.name, c.cents, c.author, c.value
FROM cage c
WHERE {DAYS.format("c")} AND c.kind = %(kind)s ORDER BY c.source_offset
"""
ON_HAND: Final = (AccountKind.TRAY, AccountKind.BOX)


async def fetch_tables(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[TableDay]:
    """Every table with a reported or counted amount."""
    found: dict[tuple[str, str], dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    leaves = of_source(CASH, CAGE, COUNTED)
    for query in (_CASH, _CAGE, _COUNTED, _UNCOUNTED):
        for row in await snapshot.fetch(query, scope.values):
            day, table = row.pop("day"), row.pop("table_id")
            for name, number in row.items():
                found[day, table][name] += number
    return [
        TableDay(
            day=day,
            table=table,
            sums={leaf: row[leaf.value] for leaf in leaves if leaf is not Leaf.CHIPS_REDEEMED},
            openers=row["openers"],
            closers=row["closers"],
            counts=row["counts"],
            uncounted=row["uncounted"],
        )
        for (day, table), row in sorted(found.items())
    ]


async def fetch_findings(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[TrayFinding]:
    rows = await snapshot.fetch(_FINDINGS, scope.values)
    found = [
        TrayFinding(
            day=row["day"],
            table=row["table_id"],
            round=row["round"],
            seq=row["seq"],
            at=row["at"],
            kind=row["kind"],
            effect=-row["cents"],
            text=row["text"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda finding: (finding.day, finding.table, finding.seq))


async def fetch_corrections(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[Correction]:
    """Corrections whose chips moved, or whose round was played, on these days."""
    return [Correction(**row) for row in await snapshot.fetch(_CORRECTIONS, scope.values)]


async def fetch_by_hand(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[ManualEntryLine]:
    """Lines of manual entries on trays and boxes."""
    found: list[ManualEntryLine] = []
    for row in await snapshot.fetch(_ENTERED, {**scope.values, "kind": "entry_posted"}):
        posted = CageEvent.FromString(bytes(row["value"])).entry_posted
        for line in posted.lines:
            account = parse(line.account)
            if account.kind in ON_HAND and scope.table in ("", account.table):
                found.append(
                    ManualEntryLine(
                        day=row["day"],
                        table=account.table,
                        account=account.kind.value,
                        cents=line.cents,
                        author=row["author"],
                        reason=posted.reason,
                        at=row["at"],
                        event_id=row["event_id"],
                    )
                )
    return found


async def fetch_rounds_by_hand(
    snapshot: DatabaseSnapshot, scope: ReportScope
) -> set[tuple[str, str]]:
    """Table and round of manual entries that name a round; the table may be empty."""
    rows = await snapshot.fetch(_ENTERED, {**scope.values, "kind": "entry_posted"})
    named = (
        (row["table_id"], CageEvent.FromString(bytes(row["value"])).entry_posted.round)
        for row in rows
    )
    return {name for name in named if name[1]}


async def fetch_error_slips(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[ErrorSlip]:
    rows = await snapshot.fetch(_ENTERED, {**scope.values, "kind": "error_slip_written"})
    return [
        ErrorSlip(
            row["day"],
            row["table_id"],
            row["name"],
            row["cents"],
            CageEvent.FromString(bytes(row["value"])).error_slip_written.reason,
            row["at"],
            row["event_id"],
        )
        for row in rows
        if scope.table in ("", row["table_id"])
    ]
