"""The shared parts of command handlers: the cage's and the promotions desk's."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any, Final, Protocol, TypeVar

from psycopg import Connection

from accounting.grpc.day_range import YEARS
from accounting.grpc.errors import CommandConflict, InvalidCommand
from accounting.grpc.text_limits import check_names
from accounting.kafka.decoder import read_day, read_time
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from property_calendar.gaming_day import Calendar
from wire.vocabulary import write_time

Event = CageEvent | PromotionEvent
E = TypeVar("E", bound=Event)

AHEAD_MAX: Final = 60 * 1_000_000
"""Microseconds by which the time of a fact may be ahead of our clock."""
_KNOWN_TABLE: Final = """
SELECT EXISTS (SELECT 1 FROM rounds WHERE table_id = %(table)s)
    OR EXISTS (SELECT 1 FROM cash WHERE table_id = %(table)s)
    OR EXISTS (SELECT 1 FROM cage WHERE table_id = %(table)s AND kind = 'opener')
"""
_CLOSED: Final = "SELECT closed_by FROM closed_days WHERE gaming_day = %s"
_PASSED: Final = """
SELECT max(gaming_day) FROM closed_days
WHERE NOT EXISTS (SELECT FROM closed_days WHERE gaming_day = %(day)s)
    AND NOT EXISTS (SELECT FROM rounds WHERE gaming_day = %(day)s)
    AND NOT EXISTS (SELECT FROM cash WHERE gaming_day = %(day)s)
    AND NOT EXISTS (SELECT FROM cage WHERE gaming_day = %(day)s)
HAVING max(gaming_day) > %(day)s
"""
_BEGAN: Final = """
SELECT least(
    (SELECT min(gaming_day) FROM rounds), (SELECT min(gaming_day) FROM cash),
    (SELECT min(gaming_day) FROM cage), (SELECT min(gaming_day) FROM desk)
)
"""


class CommandHandler(Protocol[E]):
    """Validates the facts that people enter into one topic."""

    topic: str
    entries: str
    """The prefix of its entry ids (`accounting.domain.entry.entry_id`)."""

    def read(self, submitted: E) -> None:
        """Raises `InvalidCommand` for an event without a fact, or with texts that no row holds."""

    def table_of(self, submitted: E) -> str:
        """The table of the event; empty for none."""

    def find(self, connection: Connection[Any], event_id: str) -> E | None:
        """The event as it is in the log, if it was posted."""

    def is_same(self, connection: Connection[Any], submitted: E, before: E) -> bool:
        """Whether the submitted event equals the one posted under its id."""

    def complete(self, connection: Connection[Any], submitted: E, author: str, now: int) -> E:
        """Fill in the author, the times and the gaming day."""

    def check(self, connection: Connection[Any], event: E, now: int) -> None:
        """Raises for an event that contradicts the ledger, or itself."""

    def remarks(self, connection: Connection[Any], event: E) -> list[str]:
        """Remarks for a person to review."""


def read_fact(submitted: Event) -> str:
    """The name of the fact of an event."""
    fact = submitted.WhichOneof("fact")
    if fact is None:
        raise InvalidCommand("unreadable", "Missing fact.")
    check_names(submitted)
    return fact


def stamp(event: Event, author: str, now: int) -> None:
    """Set the author and the time of entry; the time of the fact too, if it is missing."""
    time = write_time(now)
    if time is not None:
        event.recorded_at.CopyFrom(time)
        if not event.HasField("at"):
            event.at.CopyFrom(time)
    event.author = author
    read_time(event.at)


def with_first_values(submitted: E, before: E) -> E:
    """The submitted event, completed with the values that the service set the first time."""
    again = deepcopy(submitted)
    if not again.HasField("at"):
        again.at.CopyFrom(before.at)
    again.gaming_day = again.gaming_day or before.gaming_day
    again.recorded_at.CopyFrom(before.recorded_at)
    again.author = before.author
    return again


def check_dates(event: Event, calendar: Calendar, now: int) -> date:
    """The gaming day; raises `InvalidCommand` for a day or a time in the future."""
    day = read_day(event.gaming_day)
    if day.year not in YEARS:
        raise InvalidCommand("no_day", f'Invalid gaming day "{day}": expected a day from 1970 on.')
    at = read_time(event.at)
    today = calendar.day_of(now)
    if day > today:
        raise InvalidCommand(
            "future", f'Invalid gaming day "{day}": it has not begun, today is {today}.'
        )
    if at > now + AHEAD_MAX:
        raise InvalidCommand("future", f"Invalid time: {(at - now) // 1_000_000} s in the future.")
    return day


def books_begin(connection: Connection[Any], set_to: date | None) -> date | None:
    """The first day of the books: as set, or else the first with any record; None before that."""
    if set_to is not None:
        return set_to
    found = connection.execute(_BEGAN).fetchone()
    return found[0] if found is not None else None


def reject_back_dated(connection: Connection[Any], day: date, *, begin_on: date | None) -> None:
    """Raises `CommandConflict` for a day before the books begin, or an empty day before a closed
    one."""
    began = books_begin(connection, begin_on)
    if began is not None and day < began:
        raise CommandConflict(
            "back_dated", f'Invalid gaming day "{day}": the books begin on {began}.'
        )
    passed = connection.execute(_PASSED, {"day": day}).fetchone()
    if passed is not None:
        raise CommandConflict(
            "back_dated",
            f"Gaming day {day} has no records, and the later {passed[0]} is closed: use an open"
            " day, or a closed one with an adjusting entry.",
        )


def reject_closed_day(connection: Connection[Any], day: date) -> None:
    """Raises `CommandConflict` for a closed day, for facts that have no adjusting entry."""
    closed = connection.execute(_CLOSED, [day]).fetchone()
    if closed is not None:
        raise CommandConflict("day_closed", f"Gaming day {day} is closed, by {closed[0]}.")


def check_table(connection: Connection[Any], table: str) -> None:
    if not is_known_table(connection, table):
        raise CommandConflict(
            "unknown_table",
            f'Table "{table}" not found: check its name. To register a table that reports nothing'
            " itself, enter its opener.",
        )


def is_known_table(connection: Connection[Any], table: str) -> bool:
    found = connection.execute(_KNOWN_TABLE, {"table": table}).fetchone()
    return found is not None and bool(found[0])
