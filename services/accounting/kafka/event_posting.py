"""Shared parts of posting an event that a person entered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from psycopg import Connection

from accounting.domain.entry import LedgerEntry, LogPosition, entry_id
from accounting.grpc.errors import PostingRejected
from accounting.kafka.decoder import plain, read_day, read_time
from accounting.postgres.batch_writer import COLUMNS, BatchRows
from bookkeeping.transfers import Change, pair_off
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent

REASON_MAX: Final = 2_000


class EventPosting:
    """One event against the earlier events of its topic."""

    home: ClassVar[str]
    """The table of the posted events of the topic; also the prefix of their entry ids."""

    def __init__(self, connection: Connection[Any], event: CageEvent | PromotionEvent) -> None:
        self.connection = connection
        self._raw_id = event.event_id
        self.event_id = plain(event.event_id)
        self.author = plain(event.author)
        self.kind: str = event.WhichOneof("fact") or ""
        self.day = read_day(event.gaming_day)
        self.at = read_time(event.at)
        self.table = ""
        self.round = ""
        self.reason = ""

    def changes(self) -> list[Change]:
        """The changes on the accounts; also collects the fields of the rows."""
        raise NotImplementedError

    def write(self, encoded: bytes, source: LogPosition) -> None:
        """Insert the rows at once: the next event of the batch is validated against them."""
        raise NotImplementedError

    def check(self) -> None:
        """Raises the errors that posting would raise now; writes nothing."""
        self._check_id()
        pair_off(self.changes())

    def post(self, rows: BatchRows, encoded: bytes, source: LogPosition) -> None:
        """Adds its rows in the caller's transaction, or raises `PostingRejected` or `NotBookable`.

        The same bytes again are a copy, and ignored.
        """
        if self.finds(f"{self._seen} AND value = %s", [self.event_id, encoded]):
            return
        self._check_id()
        transfers = tuple(pair_off(self.changes()))
        self.write(encoded, source)
        entry = LedgerEntry(
            entry_id(self.home, self._raw_id),
            self.day.isoformat(),
            self.kind,
            self.at,
            source,
            transfers,
            table=self.table,
            round=self.round,
            author=self.author,
            reason=self.reason[:REASON_MAX],
        )
        rows.add_entry(entry, self.day)

    def finds(self, query: str, values: Sequence[Any]) -> bool:
        return self.connection.execute(query.encode(), values).fetchone() is not None

    def insert(self, table: str, rows: Sequence[tuple[Any, ...]], *, again: str = "") -> None:
        """Insert rows; `again` is the clause for rows that exist already."""
        if not rows:
            return
        columns = ", ".join(COLUMNS[table])
        places = ", ".join(["%s"] * len(rows[0]))
        query = f"INSERT INTO {table} ({columns}) VALUES ({places}){again}"
        with self.connection.cursor() as cursor:
            cursor.executemany(query.encode(), rows)

    def rejection(self, code: str, reason: str) -> PostingRejected:
        return PostingRejected(code, reason, self.author)

    @property
    def _seen(self) -> str:
        return f"SELECT 1 FROM {self.home} WHERE event_id = %s"

    def _check_id(self) -> None:
        if self.finds(self._seen, [self.event_id]):
            raise self.rejection("duplicate", f"Event {self.event_id} was entered before.")
