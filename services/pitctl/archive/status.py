"""`pitctl status`: services, lag, index and ledger, and the findings of the day."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from datetime import time as clock_time
from typing import TYPE_CHECKING, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from blackjack.display_names import finding_name
from blackjack.findings import Level
from casino.settlement.v1.service_pb2 import (
    GetStatusRequest,
    GetStatusResponse,
    QuarantinedTable,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.status import calendar_of, query_status, status_rows
from pitctl.archive.client import ARCHIVE, query_archive
from pitctl.connection.channel import Endpoint
from pitctl.errors import RequestRejected, ServiceUnavailable
from pitctl.output.exit import ERROR, command_name, print_error
from pitctl.output.json_out import fields_of
from pitctl.output.text import Page, count_noun, escape, format_moment, shorten
from pitctl.stack.service_status import (
    OK,
    UNAVAILABLE,
    ReaderReport,
    down_reason,
    print_readers,
    print_states,
    query_readers,
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
"""Tables in quarantine that are named; the others are counted."""


def show_status(
    find: Callable[[], Endpoint],
    find_accounting: Callable[[], Endpoint | None],
    find_readers: Mapping[str, Callable[[], Endpoint | None]],
    *,
    stack: str,
    local: bool,
    as_json: bool,
) -> int:
    """Print every server and service, each reader, then log, index, ledger and findings.

    An unavailable service is named with the reason; everything else is still shown. Returns the
    exit status: a stack that does not run is also why the archive does not answer.
    """
    parts, code, stack_error = read_stack(stack) if local else (None, DONE, "")
    books, books_error = query_status(unless_down(parts, ACCOUNTING.name, find_accounting))
    calendar = calendar_of(books)
    answer, day, archive_error = _query_status(
        unless_down(parts, ARCHIVE.name, find), calendar or UTC_DAYS
    )
    readers = query_readers(parts, find_readers)
    errors = list(filter(None, (stack_error, archive_error, books_error)))
    if as_json:
        fields = {
            "stack": parts,
            "services": [state._asdict() for state in states_of(parts)],
            "readers": [_reader_fields(report) for report in readers],
            "archive": fields_of(answer) if answer is not None else None,
            "accounting": fields_of(books) if books is not None else None,
            "findings_day": day and day.isoformat(),
            "error": errors[0] if errors else None,
        }
        print(json.dumps(fields, ensure_ascii=False, indent=2))
    else:
        page = Page(sys.stdout)
        print_states(page, states_of(parts))
        print_readers(page, readers)
        if answer is not None:
            on_day = f"on gaming day {day}" if calendar is not None else f"on {day} (UTC)"
            rows = status_rows(books) if books is not None else ()
            print_status(page, answer, rows, on_day=on_day)
    unanswered = [report.error for report in readers if report.error]
    for error in dict.fromkeys((*errors, *unanswered)):
        print_error(error)
    if code != DONE:
        return code
    return ERROR if errors or unanswered else DONE


def unless_down(
    parts: Mapping[str, Any] | None, service: str, find: Callable[[], P]
) -> Callable[[], P]:
    """Raise at once where the local stack knows that the service does not run."""

    def found() -> P:
        if reason := down_reason(parts, service):
            raise ServiceUnavailable(reason)
        return find()

    return found


def _reader_fields(report: ReaderReport) -> dict[str, Any]:
    fields = fields_of(report.answer) if report.answer is not None else {}
    state = UNAVAILABLE if report.answer is None else OK
    return {"service": report.service, "state": state, **fields, "error": report.error or None}


def _query_status(
    find: Callable[[], Endpoint], calendar: Calendar
) -> tuple[GetStatusResponse | None, date | None, str | None]:
    """The status of the archive with the findings of the day, or why it is unavailable."""

    async def on(archive: SettlementServiceAsyncStub, day: date) -> GetStatusResponse:
        since = write_time(calendar.begins_at(day))
        return await archive.GetStatus(GetStatusRequest(since=since))

    async def get(archive: SettlementServiceAsyncStub) -> tuple[GetStatusResponse, date]:
        today = calendar.day_of(time.time_ns() // 1_000)
        answer = await on(archive, today)
        day = floor_day(calendar, answer, today)
        return (answer if day == today else await on(archive, day)), day

    try:
        return *query_archive(find(), get), None
    except (ServiceUnavailable, RequestRejected) as error:
        return None, None, str(error)


def floor_day(calendar: Calendar, status: GetStatusResponse, today: date) -> date:
    """The day of the last event, which is not today on a simulated day."""
    if not status.HasField("last_event_at"):
        return today
    return calendar.day_of(read_time(status.last_event_at))


def print_status(
    page: Page, status: GetStatusResponse, books: Sequence[tuple[str, str]] = (), *, on_day: str
) -> None:
    last = "none yet"
    if status.HasField("last_event_at"):
        last = (
            f"{format_moment(read_time(status.last_event_at))}, {shorten(status.last_event_table)}"
        )
    rows = [
        ("events", f"{status.events:,}"),
        ("last event", last),
        ("settlement", _lag(status.settlement_lag, "event")),
        ("index", "rebuilding" if status.rebuilding else _lag(status.index_lag, "message")),
        ("rounds", f"{status.rounds:,} at {count_noun(status.tables, 'table')}"),
        ("dead letters", f"{status.dead_letters:,}"),
        *books,
    ]
    for name, value in rows:
        page.line((f"{name:<14}", "dim"), escape(value))
    if status.quarantined:
        words = escape(quarantine_words(status.quarantined))
        page.line((f"{'quarantine':<14}", "dim"), (words, "bold red"), hang=14)
    page.blank()
    if not status.findings:
        page.line((f"no findings {on_day}", "green"))
        return
    page.line((f"findings {on_day}", "bold"))
    findings = sorted(status.findings, key=lambda kind: (kind.level, -kind.count, kind.kind))
    page.table(
        ("priority", "kind", "count"),
        [(_level(kind.level), finding_name(kind.kind), f"{kind.count:,}") for kind in findings],
        align="llr",
    )


def quarantine_words(tables: Sequence[QuarantinedTable]) -> str:
    """The tables in quarantine, the first few by name, and the command that shows why."""
    named = [
        f"{shorten(table.table_id)} since {format_moment(read_time(table.since))}"
        for table in tables
    ]
    words = ", ".join(named[:NAMED_MAX])
    if len(named) > NAMED_MAX:
        words += f" and {len(named) - NAMED_MAX} more"
    return f"{words}; why: {command_name()} dead-letters --table {tables[0].table_id}"


def _lag(lag: int, noun: str) -> str:
    return "up to date" if not lag else f"{count_noun(lag, noun)} behind"


def _level(number: int) -> str:
    level: Level | None = LEVELS.get(number)
    return level.name if level is not None else ""
