"""`pitctl status`: how services, log, index and books stand; what was found on the floor's day."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from datetime import time as clock_time
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from blackjack.findings import Level
from casino.settlement.v1.service_pb2 import (
    GetStatusRequest,
    GetStatusResponse,
    QuarantinedTable,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.status import ask_standing, calendar_of, standing_rows
from pitctl.archive.client import ARCHIVE, NoArchive, Place, Refused, ask
from pitctl.output.exit import REFUSED, called
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment, plain, short
from pitctl.stack.service_status import (
    OK,
    UNAVAILABLE,
    Readers,
    ask_readers,
    down_reason,
    print_readers,
    print_states,
    read_stack,
    states_of,
)
from property_calendar.gaming_day import Calendar
from wire.vocabulary import LEVELS, read_time, write_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

P = TypeVar("P")
DONE: Final = 0
UTC_DAYS: Final = Calendar(ZoneInfo("UTC"), clock_time(0))
NAMED_MAX: Final = 4
"""Tables in quarantine that are named; of a floor that is all in it, more would say no more."""


def show_status(
    find: Callable[[], Place],
    find_books: Callable[[], Place | None],
    find_readers: Mapping[str, Callable[[], Place | None]],
    *,
    stack: str,
    local: bool,
    as_json: bool,
) -> int:
    """Every server and service, each reader, then log, index and ledger, and what was found.

    A service that cannot be asked is named with the reason; everything else is shown all the same.
    Gives an exit status: a stack that does not run is also why the archive does not answer.
    """
    parts, code, stack_error = read_stack(stack) if local else (None, DONE, "")
    books, books_error = ask_standing(unless_down(parts, ACCOUNTING.name, find_books))
    calendar = calendar_of(books)
    answer, day, error = _ask_status(unless_down(parts, ARCHIVE.name, find), calendar or UTC_DAYS)
    readers = ask_readers(parts, find_readers)
    errors = list(filter(None, (stack_error, error, books_error)))
    if as_json:
        said = {
            "stack": parts,
            "services": [state._asdict() for state in states_of(parts)],
            "readers": [_reader_fields(asked) for asked in readers],
            "archive": as_fields(answer) if answer is not None else None,
            "accounting": as_fields(books) if books is not None else None,
            "findings_day": day and day.isoformat(),
            "error": errors[0] if errors else None,
        }
        print(json.dumps(said, ensure_ascii=False, indent=2))
    else:
        page = Page(sys.stdout)
        print_states(page, states_of(parts))
        print_readers(page, readers)
        if answer is not None:
            on_day = f"on gaming day {day}" if calendar is not None else f"on {day} (UTC)"
            rows = standing_rows(books) if books is not None else ()
            print_status(page, answer, rows, on_day=on_day)
    unanswered = [asked.error for asked in readers if asked.error]
    for each in dict.fromkeys((*errors, *unanswered)):
        print(f"pitctl: {plain(each)}", file=sys.stderr)
    if code != DONE:
        return code
    return REFUSED if errors or unanswered else DONE


def unless_down(
    parts: Mapping[str, Any] | None, service: str, find: Callable[[], P]
) -> Callable[[], P]:
    """Not to wait for a service of which the local stack knows that it does not run."""

    def found() -> P:
        if reason := down_reason(parts, service):
            raise NoArchive(reason)
        return find()

    return found


def _reader_fields(asked: Readers) -> dict[str, Any]:
    fields = as_fields(asked.answer) if asked.answer is not None else {}
    state = UNAVAILABLE if asked.answer is None else OK
    return {"asked": asked.service, "state": state, **fields, "error": asked.error or None}


def _ask_status(
    find: Callable[[], Place], calendar: Calendar
) -> tuple[GetStatusResponse | None, date | None, str | None]:
    """How the archive stands and what was found on the floor's day, or why it cannot be asked."""

    async def on(archive: SettlementServiceAsyncStub, day: date) -> GetStatusResponse:
        since = write_time(calendar.begins_at(day))
        return await archive.GetStatus(GetStatusRequest(since=since))

    async def get(archive: SettlementServiceAsyncStub) -> tuple[GetStatusResponse, date]:
        today = calendar.day_of(time.time_ns() // 1_000)
        answer = await on(archive, today)
        day = floor_day(calendar, answer, today)
        return (answer if day == today else await on(archive, day)), day

    try:
        return *ask(find(), get), None
    except (NoArchive, Refused) as error:
        return None, None, str(error)


def floor_day(calendar: Calendar, status: GetStatusResponse, today: date) -> date:
    """The day the floor is in: that of its last event, which is not today's on a simulated day."""
    if not status.HasField("last_event_at"):
        return today
    return calendar.day_of(read_time(status.last_event_at))


def print_status(
    page: Page, status: GetStatusResponse, books: Sequence[tuple[str, str]] = (), *, on_day: str
) -> None:
    last = "none yet"
    if status.HasField("last_event_at"):
        last = f"{moment(read_time(status.last_event_at))}, {short(status.last_event_table)}"
    rows = [
        ("events", f"{status.events:,}"),
        ("last event", last),
        ("settlement", _behind(status.settlement_lag, "event")),
        ("index", "is made anew" if status.rebuilding else _behind(status.index_lag, "message")),
        ("rounds", f"{status.rounds:,} at {counted(status.tables, 'table')}"),
        ("dead letters", f"{status.dead_letters:,}"),
        *books,
    ]
    for name, value in rows:
        page.line((f"{name:<14}", "dim"), plain(value))
    if status.quarantined:
        words = plain(quarantine_words(status.quarantined))
        page.line((f"{'quarantine':<14}", "dim"), (words, "bold red"), hang=14)
    page.blank()
    if not status.findings:
        page.line((f"nothing was found {on_day}", "green"))
        return
    page.line((f"found {on_day}", "bold"))
    found = sorted(status.findings, key=lambda each: (each.level, -each.count, each.kind))
    page.table(
        ("level", "kind", "count"),
        [(_level(each.level), each.kind, f"{each.count:,}") for each in found],
        align="llr",
    )


def quarantine_words(tables: Sequence[QuarantinedTable]) -> str:
    """Which tables nothing is settled of, the first few by name, and where to read why."""
    named = [f"{short(each.table_id)} since {moment(read_time(each.since))}" for each in tables]
    said = ", ".join(named[:NAMED_MAX])
    if len(named) > NAMED_MAX:
        said += f" and {len(named) - NAMED_MAX} more"
    return f"{said}; why: {called()} dead-letters --table {tables[0].table_id}"


def _behind(lag: int, what: str) -> str:
    return "is up to date" if not lag else f"{counted(lag, what)} behind"


def _level(number: int) -> str:
    level: Level | None = LEVELS.get(number)
    return level.name if level is not None else ""
