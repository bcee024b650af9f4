"""The rows of a batch: gathered first, then copied into the tables, all or nothing."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import date
from struct import Struct
from typing import Any, Final

from psycopg import Connection, sql

from accounting.domain.entry import LedgerEntry
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
        "signers", "inventory", "note", "source_partition", "source_offset",
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
        "table_id", "id", "seq", "source_partition", "source_offset", "is_withdrawal",
        "gaming_day", "kind", "level", "at", "round", "cents", "text",
    ),
    "refusals": ("topic", "partition", "offset", "at", "code", "reason", "author"),
}  # fmt: skip
PARTITIONED: Final = frozenset({"entries", "transfers", "wagers"})

# Half of all rows are transfers, and all of them have one length: as PostgreSQL reads them in
# binary they are packed in a third of the time that their text takes, and read sooner.
_BINARY_HEAD: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_BINARY_END: Final = b"\xff\xff"
_TRANSFER: Final = Struct("!h ii i16s ih iq iq iq")
"""Six fields, each after its length: day, entry, line, debit, credit, cents."""
_DAY_NONE: Final = date(2000, 1, 1).toordinal()
"""The epoch of PostgreSQL's dates."""
_ROWS_A_WRITE: Final = 1_000


class BatchRows:
    """The rows of one batch, by table."""

    def __init__(self) -> None:
        self.of: dict[str, list[Row]] = {name: [] for name in COLUMNS if name != "transfers"}
        self.transfers: list[bytes] = []
        """In PostgreSQL's binary format."""
        self.accounts: dict[int, Account] = {}
        self.days: set[date] = set()

    def add(self, table: str, row: Row) -> None:
        self.of[table].append(row)

    def add_entry(self, entry: LedgerEntry, day: date) -> None:
        """Add an entry and its transfers; nothing if it has no transfers."""
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
        transfers, accounts = self.transfers, self.accounts
        number, entry_id = day.toordinal() - _DAY_NONE, bytes.fromhex(entry.id)
        for line, (debit, credit, cents) in enumerate(entry.transfers, 1):
            to, by = debit.id, credit.id
            accounts[to] = debit
            accounts[by] = credit
            transfers.append(
                _TRANSFER.pack(6, 4, number, 16, entry_id, 2, line, 8, to, 8, by, 8, cents)
            )

    def account_rows(self, known: Container[int]) -> Iterable[Row]:
        """The rows of accounts whose ids are not known yet."""
        fresh = (account for number, account in self.accounts.items() if number not in known)
        for account in sorted(fresh, key=_code_of):
            yield (
                account.id, account.code, account.account_class.value, account.kind.value,
                account.table, account.game, account.wager, account.promotion,
            )  # fmt: skip

    def copy(self, connection: Connection[Any]) -> None:
        """Copy in the caller's transaction. The partitions of the days must exist."""
        for table, rows in self.of.items():
            if rows:
                with connection.cursor().copy(_statement(table)) as copy:
                    for row in rows:
                        copy.write_row(row)
        if self.transfers:
            binary = _statement("transfers") + sql.SQL(" (FORMAT binary)")
            with connection.cursor().copy(binary) as copy:
                copy.write(_BINARY_HEAD)
                for start in range(0, len(self.transfers), _ROWS_A_WRITE):
                    copy.write(b"".join(self.transfers[start : start + _ROWS_A_WRITE]))
                copy.write(_BINARY_END)


def _code_of(account: Account) -> str:
    return account.code


def _statement(table: str) -> sql.Composed:
    return sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, COLUMNS[table]))
    )
