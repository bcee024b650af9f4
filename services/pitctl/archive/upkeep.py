"""`pitctl rebuild` and `dead-letters`: the upkeep of the archive."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Final

from casino.settlement.v1.service_pb2 import (
    DeadLetter,
    FindDeadLettersRequest,
    RebuildRequest,
)
from pitctl.archive.client import ARCHIVE, Place, Refused, ask
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment, plain, short
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

DONE: Final = 0
LETTERS_MAX: Final = 500
_ROW_BYTES: Final = 16
_AGAIN: Final = "*"


# Rebuilding ------------------------------------------------------------------------------


def rebuild(place: Place, *, as_json: bool) -> int:
    """Make the index anew, and show how far it is."""

    async def work(archive: SettlementServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        async for answer in archive.Rebuild(RebuildRequest()):
            yield answer.done, answer.total

    done = ARCHIVE.follow(place, "rebuilding", work)
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
