"""`pitctl status`: how services, log, index and books stand; what was found on the floor's day."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from datetime import time as clock_time
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from blackjack.findings import Level
from casino.settlement.v1.service_pb2 import (
    GetStatusRequest,
    GetStatusResponse,
    QuarantinedTable,
)
from pitctl import local_stack
from pitctl.archive import NoArchive, Place, Refused, ask
from pitctl.books.standing import ask_standing, calendar_of, standing_rows
from pitctl.ending import REFUSED, called
from pitctl.json_out import as_fields
from pitctl.text import Page, counted, moment, plain, short
from property_calendar.gaming_day import Calendar
from wire.settlement import LEVELS
from wire.vocabulary import read_time, write_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

DONE: Final = 0
UTC_DAYS: Final = Calendar(ZoneInfo("UTC"), clock_time(0))
NAMED_MAX: Final = 4
"""Tables in quarantine that are named; of a floor that is all in it, more would say no more."""


def show_status(
    find: Callable[[], Place],
    find_books: Callable[[], Place | None],
    *,
    stack: str,
    local: bool,
    as_json: bool,
) -> int:
    """The services of the local stack; then how far log, index and ledger are, what was found.

    Archive and books are found after the services were shown: they say why one is not there.
    Gives an exit status: a stack that does not run is also why the archive does not answer.
    """
    options = ["--json"] if as_json else []
    services = local_stack.read("status", *options, folder=stack) if local else None
    if services is not None:
        sys.stderr.write(services.stderr)
        if not as_json:
            print(services.stdout, flush=True)
    books, books_error = ask_standing(find_books)
    calendar = calendar_of(books)
    answer, day, error = _ask_status(find, calendar or UTC_DAYS)
    if as_json:
        said = {
            "stack": json.loads(services.stdout or "null") if services is not None else None,
            "archive": as_fields(answer) if answer is not None else None,
            "accounting": as_fields(books) if books is not None else None,
            "findings_day": day and day.isoformat(),
            "error": error or books_error,
        }
        print(json.dumps(said, ensure_ascii=False, indent=2))
    elif answer is not None:
        on_day = f"on gaming day {day}" if calendar is not None else f"on {day} (UTC)"
        rows = standing_rows(books) if books is not None else ()
        print_status(Page(sys.stdout), answer, rows, on_day=on_day)
    for each in filter(None, (error, books_error)):
        print(f"pitctl: {plain(each)}", file=sys.stderr)
    if services is not None and services.returncode != DONE:
        return services.returncode
    return REFUSED if error or books_error else DONE


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
