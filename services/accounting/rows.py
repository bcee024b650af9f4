"""What a batch adds to the tables: gathered first, then copied in, all or nothing."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import date
from typing import Any, Final

from psycopg import Connection, sql

from accounting.domain.entry import Entry
from bookkeeping.accounts import Account

Row = tuple[Any, ...]

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "accounts": ("id", "code", "class", "kind", "table_id", "game", "wager", "promotion"),
    "entries": (
        "gaming_day", "id", "kind", "at", "table_id", "round", "version", "seq", "author",
        "reason", "source_topic", "source_partition", "source_offset",
    ),
    "transfers": ("gaming_day", "entry_id", "line", "debit", "credit", "cents"),
    "wagers": (
        "gaming_day", "table_id", "round", "opening_seq", "version", "sign", "seat", "hand",
        "wager", "tip", "patron", "result", "payment", "stake", "placed", "owed", "least", "most",
        "taken", "paid", "collected", "difference", "coupon", "promotion", "coupon_face",
        "coupon_owed", "coupon_spent",
    ),
    "rounds": (
        "table_id", "round", "opening_seq", "version", "digest", "takes_back", "gaming_day",
        "status", "game", "rule_set", "dealer", "supervisor", "opened_at", "source_partition",
        "source_offset",
    ),
    "cash": (
        "table_id", "seq", "kind", "gaming_day", "at", "cents", "tender", "patron", "seat", "name",
        "signers", "inventory", "source_partition", "source_offset",
    ),
    "cage": (
        "event_id", "kind", "gaming_day", "at", "recorded_at", "author", "table_id", "cents",
        "patron", "name", "signers", "value", "source_offset",
    ),
    "drop_counts": (
        "event_id", "gaming_day", "table_id", "box", "sign", "kind", "denomination", "count",
    ),
    "closed_days": ("gaming_day", "event_id", "closed_by", "closed_at", "positions"),
    "promotions": ("promotion", "terms"),
    "desk": ("event_id", "kind", "gaming_day", "at", "author", "value", "source_offset"),
    "coupons": (
        "serial", "promotion", "patron", "face", "issued_at", "gaming_day", "expires_at",
        "event_id",
    ),
    "coupon_ends": (
        "serial", "what", "promotion", "face", "at", "gaming_day", "table_id", "patron", "paid",
        "reason", "event_id",
    ),
    "rule_sets": ("rule_set", "definition"),
    "findings": (
        "table_id", "id", "seq", "source_offset", "is_withdrawal", "gaming_day", "kind", "level",
        "at", "round", "cents", "text",
    ),
    "refusals": ("topic", "partition", "offset", "at", "code", "reason", "author"),
}  # fmt: skip
PARTITIONED: Final = frozenset({"entries", "transfers", "wagers"})


class Rows:
    """Of one batch."""

    def __init__(self) -> None:
        self.of: dict[str, list[Row]] = {name: [] for name in COLUMNS}
        self.accounts: dict[int, Account] = {}
        self.days: set[date] = set()

    def add(self, table: str, row: Row) -> None:
        self.of[table].append(row)

    def add_entry(self, entry: Entry, day: date) -> None:
        """An entry and its transfers; nothing where it moves nothing."""
        if not entry.transfers:
            return
        self.days.add(day)
        source = entry.source
        self.of["entries"].append(
            (
                day,
                entry.id,
                entry.kind,
                entry.at,
                entry.table,
                entry.round,
                entry.version,
                entry.seq,
                entry.author,
                entry.reason,
                source.topic,
                source.partition,
                source.offset,
            )
        )
        transfers, accounts = self.of["transfers"], self.accounts
        entry_id = entry.id
        for line, (debit, credit, cents) in enumerate(entry.transfers, 1):
            accounts[debit.id] = debit
            accounts[credit.id] = credit
            transfers.append((day, entry_id, line, debit.id, credit.id, cents))

    def account_rows(self, known: Container[int]) -> Iterable[Row]:
        """Of accounts whose ids are not known yet."""
        fresh = (each for number, each in self.accounts.items() if number not in known)
        for each in sorted(fresh, key=lambda account: account.code):
            yield (
                each.id, each.code, each.account_class.value, each.kind.value, each.table,
                each.game, each.wager, each.promotion,
            )  # fmt: skip

    def copy(self, connection: Connection[Any]) -> None:
        """Within the caller's transaction. The partitions of the days must be there."""
        for table, rows in self.of.items():
            if rows:
                _copy(connection, table, rows)


def _copy(connection: Connection[Any], table: str, rows: list[Row]) -> None:
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, COLUMNS[table]))
    )
    with connection.cursor().copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
