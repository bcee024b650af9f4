"""Commands of the cage, the count room and accountants: validation and remarks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from psycopg import Connection

from accounting.domain.cage import drop_cents
from accounting.domain.cash import checked, value
from accounting.domain.checks import (
    ERROR_SLIP_SIGNERS,
    INVENTORY_SIGNERS,
    TRANSFER_SIGNERS,
    cash_out_remarks,
    commission_remarks,
    opener_remarks,
    recount_remarks,
    signers_remarks,
    verifier_remarks,
)
from accounting.domain.count_team import profile_on, team_remarks
from accounting.grpc.command_handler import (
    check_dates,
    check_table,
    read_fact,
    reject_back_dated,
    stamp,
    with_first_values,
)
from accounting.grpc.errors import AlreadyEntered, CommandConflict, InvalidCommand
from accounting.grpc.promotion_commands import known_terms
from accounting.kafka.cage_posting import CagePosting
from accounting.kafka.decoder import counted_of, inventory_of, read_time
from accounting.postgres.room_profiles import fetch_profiles
from bookkeeping.accounts import parse
from casino.accounting.v1.cage_event_pb2 import (
    INVENTORY_KIND_CLOSER,
    INVENTORY_KIND_OPENER,
    CageEvent,
    EntryPosted,
)
from property_calendar.gaming_day import Calendar
from wire import topics

DAYS_BACK: Final = 31
"""The gaming days back that are searched for the last closer."""
ABOUT_A_TABLE: Final = frozenset(
    {
        "fill_issued", "credit_accepted", "drop_counted", "drop_recounted", "inventory_counted",
        "error_slip_written", "chips_redeemed",
    }
)  # fmt: skip
_FIND: Final = "SELECT value FROM cage WHERE event_id = %s"
_REMOVED: Final = """
SELECT gaming_day FROM cash
WHERE kind = 'box_removed' AND table_id = %s AND name = %s AND at <= %s ORDER BY at DESC LIMIT 1
"""
_COUNTED: Final = """
SELECT gaming_day FROM cage
WHERE kind = 'drop_counted' AND table_id = %s AND name = %s ORDER BY source_offset DESC LIMIT 1
"""
_REPORTED: Final = "SELECT 1 FROM cash WHERE gaming_day = %s AND table_id = %s AND kind = %s"
_CLOSER: Final = """
SELECT cents FROM (
    SELECT cents, at FROM cash
    WHERE gaming_day BETWEEN %(from)s AND %(day)s AND table_id = %(table)s AND kind = 'closer'
    UNION ALL
    SELECT cents, at FROM cage
    WHERE gaming_day BETWEEN %(from)s AND %(day)s AND table_id = %(table)s AND kind = 'closer'
) closers WHERE at < %(at)s ORDER BY at DESC LIMIT 1
"""
_ERROR_SLIP: Final = """
SELECT 1 FROM cage WHERE gaming_day = %s AND table_id = %s AND kind = 'error_slip_written'
"""
_SLIP: Final = """
SELECT kind FROM cage
WHERE name = %s AND kind IN ('fill_issued', 'credit_accepted', 'slip_voided')
UNION ALL SELECT kind FROM cash WHERE name = %s AND kind IN ('fill_received', 'credit_sent')
LIMIT 1
"""
_PLAYED: Final = "SELECT 1 FROM accounts WHERE game = %s AND wager = %s LIMIT 1"
_ROUND: Final = "SELECT 1 FROM rounds WHERE round = %s LIMIT 1"
_FIRST_COUNT: Final = """
SELECT cents, signers FROM cage
WHERE gaming_day = %s AND kind = 'drop_counted' AND table_id = %s AND name = %s
"""


class CageCommands:
    """Validates facts of the cage; a `CommandHandler`."""

    topic: str = topics.CAGE_EVENTS
    entries: str = "cage"

    def __init__(self, calendar: Calendar, *, begin_on: date | None) -> None:
        self._calendar = calendar
        self._begin_on = begin_on

    def read(self, submitted: CageEvent) -> None:
        if read_fact(submitted) == "day_closed":
            raise InvalidCommand(
                "not_here", "Invalid fact day_closed: close a day with CloseDay.", see="CloseDay"
            )

    def table_of(self, submitted: CageEvent) -> str:
        return submitted.table_id

    def find(self, connection: Connection[Any], event_id: str) -> CageEvent | None:
        found = connection.execute(_FIND, [event_id]).fetchone()
        return None if found is None else CageEvent.FromString(found[0])

    def is_same(self, connection: Connection[Any], submitted: CageEvent, before: CageEvent) -> bool:
        del connection
        return with_first_values(submitted, before) == before

    def complete(
        self, connection: Connection[Any], submitted: CageEvent, author: str, now: int
    ) -> CageEvent:
        event = CageEvent()
        event.CopyFrom(submitted)
        stamp(event, author, now)
        if not event.gaming_day:
            event.gaming_day = self._day_of(connection, event).isoformat()
        return event

    def _day_of(self, connection: Connection[Any], event: CageEvent) -> date:
        """A box belongs to the day on which it left the table, not to that of the count."""
        at = read_time(event.at)
        match event.WhichOneof("fact"):
            case "drop_counted":
                box = [event.table_id, event.drop_counted.box]
                found = connection.execute(_REMOVED, [*box, at]).fetchone()
            case "drop_recounted":
                box = [event.table_id, event.drop_recounted.box]
                found = connection.execute(_COUNTED, box).fetchone()
            case _:
                found = None
        day: date = found[0] if found is not None else self._calendar.day_of(at)
        return day

    def check(self, connection: Connection[Any], event: CageEvent, now: int) -> None:
        day = check_dates(event, self._calendar, now)
        reject_back_dated(connection, day, begin_on=self._begin_on)
        fact = event.WhichOneof("fact") or ""
        opens = event.inventory_counted.kind == INVENTORY_KIND_OPENER
        # The counted opener registers a table that reports nothing itself.
        if fact in ABOUT_A_TABLE and event.table_id and not opens:
            check_table(connection, event.table_id)
        CagePosting(connection, event).check()
        match fact:
            case "inventory_counted":
                self._check_inventory(connection, event, day)
            case "entry_posted":
                _check_lines(connection, event.entry_posted)
            case "slip_voided":
                _check_void(connection, event)
            case "slips_explained":
                explained = event.slips_explained
                if not 0 < explained.first <= explained.last or not explained.series:
                    raise InvalidCommand(
                        "no_number",
                        "Invalid slips_explained: expected a series and its first and last number.",
                    )
                _needs_reason(explained.reason)
            case "error_slip_written":
                if not event.table_id or not event.error_slip_written.slip:
                    raise InvalidCommand(
                        "no_number", "Invalid error slip: expected a table and a slip number."
                    )
                _needs_reason(event.error_slip_written.reason)
                checked(abs(event.error_slip_written.difference_cents), zero=True)
            case _:
                pass

    def _check_inventory(self, connection: Connection[Any], event: CageEvent, day: date) -> None:
        kind = event.inventory_counted.kind
        if kind not in (INVENTORY_KIND_OPENER, INVENTORY_KIND_CLOSER):
            raise InvalidCommand("unreadable", "Invalid inventory kind: expected opener or closer.")
        name = "opener" if kind == INVENTORY_KIND_OPENER else "closer"
        if connection.execute(_REPORTED, [day, event.table_id, name]).fetchone() is not None:
            raise AlreadyEntered(
                "duplicate",
                f"{event.table_id} already reported its {name} of {day}: enter a different count as"
                " an error slip",
            )

    def remarks(self, connection: Connection[Any], event: CageEvent) -> list[str]:
        return list(self._remarks(connection, event))

    def _remarks(self, connection: Connection[Any], event: CageEvent) -> Iterator[str]:
        match event.WhichOneof("fact"):
            case "fill_issued":
                yield from signers_remarks(event.fill_issued.signers, TRANSFER_SIGNERS)
            case "credit_accepted":
                yield from signers_remarks(event.credit_accepted.signers, TRANSFER_SIGNERS)
            case "drop_counted":
                profile = profile_on(fetch_profiles(connection), event.gaming_day)
                yield from team_remarks(event.drop_counted.team, profile, event.gaming_day)
            case "drop_recounted":
                yield from self._recount(connection, event)
            case "inventory_counted":
                yield from signers_remarks(event.inventory_counted.signers, INVENTORY_SIGNERS)
                if event.inventory_counted.kind == INVENTORY_KIND_OPENER:
                    yield from self._opener(connection, event)
            case "chips_redeemed":
                redeemed = event.chips_redeemed
                yield from cash_out_remarks(
                    cents=redeemed.cents, patron=redeemed.patron, note=redeemed.note
                )
            case "entry_posted":
                named = event.entry_posted.round
                if named and connection.execute(_ROUND, [named]).fetchone() is None:
                    yield f"Round {named} not found in the ledger"
            case "error_slip_written":
                yield from signers_remarks(event.error_slip_written.signers, ERROR_SLIP_SIGNERS)
                yield from commission_remarks(event.error_slip_written.difference_cents)
            case _:
                pass

    def _opener(self, connection: Connection[Any], event: CageEvent) -> Iterator[str]:
        day = date.fromisoformat(event.gaming_day)
        closer = connection.execute(
            _CLOSER,
            {
                "from": day - timedelta(days=DAYS_BACK),
                "day": day,
                "table": event.table_id,
                "at": read_time(event.at),
            },
        ).fetchone()
        slip = connection.execute(_ERROR_SLIP, [day, event.table_id]).fetchone()
        yield from opener_remarks(
            opener=value(inventory_of(event.inventory_counted.inventory)),
            closer=None if closer is None else int(closer[0]),
            has_error_slip=slip is not None,
        )

    def _recount(self, connection: Connection[Any], event: CageEvent) -> Iterator[str]:
        recounted = event.drop_recounted
        box = [date.fromisoformat(event.gaming_day), event.table_id, recounted.box]
        first = connection.execute(_FIRST_COUNT, box).fetchone()
        if first is not None:
            yield from verifier_remarks(recounted.verifier, first[1])
            yield from recount_remarks(
                counted=first[0], recounted=drop_cents(counted_of(recounted.counts))
            )


def _check_lines(connection: Connection[Any], posted: EntryPosted) -> None:
    if not any(line.cents for line in posted.lines):
        raise InvalidCommand("amount", "Invalid lines: expected an amount other than zero.")
    for account in (parse(line.account) for line in posted.lines):
        if account.table:
            check_table(connection, account.table)
        named = [account.game, account.wager]
        if any(named) and connection.execute(_PLAYED, named).fetchone() is None:
            raise CommandConflict(
                "unknown", f"Invalid account {account.code}: no such wager was ever posted."
            )
        if account.promotion:
            known_terms(connection, account.promotion)


def _check_void(connection: Connection[Any], event: CageEvent) -> None:
    slip = event.slip_voided.slip
    if not slip:
        raise InvalidCommand("no_number", "Missing slip number.")
    _needs_reason(event.slip_voided.reason)
    used = connection.execute(_SLIP, [slip, slip]).fetchone()
    if used is not None and used[0] == "slip_voided":
        raise AlreadyEntered("duplicate", f"Slip {slip} is already void.")
    if used is not None:
        raise CommandConflict("slip_used", f"Slip {slip} was used: {used[0]}.")


def _needs_reason(reason: str) -> None:
    if not reason.strip():
        raise InvalidCommand("no_reason", "Missing reason.")
