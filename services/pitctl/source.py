"""What is to be settled: a file's lines, which of the two formats they are, and its events.

JSON lines are read one by one, so that a long day or a live pipe needs no room; a hand
history is read whole. A line that cannot be read becomes a `BadLine`, and the next is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final

from blackjack.facts import Event
from blackjack.hand_history import History, Problem, parse
from wire.errors import NotAnEvent
from wire.jsonlines import event_from_json

LINE_BYTES_MAX: Final = 1 << 20
"""An event has at most 64 KiB; its JSON is a few times as long, and no more."""

LINES_LOOKED_AT: Final = 10
"""How many lines decide what a file holds: enough for some of them to be spoilt."""

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
    """The bytes are no text at all; `advice` says what to do about it."""

    def __init__(self, advice: str) -> None:
        self.advice = advice
        super().__init__(advice)


Line = tuple[int, str] | BadLine


def lines_of(file: BinaryIO) -> Iterator[Line]:
    """Every line with its number, decoded; `NotText` where the first bytes are no text."""
    number = 0
    while data := file.readline(LINE_BYTES_MAX):
        number += 1
        if number == 1 and (advice := _NOT_TEXT.get(data[:2])):
            raise NotText(advice)
        if len(data) == LINE_BYTES_MAX and not data.endswith(b"\n"):
            _skip_line(file)
            yield BadLine(number, 0, f"longer than {LINE_BYTES_MAX:,} bytes; no event is")
            continue
        try:
            text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            yield BadLine(number, 0, f"not UTF-8 at byte {error.start + 1} of the line")
            continue
        yield number, text.rstrip("\r\n")


def _skip_line(file: BinaryIO) -> None:
    while (data := file.readline(LINE_BYTES_MAX)) and not data.endswith(b"\n"):
        pass


def is_events(lines: Iterator[Line]) -> tuple[bool, Iterator[Line]]:
    """Whether these are JSON lines, and the lines again, those looked at among them."""
    looked_at: list[Line] = []
    filled = 0
    found = False
    for line in lines:
        looked_at.append(line)
        text = "" if isinstance(line, BadLine) else line[1].strip()
        filled += bool(text)
        found = text.startswith("{")
        if found or filled >= LINES_LOOKED_AT:
            break
    return found, chain(looked_at, lines)


def events_of(lines: Iterable[Line], *, chained: bool) -> Iterator[Event | BadLine]:
    """The events of JSON lines, blank ones passed over."""
    for line in lines:
        if isinstance(line, BadLine):
            yield line
            continue
        number, text = line
        if not text.strip():
            continue
        try:
            yield event_from_json(text, chained=chained)
        except NotAnEvent as error:
            yield BadLine(number, 0, error.reason)


def history_of(lines: Iterable[Line]) -> tuple[History, list[BadLine]]:
    """A hand history, and every line of it that cannot be read."""
    bad: list[BadLine] = []
    texts: list[str] = []
    for line in lines:
        if isinstance(line, BadLine):
            bad.append(line)
        texts.append("" if isinstance(line, BadLine) else line[1])
    history = parse("\n".join(texts))
    bad += (_bad_line(each) for each in history.problems)
    return history, sorted(bad, key=lambda each: (each.line, each.column))


def _bad_line(problem: Problem) -> BadLine:
    hint = f"; {problem.hint}" if problem.hint else ""
    return BadLine(problem.line, problem.column, problem.message + hint)
