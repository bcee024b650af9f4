"""The input of `pitctl settle`: the lines of a file, their format, and their events.

JSON lines are read in batches of the lines available, so that a long day fits in memory and a
live pipe does not wait; a hand history is read whole. A line that cannot be read becomes
a `BadLine`, and the next is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol

from blackjack.facts import Event
from blackjack.hand_history import History, Problem, parse
from wire.errors import NotAnEvent
from wire.json_lines import event_from_json

LINE_BYTES_MAX: Final = 1 << 20
"""An event has at most 64 KiB; its JSON is a few times as long, and no more."""

READ_BYTES: Final = 1 << 19
"""Bytes read and folded at once: about two thousand events."""

LINES_LOOKED_AT: Final = 10
"""Lines that decide the format of a file: enough for some of them to be malformed."""

_NOT_TEXT: Final = {
    b"\x1f\x8b": "it is compressed; try: gunzip -c FILE | pitctl settle -",
    b"\xff\xfe": "it is UTF-16; save it as UTF-8",
    b"\xfe\xff": "it is UTF-16; save it as UTF-8",
}


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be read, and why. Lines and columns count from 1, 0 is unknown."""

    line: int
    column: int
    reason: str


class NotText(Exception):
    """The bytes are not text; `advice` names the fix."""

    def __init__(self, advice: str) -> None:
        self.advice = advice
        super().__init__(advice)


class Bytes(Protocol):
    """A file that returns the bytes available, and waits only for the first."""

    def read1(self, size: int, /) -> bytes: ...


Line = tuple[int, str] | BadLine


def lines_of(file: Bytes) -> Iterator[list[Line]]:
    """Decode every line, with its number; `NotText` where the first bytes are not text."""
    number = 0
    rest = b""
    skipping = False
    while data := file.read1(READ_BYTES):
        *whole, rest = (rest + data).split(b"\n")
        if skipping and whole:
            del whole[0]
            skipping = False
        lines = [_line(number + place, line) for place, line in enumerate(whole, start=1)]
        number += len(whole)
        if skipping:
            rest = b""
        elif len(rest) > LINE_BYTES_MAX:
            number += 1
            lines.append(_line(number, rest))
            rest = b""
            skipping = True
        yield lines
    if rest and not skipping:
        yield [_line(number + 1, rest)]


def _line(number: int, data: bytes) -> Line:
    if number == 1 and (advice := _NOT_TEXT.get(data[:2])):
        raise NotText(advice)
    if len(data) > LINE_BYTES_MAX:
        return BadLine(number, 0, f"longer than the {LINE_BYTES_MAX:,} bytes of the longest event")
    try:
        text = data.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        return BadLine(number, 0, f"not UTF-8 at byte {error.start + 1} of the line")
    return number, text.rstrip("\r")


def is_events(batches: Iterator[list[Line]]) -> tuple[bool, Iterator[list[Line]]]:
    """Whether these are JSON lines; returns the lines again."""
    looked_at: list[list[Line]] = []
    filled = 0
    for batch in batches:
        looked_at.append(batch)
        for line in batch:
            text = "" if isinstance(line, BadLine) else line[1].strip()
            filled += bool(text)
            if text.startswith("{") or filled >= LINES_LOOKED_AT:
                return text.startswith("{"), chain(looked_at, batches)
    return False, iter(looked_at)


def events_of(batches: Iterable[list[Line]], *, chained: bool) -> Iterator[list[Event | BadLine]]:
    """The events of JSON lines; blank lines are skipped."""
    for batch in batches:
        yield [
            _event(line, chained) for line in batch if isinstance(line, BadLine) or line[1].strip()
        ]


def _event(line: Line, chained: bool) -> Event | BadLine:
    if isinstance(line, BadLine):
        return line
    number, text = line
    try:
        return event_from_json(text, chained=chained)
    except NotAnEvent as error:
        return BadLine(number, 0, error.reason)


def history_of(batches: Iterable[list[Line]]) -> tuple[History, list[BadLine]]:
    """Parse a hand history, and collect its unreadable lines."""
    bad: list[BadLine] = []
    texts: list[str] = []
    for line in chain.from_iterable(batches):
        if isinstance(line, BadLine):
            bad.append(line)
        texts.append("" if isinstance(line, BadLine) else line[1])
    history = parse("\n".join(texts))
    bad += (_bad_line(problem) for problem in history.problems)
    return history, sorted(bad, key=lambda line: (line.line, line.column))


def _bad_line(problem: Problem) -> BadLine:
    hint = f"; {problem.hint}" if problem.hint else ""
    return BadLine(problem.line, problem.column, problem.message + hint)
