"""Where facts are entered: what the cage and the promotions desk have in common."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any, Final, Protocol, TypeVar

from psycopg import Connection

from accounting.grpc.day_range import YEARS
from accounting.grpc.errors import CommandConflict, InvalidCommand
from accounting.grpc.text_limits import check_names
from accounting.kafka.decoding import read_day, read_time
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from property_calendar.gaming_day import Calendar
from wire.vocabulary import write_time

Event = CageEvent | PromotionEvent
E = TypeVar("E", bound=Event)

AHEAD_MAX: Final = 60 * 1_000_000
"""Microseconds by which a clock that is written down may be ahead of ours."""
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
    """One topic of facts that people enter."""

    topic: str
    entries: str
    """What ids of its entries are made with (`accounting.domain.entry.entry_id`)."""

    def read(self, submitted: E) -> None:
        """Raises `InvalidCommand` for what says nothing, or says it in texts that no row holds."""

    def table_of(self, submitted: E) -> str:
        """The table it is about; empty for none."""

    def find(self, connection: Connection[Any], event_id: str) -> E | None:
        """As it stands in the log, if it was posted."""

    def is_same(self, connection: Connection[Any], submitted: E, before: E) -> bool:
        """Whether what is said is what was entered under that id."""

    def complete(self, connection: Connection[Any], submitted: E, author: str, now: int) -> E:
        """What the sender left to the service: the author, times, the gaming day."""

    def check(self, connection: Connection[Any], event: E, now: int) -> None:
        """Raises for what contradicts all that is known, or itself."""

    def remarks(self, connection: Connection[Any], event: E) -> list[str]:
        """What a person should look at."""


def read_fact(submitted: Event) -> str:
    """Which fact it states."""
    fact = submitted.WhichOneof("fact")
    if fact is None:
        raise InvalidCommand("unreadable", "it states no fact")
    check_names(submitted)
    return fact


def stamp(event: Event, author: str, now: int) -> None:
    """Who enters it and when; when it happened, where that was left out."""
    time = write_time(now)
    if time is not None:
        event.recorded_at.CopyFrom(time)
        if not event.HasField("at"):
            event.at.CopyFrom(time)
    event.author = author
    read_time(event.at)


def as_before(submitted: E, before: E) -> E:
    """What is said again, with what the service and the first time added to it."""
    again = deepcopy(submitted)
    if not again.HasField("at"):
        again.at.CopyFrom(before.at)
    again.gaming_day = again.gaming_day or before.gaming_day
    again.recorded_at.CopyFrom(before.recorded_at)
    again.author = before.author
    return again


def check_dates(event: Event, calendar: Calendar, now: int) -> date:
    """The gaming day, which has begun; nothing happens in the future."""
    day = read_day(event.gaming_day)
    if day.year not in YEARS:
        raise InvalidCommand("no_day", f"{day} is no gaming day such as 2026-03-01")
    at = read_time(event.at)
    today = calendar.day_of(now)
    if day > today:
        raise InvalidCommand("future", f"{day} has not begun: the gaming day is {today}")
    if at > now + AHEAD_MAX:
        raise InvalidCommand(
            "future", f"it says that it happened {(at - now) // 1_000_000} s from now"
        )
    return day


def books_begin(connection: Connection[Any], set_to: date | None) -> date | None:
    """The day that the house has set, or the first that has anything in it; none: not yet."""
    if set_to is not None:
        return set_to
    found = connection.execute(_BEGAN).fetchone()
    return found[0] if found is not None else None


def reject_back_dated(connection: Connection[Any], day: date, *, begin_on: date | None) -> None:
    """Nothing is entered for a day before the books begin, whatever the house has closed so far.

    A day of which nothing is known takes nothing once a later one is closed.
    """
    began = books_begin(connection, begin_on)
    if began is not None and day < began:
        raise CommandConflict(
            "back_dated", f"the books begin with {began}: date it to that day or to a later one"
        )
    passed = connection.execute(_PASSED, {"day": day}).fetchone()
    if passed is not None:
        raise CommandConflict(
            "back_dated",
            f"nothing is known of {day}, and {passed[0]} after it is closed: date it to a day that"
            " is open, or to a closed one as an adjusting entry",
        )


def reject_closed_day(connection: Connection[Any], day: date) -> None:
    """For what can have no adjusting entry."""
    closed = connection.execute(_CLOSED, [day]).fetchone()
    if closed is not None:
        raise CommandConflict("day_closed", f"{day} was closed by {closed[0]}")


def check_table(connection: Connection[Any], table: str) -> None:
    if not is_known_table(connection, table):
        raise CommandConflict(
            "unknown_table",
            f"the ledger has no fact of a table {table!r}: look at the name; a table that reports"
            " nothing itself is made known by its opener",
        )


def is_known_table(connection: Connection[Any], table: str) -> bool:
    found = connection.execute(_KNOWN_TABLE, {"table": table}).fetchone()
    return found is not None and bool(found[0])
