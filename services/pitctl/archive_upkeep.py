"""`pitctl status`, `rebuild` and `dead-letters`: how archive and books stand, and the upkeep."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from blackjack.findings import Level
from casino.settlement.v1.service_pb2 import (
    DeadLetter,
    FindDeadLettersRequest,
    GetStatusRequest,
    GetStatusResponse,
    RebuildRequest,
)
from pitctl import local_stack
from pitctl.archive import NoArchive, Place, Refused, ask
from pitctl.books.standing import ask_standing, gaming_day_begins_at, standing_rows
from pitctl.ending import REFUSED, called
from pitctl.json_out import as_fields
from pitctl.progress import Advance, bar
from pitctl.text import Page, counted, moment, plain, short
from wire.settlement import LEVELS
from wire.vocabulary import read_time, write_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

DONE: Final = 0
LETTERS_MAX: Final = 500
_ROW_BYTES: Final = 16
_AGAIN: Final = "*"


# Status ----------------------------------------------------------------------------------


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
    since = gaming_day_begins_at(books) if books is not None else None
    answer, error = _ask_status(find, since)
    if as_json:
        said = {
            "stack": json.loads(services.stdout or "null") if services is not None else None,
            "archive": as_fields(answer) if answer is not None else None,
            "accounting": as_fields(books) if books is not None else None,
            "error": error or books_error,
        }
        print(json.dumps(said, ensure_ascii=False, indent=2))
    elif answer is not None:
        day = f"on gaming day {books.gaming_day}" if books is not None and since else "today (UTC)"
        rows = standing_rows(books) if books is not None else ()
        print_status(Page(sys.stdout), answer, rows, day=day)
    for each in filter(None, (error, books_error)):
        print(f"pitctl: {plain(each)}", file=sys.stderr)
    if services is not None and services.returncode != DONE:
        return services.returncode
    return REFUSED if error or books_error else DONE


def _ask_status(
    find: Callable[[], Place], since: int | None
) -> tuple[GetStatusResponse | None, str | None]:
    """How the archive stands and what was found since then, or why it cannot be asked."""
    request = GetStatusRequest(since=None if since is None else write_time(since))

    async def get(archive: SettlementServiceAsyncStub) -> GetStatusResponse:
        return await archive.GetStatus(request)

    try:
        return ask(find(), get), None
    except (NoArchive, Refused) as error:
        return None, str(error)


def print_status(
    page: Page, status: GetStatusResponse, books: Sequence[tuple[str, str]] = (), *, day: str
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
    page.blank()
    if not status.findings:
        page.line((f"nothing was found {day}", "green"))
        return
    page.line((f"found {day}", "bold"))
    found = sorted(status.findings, key=lambda each: (each.level, -each.count, each.kind))
    page.table(
        ("level", "kind", "count"),
        [(_level(each.level), each.kind, f"{each.count:,}") for each in found],
        align="llr",
    )


def _behind(lag: int, what: str) -> str:
    return "is up to date" if not lag else f"{counted(lag, what)} behind"


def _level(number: int) -> str:
    level: Level | None = LEVELS.get(number)
    return level.name if level is not None else ""


# Rebuilding ------------------------------------------------------------------------------


def rebuild(place: Place, *, as_json: bool) -> int:
    """Make the index anew, and show how far it is."""

    async def follow(archive: SettlementServiceAsyncStub) -> int:
        done = 0
        with ExitStack() as shown:
            advance: Advance | None = None
            async for answer in archive.Rebuild(RebuildRequest()):
                advance = advance or shown.enter_context(bar("rebuilding", answer.total))
                advance(answer.done - done)
                done = answer.done
        return done

    done = ask(place, follow)
    if as_json:
        print(json.dumps({"messages": done}))
    else:
        print(f"the index was made anew from {counted(done, 'message')}")
    return DONE


# Dead letters ----------------------------------------------------------------------------


def show_dead_letters(
    place: Place, request: FindDeadLettersRequest, *, offset: int, limit: int, as_json: bool
) -> int:
    """List what was set aside; with an offset, one of it with its bytes."""

    async def find(archive: SettlementServiceAsyncStub) -> list[DeadLetter]:
        found: list[DeadLetter] = []
        while True:
            request.page_size = min(limit, LETTERS_MAX)
            answer = await archive.FindDeadLetters(request)
            found += answer.dead_letters
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found[:limit]

    if offset >= 0:
        request.offset = offset
    letters = ask(place, find)
    if offset >= 0 and not letters:
        raise Refused(f"there is no dead letter at offset {offset}")
    if as_json:
        for each in letters:
            print(json.dumps(as_fields(each), ensure_ascii=False))
    elif offset >= 0:
        print_letter(Page(sys.stdout), letters[0])
    else:
        print_letters(Page(sys.stdout), letters)
    return DONE


def print_letters(page: Page, letters: Sequence[DeadLetter]) -> None:
    if not letters:
        page.line(("nothing was set aside", "green"))
        return
    page.table(
        ("offset", "at (UTC)", "table", "bytes", "reason"),
        [
            (
                str(each.offset),
                moment(read_time(each.at)).removesuffix(" UTC"),
                short(each.table_id),
                f"{len(each.value):,}",
                _coded(each),
            )
            for each in letters
        ],
        indent=0,
        align="rllrl",
    )
    page.blank()
    page.line((f"{called()} dead-letters {letters[0].offset}    shows the bytes of one", "dim"))


def _coded(letter: DeadLetter) -> str:
    """Code and reason; what settlement says begins with the code already."""
    is_said = not letter.code or letter.reason.startswith(letter.code)
    return letter.reason if is_said else f"{letter.code}: {letter.reason}"


def print_letter(page: Page, letter: DeadLetter) -> None:
    rows = (
        ("offset", str(letter.offset)),
        ("at", moment(read_time(letter.at))),
        ("table", letter.table_id or "not known"),
        ("sent by", letter.peer or "not known"),
        ("made of", letter.source or "what was refused at the door: no message of the log"),
        ("code", letter.code),
        ("reason", letter.reason),
        ("bytes", f"{len(letter.value):,}"),
        ("retry", _retry_words(letter)),
    )
    for name, value in rows:
        if value:
            page.line((f"{name:<10}", "dim"), plain(value), hang=10)
    page.blank()
    for line in hexadecimal(letter.value):
        page.line(line)


def _retry_words(letter: DeadLetter) -> str:
    if letter.HasField("retried_at"):
        return f"taken {moment(read_time(letter.retried_at))}, for {letter.retried_by}"
    if letter.no_retry:
        return f"no: {letter.no_retry}"
    return f"{called()} dead-letters {letter.offset} --retry"


def hexadecimal(data: bytes) -> list[str]:
    """Bytes as people read them: place, hexadecimal, letters.

    Rows that only say again what is above them are one star; the last row is always there.

    >>> hexadecimal(b"not an event")
    ['0000  6e 6f 74 20 61 6e 20 65 76 65 6e 74               not an event']
    >>> [row[:7] for row in hexadecimal(bytes(65_536))]
    ['0000  0', '*', 'fff0  0']
    """
    rows: list[str] = []
    before = b""
    for at in range(0, len(data), _ROW_BYTES):
        part = data[at : at + _ROW_BYTES]
        if part == before and at + _ROW_BYTES < len(data):
            if rows[-1] != _AGAIN:
                rows.append(_AGAIN)
            continue
        before = part
        letters = "".join(chr(each) if 32 <= each < 127 else "." for each in part)
        rows.append(f"{at:04x}  {part.hex(' '):<{3 * _ROW_BYTES - 1}}   {letters}")
    return rows
