"""Posts the entries of the cage, the count room and accountants, in the order of the log.

A command was validated against the whole ledger before it was appended. Here its event is
validated again, against its own topic alone, so that two events that were appended at once cannot
both count, and a rebuild gives the same result.
"""

from __future__ import annotations

from typing import Any, Final

from psycopg import Connection
from psycopg.types.json import Jsonb

from accounting.domain import cage
from accounting.domain.cage import DropLine, checked_count
from accounting.domain.cash import changes as cash_changes
from accounting.domain.cash import checked, value
from accounting.domain.entry import LogPosition
from accounting.kafka.decoder import counted_of, inventory_of, plain, read_time
from accounting.kafka.event_posting import EventPosting
from accounting.postgres.room_profiles import read_profile
from blackjack.facts import TableClosed, TableOpened
from bookkeeping.errors import NotBookable
from bookkeeping.transfers import Change
from casino.accounting.v1.cage_event_pb2 import INVENTORY_KIND_OPENER, CageEvent

CURRENCY: Final = "USD"
ADJUSTED_BY: Final = "entry_posted"
"""The only fact that a closed day takes, if it is marked as adjusting."""

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


class CagePosting(EventPosting):
    """One event against the earlier events of `cage-events`."""

    home = "cage"

    def __init__(self, connection: Connection[Any], event: CageEvent) -> None:
        super().__init__(connection, event)
        self._event = event
        self.table = plain(event.table_id)
        self.round = plain(event.entry_posted.round) if self.kind == ADJUSTED_BY else ""
        self.cents = 0
        self.patron = ""
        self.name = ""
        self.signers: list[str] = []
        self._counts: tuple[DropLine, ...] = ()
        self._before: tuple[DropLine, ...] = ()

    def changes(self) -> list[Change]:
        self._check_day()
        event = self._event
        match self.kind:
            case "fill_issued" | "credit_accepted":
                slip = event.fill_issued if self.kind == "fill_issued" else event.credit_accepted
                self.name, self.signers = plain(slip.slip), list(map(plain, slip.signers))
                self.cents = checked(value(inventory_of(slip.inventory)))
                self._needs_table()
                self._once(f"Slip {self.name}")
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
                return self._manual_entry()
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
                    raise self.rejection("no_day", str(wrong)) from None
            case "day_reconciled":
                self.reason = plain(event.day_reconciled.note)
            case _:
                pass
        return []

    def write(self, encoded: bytes, source: LogPosition) -> None:
        event = self._event
        recorded_at = read_time(event.recorded_at)
        row = (
            self.event_id, self.kind, self.day, self.at, recorded_at, self.author, self.table,
            self.cents, self.patron, self.name, self.signers, encoded, source.offset,
        )  # fmt: skip
        self.insert("cage", [row])
        counts = [
            (
                self.event_id, self.day, self.table, self.name, sign, line.kind,
                line.denomination_cents, line.count,
            )
            for sign, lines in ((-1, self._before), (1, self._counts))
            for line in lines
        ]  # fmt: skip
        self.insert("drop_counts", counts)
        if self.kind == "day_closed":
            positions = {
                f"{position.topic}/{position.partition}": position.offset
                for position in event.day_closed.positions
            }
            closed = (self.day, self.event_id, self.author, recorded_at, Jsonb(positions))
            self.insert("closed_days", [closed])

    def _check_day(self) -> None:
        closed = self.connection.execute(_CLOSED, [self.day]).fetchone()
        adjusting = self.kind == ADJUSTED_BY and self._event.entry_posted.adjusting
        if closed is not None and not adjusting:
            raise self.rejection(
                "day_closed",
                f"Gaming day {self.day} is closed, by {closed[0]}: enter an adjusting entry.",
            )
        if closed is None and adjusting:
            raise self.rejection(
                "day_open", f"Gaming day {self.day} is not closed: enter it as a normal entry."
            )

    def _drop(self, counts: tuple[DropLine, ...], *, again: bool) -> list[Change]:
        self._needs_table()
        self._counts = checked_count(counts)
        self.cents = cage.drop_cents(self._counts)
        place = [self.day, self.table, self.name]
        found = self.connection.execute(_COUNTS, [*place, *place, COUNTING]).fetchall()
        counted = self.finds(
            f"{_NAMED} AND name = %s", ["drop_counted", self.day, self.table, self.name]
        )
        if again:
            if not counted:
                raise self.rejection(
                    "not_counted", f"Box {self.name} is not counted yet: enter the first count."
                )
            self._once(f"Box {self.name}")
            self._before = tuple(DropLine(*row) for row in found)
        elif counted:
            raise self.rejection(
                "duplicate",
                f"Box {self.name} of {self.table} is already counted: enter a recount.",
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
        if self.finds(_NAMED, [self.kind, self.day, self.table]):
            raise self.rejection(
                "duplicate",
                f"{self.table} already has a {self.kind} of {self.day}: enter a different count as"
                " an error slip.",
            )
        kind = TableOpened if opens else TableClosed
        return cash_changes(self.table, kind(inventory, self.name, signers))

    def _manual_entry(self) -> list[Change]:
        posted = self._event.entry_posted
        self.reason = posted.reason.replace("\0", "�")
        if posted.currency not in ("", CURRENCY):
            raise self.rejection(
                "currency",
                f"Invalid currency {posted.currency}: expected {CURRENCY}.",
            )
        if not self.reason.strip():
            raise self.rejection("no_reason", "Missing reason of a manual entry.")
        if len(posted.lines) < 2:
            raise self.rejection("unbalanced", "Invalid entry: expected at least two lines.")
        return cage.manual_entry((line.account, line.cents) for line in posted.lines)

    def _once(self, what: str) -> None:
        """Raises `PostingRejected` if the slip or the box already has such a fact, on any day."""
        query = "SELECT gaming_day FROM cage WHERE kind = %s AND table_id = %s AND name = %s"
        seen = self.connection.execute(query, [self.kind, self.table, self.name]).fetchone()
        if seen is not None and (self.kind not in COUNTING or seen[0] == self.day):
            raise self.rejection(
                "duplicate",
                f"{what} of {self.table} was entered before: check its number, or correct it with a"
                " manual entry.",
            )

    def _needs_table(self) -> None:
        if not self.table:
            raise self.rejection("no_table", "Missing table.")
        if not self.name and self.kind != "inventory_counted":
            raise self.rejection("no_number", "Missing slip or box number.")
