"""`pitctl status`, `rebuild` and `dead-letters`: how the archive stands, and its upkeep."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from google.protobuf import json_format

from blackjack.findings import Level
from casino.settlement.v1.service_pb2 import (
    DeadLetter,
    FindDeadLettersRequest,
    GetStatusRequest,
    GetStatusResponse,
    RebuildRequest,
)
from pitctl.archive import Place, Refused, ask
from pitctl.progress import bar
from pitctl.text import Page, counted, moment, plain
from wire.settlement import LEVELS
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

DONE: Final = 0
LETTERS_MAX: Final = 500
_ROW_BYTES: Final = 16


# Status ----------------------------------------------------------------------------------


def show_status(place: Place, *, as_json: bool) -> int:
    """How far the log, settlement and the index are, and what was found today."""

    async def get(archive: SettlementServiceAsyncStub) -> GetStatusResponse:
        return await archive.GetStatus(GetStatusRequest())

    answer = ask(place, get)
    if as_json:
        fields = json_format.MessageToDict(answer, always_print_fields_with_no_presence=True)
        print(json.dumps(fields, ensure_ascii=False, indent=2))
    else:
        print_status(Page(sys.stdout), answer)
    return DONE


def print_status(page: Page, status: GetStatusResponse) -> None:
    last = "none yet"
    if status.HasField("last_event_at"):
        last = f"{moment(read_time(status.last_event_at))}, {status.last_event_table}"
    rows = [
        ("events", f"{status.events:,}"),
        ("last event", last),
        ("settlement", _behind(status.settlement_lag, "event")),
        ("index", "is made anew" if status.rebuilding else _behind(status.index_lag, "message")),
        ("rounds", f"{status.rounds:,} at {counted(status.tables, 'table')}"),
        ("dead letters", f"{status.dead_letters:,}"),
    ]
    for name, value in rows:
        page.line((f"{name:<14}", "dim"), plain(value))
    page.blank()
    if not status.findings:
        page.line(("nothing was found today", "green"))
        return
    page.line(("found today", "bold"))
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
        answers = archive.Rebuild(RebuildRequest())
        first = await answers.read()
        total = getattr(first, "total", 0)
        with bar("rebuilding", total) as advance:
            if first:
                done = getattr(first, "done", 0)
                advance(done)
            async for answer in answers:
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
            request.page_size = min(limit, LETTERS_MAX) if offset < 0 else LETTERS_MAX
            answer = await archive.FindDeadLetters(request)
            found += [each for each in answer.dead_letters if offset in (-1, each.offset)]
            request.page_token = answer.next_page_token
            enough = len(found) >= (limit if offset < 0 else 1)
            if not request.page_token or enough:
                return found[:limit]

    letters = ask(place, find)
    if offset >= 0 and not letters:
        raise Refused(f"there is no dead letter at offset {offset}")
    if as_json:
        for each in letters:
            print(json.dumps(json_format.MessageToDict(each), ensure_ascii=False))
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
                each.table_id,
                f"{len(each.value):,}",
                f"{each.code}: {each.reason}" if each.code else each.reason,
            )
            for each in letters
        ],
        indent=0,
        align="rllrl",
    )
    page.blank()
    page.line((f"pitctl dead-letters {letters[0].offset}    shows the bytes of one", "dim"))


def print_letter(page: Page, letter: DeadLetter) -> None:
    rows = (
        ("offset", str(letter.offset)),
        ("at", moment(read_time(letter.at))),
        ("table", letter.table_id or "not known"),
        ("sent by", letter.peer or "not known"),
        ("made of", letter.source or "not known"),
        ("code", letter.code),
        ("reason", letter.reason),
        ("bytes", f"{len(letter.value):,}"),
    )
    for name, value in rows:
        if value:
            page.line((f"{name:<10}", "dim"), plain(value), hang=10)
    page.blank()
    for line in hexadecimal(letter.value):
        page.line(line)


def hexadecimal(data: bytes) -> list[str]:
    """Bytes as people read them: place, hexadecimal, letters.

    >>> hexadecimal(b"not an event")
    ['0000  6e 6f 74 20 61 6e 20 65 76 65 6e 74               not an event']
    """
    rows = []
    for at in range(0, len(data), _ROW_BYTES):
        part = data[at : at + _ROW_BYTES]
        letters = "".join(chr(each) if 32 <= each < 127 else "." for each in part)
        rows.append(f"{at:04x}  {part.hex(' '):<{3 * _ROW_BYTES - 1}}   {letters}")
    return rows
