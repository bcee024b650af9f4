"""What cage, count room and accountants entered, into the ledger, in the order of the log.

Whoever appended an event has checked it against all that was known then. Here it is checked again
against what its own topic holds, so that two that were appended at once cannot both count: that
gives the same verdict whenever the ledger is made anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from psycopg import Connection
from psycopg.types.json import Jsonb

from accounting.domain import cage
from accounting.domain.cage import DropLine, checked_count
from accounting.domain.cash import changes as cash_changes
from accounting.domain.cash import checked, value
from accounting.domain.entry import LedgerEntry, LogPosition, entry_id
from accounting.grpc.errors import MessageRejected
from accounting.kafka.decoding import counted_of, inventory_of, plain, read_day, read_time
from accounting.postgres.batch_writer import COLUMNS, BatchRows
from accounting.postgres.room_profiles import read_profile
from blackjack.facts import TableClosed, TableOpened
from bookkeeping.errors import NotBookable
from bookkeeping.transfers import Change, pair_off
from casino.accounting.v1.cage_event_pb2 import INVENTORY_KIND_OPENER, CageEvent

CURRENCY: Final = "USD"
ADJUSTED_BY: Final = "entry_posted"
"""The one fact that a closed day takes, if it says that it is meant for it."""
REASON_MAX: Final = 2_000

_SEEN: Final = "SELECT 1 FROM cage WHERE event_id = %s"
_COPY: Final = "SELECT 1 FROM cage WHERE event_id = %s AND value = %s"
_CLOSED: Final = "SELECT closed_by FROM closed_days WHERE gaming_day = %s"
_NAMED: Final = "SELECT 1 FROM cage WHERE kind = %s AND gaming_day = %s AND table_id = %s"
_COUNTS: Final = """
SELECT kind, denomination, count FROM drop_counts
WHERE gaming_day = %s AND table_id = %s AND box = %s AND sign = 1 AND event_id = (
    SELECT event_id FROM cage
    WHERE gaming_day = %s AND table_id = %s AND name = %s AND kind = ANY(%s)
    ORDER BY source_offset DESC LIMIT 1
)
"""
COUNTING: Final = ["drop_counted", "drop_recounted"]


def post_cage_event(
    connection: Connection[Any],
    rows: BatchRows,
    event: CageEvent,
    encoded: bytes,
    source: LogPosition,
) -> None:
    """Adds its rows in the caller's transaction, or raises `MessageRejected` or `NotBookable`.

    The same bytes again are a copy, and ignored."""
    if connection.execute(_COPY, [plain(event.event_id), encoded]).fetchone() is not None:
        return
    posting = _Posting(connection, rows, event)
    posting.check()
    made = pair_off(posting.changes())
    posting.write(encoded, source)
    at = read_time(event.at)
    entry = LedgerEntry(
        entry_id("cage", event.event_id),
        event.gaming_day,
        posting.kind,
        at,
        source,
        tuple(made),
        table=plain(event.table_id),
        round=plain(event.entry_posted.round) if posting.kind == ADJUSTED_BY else "",
        author=plain(event.author),
        reason=posting.reason[:REASON_MAX],
    )
    rows.add_entry(entry, posting.day)


def check_cage_event(connection: Connection[Any], event: CageEvent) -> None:
    """Raises what posting it would raise, as the ledger is now; writes nothing."""
    posting = _Posting(connection, BatchRows(), event)
    posting.check()
    pair_off(posting.changes())


class _Posting:
    """One event against what its topic holds so far."""

    def __init__(self, connection: Connection[Any], rows: BatchRows, event: CageEvent) -> None:
        self._connection = connection
        self._rows = rows
        self._event = event
        self.kind: str = event.WhichOneof("fact") or ""
        self.day = read_day(event.gaming_day)
        self.table = plain(event.table_id)
        self.cents = 0
        self.patron = ""
        self.name = ""
        self.signers: list[str] = []
        self.reason = ""
        self._counts: tuple[DropLine, ...] = ()
        self._before: tuple[DropLine, ...] = ()

    def check(self) -> None:
        event = self._event
        if self._finds(_SEEN, [plain(event.event_id)]):
            raise self._rejected("duplicate", f"{event.event_id} was entered before")
        closed = self._connection.execute(_CLOSED, [self.day]).fetchone()
        adjusting = self.kind == ADJUSTED_BY and event.entry_posted.adjusting
        if closed is not None and not adjusting:
            raise self._rejected(
                "day_closed", f"{self.day} was closed by {closed[0]}: it takes adjusting entries"
            )
        if closed is None and adjusting:
            raise self._rejected(
                "day_open", f"{self.day} is not closed: it needs no adjusting entry"
            )

    def changes(self) -> list[Change]:
        """What it changes on the accounts; also notes what its row says."""
        event = self._event
        match self.kind:
            case "fill_issued" | "credit_accepted":
                slip = event.fill_issued if self.kind == "fill_issued" else event.credit_accepted
                self.name, self.signers = plain(slip.slip), list(map(plain, slip.signers))
                self.cents = checked(value(inventory_of(slip.inventory)))
                self._needs_table()
                self._once(f"slip {self.name}")
                book = cage.fill_issued if self.kind == "fill_issued" else cage.credit_accepted
                return book(self.table, self.cents)
            case "drop_counted":
                counted = event.drop_counted
                self.name, self.signers = plain(counted.box), list(map(plain, counted.team))
                return self._drop(counted_of(counted.counts), again=False)
            case "drop_recounted":
                recounted = event.drop_recounted
                self.name, self.signers = plain(recounted.box), [plain(recounted.verifier)]
                return self._drop(counted_of(recounted.counts), again=True)
            case "chips_redeemed":
                self.patron = plain(event.chips_redeemed.patron)
                self.cents = checked(event.chips_redeemed.cents)
                return cage.chips_redeemed(self.cents)
            case "inventory_counted":
                return self._inventory()
            case "entry_posted":
                return self._by_hand()
            case "day_closed":
                return [
                    change
                    for variance in event.day_closed.variances
                    for change in cage.written_off(
                        variance.table_id, variance.account, variance.cents
                    )
                ]
            case "slip_voided":
                voided = event.slip_voided
                self.name, self.signers = plain(voided.slip), list(map(plain, voided.signers))
                self.reason = plain(voided.reason)
            case "slips_explained":
                explained = event.slips_explained
                self.name, self.reason = plain(explained.series), plain(explained.reason)
            case "error_slip_written":
                slip_written = event.error_slip_written
                self.name = plain(slip_written.slip)
                self.signers = list(map(plain, slip_written.signers))
                self.cents, self.reason = slip_written.difference_cents, plain(slip_written.reason)
            case "room_profile_set":
                try:
                    read_profile(event)
                except NotBookable:
                    raise
                except ValueError as wrong:
                    raise self._rejected("no_day", str(wrong)) from None
            case "day_reconciled":
                self.reason = plain(event.day_reconciled.note)
            case _:
                pass
        return []

    def write(self, encoded: bytes, source: LogPosition) -> None:
        """At once, not with the batch: the next event of the batch is checked against it."""
        event, event_id = self._event, plain(self._event.event_id)
        row = (
            event_id, self.kind, self.day, read_time(event.at),
            read_time(event.recorded_at), plain(event.author), self.table, self.cents,
            self.patron, self.name, self.signers, encoded, source.offset,
        )  # fmt: skip
        self._insert("cage", row)
        for sign, counts in ((-1, self._before), (1, self._counts)):
            for line in counts:
                self._insert(
                    "drop_counts",
                    (
                        event_id,
                        self.day,
                        self.table,
                        self.name,
                        sign,
                        line.kind,
                        line.denomination_cents,
                        line.count,
                    ),
                )
        if self.kind == "day_closed":
            positions = {
                f"{position.topic}/{position.partition}": position.offset
                for position in event.day_closed.positions
            }
            at = read_time(event.recorded_at)
            closed = (self.day, event_id, plain(event.author), at, Jsonb(positions))
            self._insert("closed_days", closed)

    def _drop(self, counts: tuple[DropLine, ...], *, again: bool) -> list[Change]:
        self._needs_table()
        self._counts = checked_count(counts)
        self.cents = cage.drop_cents(self._counts)
        place = [self.day, self.table, self.name]
        found = self._connection.execute(_COUNTS, [*place, *place, COUNTING]).fetchall()
        counted = self._finds(
            f"{_NAMED} AND name = %s", ["drop_counted", self.day, self.table, self.name]
        )
        if again:
            if not counted:
                raise self._rejected(
                    "not_counted", f"box {self.name} was not counted yet: enter the first count"
                )
            self._once(f"box {self.name}")
            self._before = tuple(DropLine(*row) for row in found)
        elif counted:
            raise self._rejected(
                "duplicate",
                f"box {self.name} of {self.table} was counted before: enter a recount instead",
            )
        return cage.drop_counted(self.table, self._counts, self._before)

    def _inventory(self) -> list[Change]:
        counted = self._event.inventory_counted
        self._needs_table()
        inventory = inventory_of(counted.inventory)
        signers = tuple(map(plain, counted.signers))
        self.name, self.signers = plain(counted.slip), list(signers)
        opens = counted.kind == INVENTORY_KIND_OPENER
        self.kind = "opener" if opens else "closer"
        self.cents = value(inventory)
        if self._finds(_NAMED, [self.kind, self.day, self.table]):
            raise self._rejected(
                "duplicate",
                f"{self.table} has a {self.kind} of {self.day} already: what was counted otherwise"
                " is an error slip",
            )
        kind = TableOpened if opens else TableClosed
        return cash_changes(self.table, kind(inventory, self.name, signers))

    def _by_hand(self) -> list[Change]:
        posted = self._event.entry_posted
        self.reason = posted.reason.replace("\0", "�")
        if posted.currency not in ("", CURRENCY):
            raise self._rejected(
                "currency",
                f"the books are in {CURRENCY}, not in {posted.currency}: enter what it is in them",
            )
        if not self.reason.strip():
            raise self._rejected("no_reason", "an entry by hand needs a reason")
        if len(posted.lines) < 2:
            raise self._rejected("unbalanced", "an entry has two lines at least")
        return cage.posted_by_hand((line.account, line.cents) for line in posted.lines)

    def _once(self, what: str) -> None:
        """A slip or a box has one such fact, on whatever day."""
        query = "SELECT gaming_day FROM cage WHERE kind = %s AND table_id = %s AND name = %s"
        seen = self._connection.execute(query, [self.kind, self.table, self.name]).fetchone()
        if seen is not None and (self.kind not in COUNTING or seen[0] == self.day):
            raise self._rejected(
                "duplicate",
                f"{what} of {self.table} was entered before: look at its number; what was wrong in"
                " it is set right by an entry",
            )

    def _needs_table(self) -> None:
        if not self.table:
            raise self._rejected("no_table", "it does not say which table it is about")
        if not self.name and self.kind != "inventory_counted":
            raise self._rejected("no_number", "it has no number of a slip or a box")

    def _finds(self, query: str, values: Iterable[Any]) -> bool:
        return self._connection.execute(query.encode(), list(values)).fetchone() is not None

    def _insert(self, table: str, row: tuple[Any, ...]) -> None:
        columns = ", ".join(COLUMNS[table])
        places = ", ".join(["%s"] * len(row))
        query = f"INSERT INTO {table} ({columns}) VALUES ({places})"
        self._connection.execute(query.encode(), row)

    def _rejected(self, code: str, reason: str) -> MessageRejected:
        return MessageRejected(code, reason, plain(self._event.author))
