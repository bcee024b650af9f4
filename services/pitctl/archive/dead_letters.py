"""`pitctl dead-letters` and `rebuild`: rejected messages, and the index of the archive."""

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
from pitctl.archive.client import ARCHIVE, query_archive
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages
from pitctl.errors import RequestRejected
from pitctl.output.exit import command_name
from pitctl.output.json_out import print_fields
from pitctl.output.text import Page, count_noun, escape, format_moment, shorten
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

DONE: Final = 0
_ROW_BYTES: Final = 16
_AGAIN: Final = "*"


# Rebuilding ------------------------------------------------------------------------------


def rebuild(place: Endpoint, *, as_json: bool) -> int:
    """Rebuild the index, and show the progress."""

    async def work(archive: SettlementServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        async for answer in archive.Rebuild(RebuildRequest()):
            yield answer.done, answer.total

    done = ARCHIVE.follow(place, "rebuilding", work)
    if as_json:
        print(json.dumps({"messages": done}))
    else:
        print(f"index rebuilt from {count_noun(done, 'message')}")
    return DONE


# Dead letters ----------------------------------------------------------------------------


def show_dead_letters(
    place: Endpoint, request: FindDeadLettersRequest, *, offset: int, limit: int, as_json: bool
) -> int:
    """List dead letters; with an offset, show one with its bytes."""

    async def find(archive: SettlementServiceAsyncStub) -> list[DeadLetter]:
        found, _ = await collect_pages(
            archive.FindDeadLetters, request, lambda answer: answer.dead_letters, limit=limit
        )
        return found

    if offset >= 0:
        request.offset = offset
    dead_letters = query_archive(place, find)
    if offset >= 0 and not dead_letters:
        raise RequestRejected(f"no dead letter at offset {offset}")
    if as_json:
        for dead_letter in dead_letters:
            print_fields(dead_letter)
    elif offset >= 0:
        print_dead_letter(Page(sys.stdout), dead_letters[0])
    else:
        print_dead_letters(Page(sys.stdout), dead_letters)
    return DONE


def print_dead_letters(page: Page, dead_letters: Sequence[DeadLetter]) -> None:
    if not dead_letters:
        page.line(("No dead letters.", "green"))
        return
    page.table(
        ("offset", "at (UTC)", "table", "bytes", "reason"),
        [
            (
                str(letter.offset),
                format_moment(read_time(letter.at)).removesuffix(" UTC"),
                shorten(letter.table_id),
                f"{len(letter.value):,}",
                _coded(letter),
            )
            for letter in dead_letters
        ],
        indent=0,
        align="rllrl",
    )
    page.blank()
    page.line(
        (f"{command_name()} dead-letters {dead_letters[0].offset}    shows the bytes of one", "dim")
    )


def _coded(dead_letter: DeadLetter) -> str:
    """Code and reason; a reason of settlement begins with the code already."""
    is_included = not dead_letter.code or dead_letter.reason.startswith(dead_letter.code)
    return dead_letter.reason if is_included else f"{dead_letter.code}: {dead_letter.reason}"


def print_dead_letter(page: Page, dead_letter: DeadLetter) -> None:
    rows = (
        ("offset", str(dead_letter.offset)),
        ("at", format_moment(read_time(dead_letter.at))),
        ("table", dead_letter.table_id or "unknown"),
        ("sent by", dead_letter.peer or "unknown"),
        ("source", dead_letter.source or "rejected by the gateway before the log"),
        ("code", dead_letter.code),
        ("reason", dead_letter.reason),
        ("bytes", f"{len(dead_letter.value):,}"),
        ("retry", _retry_words(dead_letter)),
    )
    for name, value in rows:
        if value:
            page.line((f"{name:<10}", "dim"), escape(value), hang=10)
    page.blank()
    for line in hexadecimal(dead_letter.value):
        page.line(line)


def _retry_words(dead_letter: DeadLetter) -> str:
    if dead_letter.HasField("retried_at"):
        retried_at = format_moment(read_time(dead_letter.retried_at))
        return f"accepted {retried_at}, for {dead_letter.retried_by}"
    if dead_letter.no_retry:
        return f"no: {dead_letter.no_retry}"
    return f"{command_name()} dead-letters {dead_letter.offset} --retry"


def hexadecimal(data: bytes) -> list[str]:
    """Write bytes as position, hexadecimal and characters.

    Repeated rows are one star; the last row is always there.

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
        characters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        rows.append(f"{at:04x}  {part.hex(' '):<{3 * _ROW_BYTES - 1}}   {characters}")
    return rows
