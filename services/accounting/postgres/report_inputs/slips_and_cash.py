"""Slips with their signers, cash of patrons, and balances of accounts."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Final

from accounting.domain.reports.inputs import (
    AccountSums,
    DebitSale,
    LargeTransaction,
    PatronDay,
    SlipRecord,
)
from accounting.domain.reports.leaves import Leaf
from accounting.postgres.report_inputs.measures import CAGE, CASH, DAYS, MEASURES, sums
from accounting.postgres.report_inputs.scope import OF_TABLE, ReportScope
from accounting.postgres.report_inputs.snapshot import DatabaseSnapshot, Row
from casino.accounting.v1.cage_event_pb2 import CageEvent
from property_calendar.gaming_day import moment

BEFORE_DAYS: Final = 35
"""The days searched for the last number of a series before the days of the report."""

_TABLE_SLIPS: Final = f"""
SELECT c.gaming_day::text AS day, c.at, c.seq, c.kind, c.table_id, c.name, c.cents, c.signers
FROM cash c
WHERE {DAYS.format("c")} AND {OF_TABLE.format("c")}
    AND c.kind IN ('opener', 'closer', 'fill_received', 'credit_sent', 'box_removed')
ORDER BY c.table_id, c.seq
"""
_CAGE_SLIPS: Final = f"""
SELECT c.gaming_day::text AS day, c.at, c.event_id, c.kind, c.table_id, c.name, c.cents, c.signers,
    c.value
FROM cage c
WHERE {DAYS.format("c")} AND (c.table_id = '' OR {OF_TABLE.format("c")})
    AND c.kind IN ('opener', 'closer', 'fill_issued', 'credit_accepted', 'drop_counted',
        'slip_voided', 'slips_explained', 'error_slip_written')
ORDER BY c.source_offset
"""
_BEFORE: Final = """
SELECT c.gaming_day::text AS day, c.at, c.event_id, c.kind, c.table_id, c.name, c.cents, c.signers,
    c.value
FROM cage c
WHERE c.gaming_day BETWEEN %(before)s AND %(from_day)s - 1
    AND c.kind IN ('fill_issued', 'credit_accepted', 'slip_voided', 'slips_explained')
ORDER BY c.source_offset
"""
_INVENTORIES_BEFORE: Final = """
SELECT c.gaming_day::text AS day, c.at, c.kind, c.table_id, c.name, c.cents, c.signers
FROM cash c
WHERE c.gaming_day BETWEEN %(before)s AND %(from_day)s - 1 AND c.kind IN ('opener', 'closer')
UNION ALL
SELECT c.gaming_day::text, c.at, c.kind, c.table_id, c.name, c.cents, c.signers
FROM cage c
WHERE c.gaming_day BETWEEN %(before)s AND %(from_day)s - 1 AND c.kind IN ('opener', 'closer')
ORDER BY at
"""
_PATRON_CASH: Final = f"""
SELECT f.gaming_day::text AS day, f.patron, f.item, {sums(CASH)} FROM {CASH.rows} f
WHERE f.kind = 'sale' AND f.tender IN ('cash', 'debit') AND {DAYS.format("f")}
    AND {OF_TABLE.format("f")} GROUP BY 1, 2, 3
"""
_PATRON_CAGE: Final = f"""
SELECT f.gaming_day::text AS day, f.patron, f.item, {sums(CAGE)} FROM {CAGE.rows} f
WHERE f.kind = 'chips_redeemed' AND {DAYS.format("f")} AND {OF_TABLE.format("f")} GROUP BY 1, 2, 3
"""
_LARGE: Final = f"""
SELECT f.gaming_day::text AS day, f.patron, f.table_id, 'bought chips for' AS what, f.cents, f.at,
    f.item, f.seat, f.note, NULL::bytea AS value
FROM {CASH.rows} f WHERE {MEASURES[Leaf.SOLD_LARGE].where}
    AND {DAYS.format("f")} AND {OF_TABLE.format("f")}
UNION ALL
SELECT f.gaming_day::text, f.patron, f.table_id, 'redeemed chips for', f.cents, f.at,
    f.item, 0, '', f.value
FROM {CAGE.rows} f WHERE {MEASURES[Leaf.REDEEMED_LARGE].where}
    AND {DAYS.format("f")} AND {OF_TABLE.format("f")}
ORDER BY 1, 6, 2
"""
# A day before has at least 23 hours: the one before that may be within 24 hours of a sale.
_DEBITS: Final = f"""
SELECT f.gaming_day::text AS day, f.patron, f.table_id AS "table", f.at, f.cents,
    {DAYS.format("f")} AS is_in_range
FROM cash f WHERE {MEASURES[Leaf.SOLD_DEBIT].where}
    AND f.gaming_day BETWEEN %(from_day)s - 2 AND %(until_day)s
ORDER BY f.patron, f.at, f.table_id, f.seq
"""
ACCOUNTS: Final = """
SELECT a.code AS account, a.class AS account_class,
    sum(s.debit)::bigint AS debit, sum(s.credit)::bigint AS credit
FROM (
    SELECT t.debit AS id, sum(t.cents) AS debit, 0 AS credit FROM transfers t
    WHERE {days} GROUP BY 1
    UNION ALL
    SELECT t.credit, 0, sum(t.cents) FROM transfers t WHERE {days} GROUP BY 1
) s JOIN accounts a USING (id)
WHERE {accounts}
GROUP BY 1, 2 ORDER BY 1
"""


async def fetch_slips(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[SlipRecord]:
    values = {**scope.values, "before": scope.from_day - timedelta(days=BEFORE_DAYS)}
    table = await snapshot.fetch(_TABLE_SLIPS, values)
    cage = await snapshot.fetch(_CAGE_SLIPS, values)
    before = await snapshot.fetch(_BEFORE, values)
    inventories = await snapshot.fetch(_INVENTORIES_BEFORE, values)
    return [
        *(_slip(row, "cage", is_before=True) for row in before),
        *(_slip(row, "table", is_before=True) for row in inventories),
        *(_slip(row, "table") for row in table),
        *(_slip(row, "cage") for row in cage),
    ]


def _slip(row: Row, side: str, *, is_before: bool = False) -> SlipRecord:
    first = last = 0
    reason = ""
    if row["kind"] in ("slips_explained", "slip_voided", "error_slip_written"):
        event = CageEvent.FromString(bytes(row["value"]))
        if row["kind"] == "slips_explained":
            first, last = event.slips_explained.first, event.slips_explained.last
        reason = getattr(event, row["kind"]).reason
    return SlipRecord(
        day=row["day"],
        side=side,
        kind=row["kind"],
        table=row["table_id"],
        name=row["name"],
        cents=row["cents"],
        signers=tuple(row["signers"]),
        at=row["at"],
        seq=row.get("seq", 0),
        event_id=row.get("event_id", ""),
        reason=reason,
        first=first,
        last=last,
        is_before=is_before,
    )


async def fetch_patrons(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[PatronDay]:
    leaves = (Leaf.SOLD_CASH, Leaf.SOLD_DEBIT, Leaf.CHIPS_REDEEMED)
    found: dict[tuple[str, str, str], dict[Leaf, int]] = defaultdict(
        lambda: dict.fromkeys(leaves, 0)
    )
    for query in (_PATRON_CASH, _PATRON_CAGE):
        for row in await snapshot.fetch(query, scope.values):
            for leaf in leaves:
                found[row["day"], row["patron"], row["item"]][leaf] += row.get(leaf.value, 0)
    return [PatronDay(day, patron, of, item) for (day, patron, item), of in sorted(found.items())]


async def fetch_large(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[LargeTransaction]:
    return [_large(row) for row in await snapshot.fetch(_LARGE, scope.values)]


def _large(row: Row) -> LargeTransaction:
    seat, note = row["seat"], row["note"]
    if row["value"] is not None:
        redeemed = CageEvent.FromString(bytes(row["value"])).chips_redeemed
        seat, note = redeemed.seat, redeemed.note
    return LargeTransaction(
        row["day"], row["patron"], row["table_id"], row["what"], row["cents"],
        row["at"], row["item"], f"{moment(row['at']):%Y-%m-%d %H:%M:%S} UTC", seat, note,
    )  # fmt: skip


async def fetch_debits(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[DebitSale]:
    """Debit sales at all tables: the limit applies to the patron."""
    return [DebitSale(**row) for row in await snapshot.fetch(_DEBITS, scope.values)]


async def fetch_accounts(snapshot: DatabaseSnapshot, scope: ReportScope) -> list[AccountSums]:
    accounts = "true" if not scope.table else "a.table_id = %(table)s"
    query = ACCOUNTS.format(days=DAYS.format("t"), accounts=accounts)
    return [AccountSums(**row) for row in await snapshot.fetch(query, scope.values)]
