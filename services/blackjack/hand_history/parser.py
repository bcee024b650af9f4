"""From text to events. Whatever cannot be read is a problem, and the rest is read all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from blackjack.facts import Event, Fact
from blackjack.hand_history.block_lines import (
    PromotionBlock,
    RuleSetBlock,
    RuleSetReference,
    open_block,
)
from blackjack.hand_history.block_lines import read_settings as read_setting_line
from blackjack.hand_history.card_lines import READERS, read_seat_line
from blackjack.hand_history.context import Context
from blackjack.hand_history.cursor import Cursor, did_you_mean
from blackjack.hand_history.envelope import Envelope, read_envelope
from blackjack.hand_history.expectations import SourcePosition, read_expectation
from blackjack.hand_history.fact_lines import FORMS
from blackjack.hand_history.lexer import Token, UnreadableLine, tokens_of
from blackjack.hand_history.model import Expectation, History, Problem
from blackjack.hand_history.values import INTEGER, TEXT, is_spot

VERSION: Final = 1
"""The version of the format that this package reads and writes."""

_FORM_OF: Final = {form.lead: form for form in FORMS}
_DIRECTIVES: Final = ("hand history", "table", "rules", "promotion", "expect")
LEADS: Final = tuple(sorted({*(" ".join(lead) for lead in (*_FORM_OF, *READERS)), *_DIRECTIVES}))
"""All that a line may begin with, besides a seat."""

_LEAD_WORDS_MAX: Final = max(len(lead) for lead in (*_FORM_OF, *READERS))
_NO_FACT: Final = {"stands": "that the dealer stands is no fact of its own; leave the line out"}


@dataclass(slots=True)
class _SourceLine:
    number: int
    indented: bool
    tokens: list[Token]


@dataclass(slots=True)
class _OpenBlock:
    """A block that still takes indented lines; its event comes when it ends."""

    block: RuleSetBlock | RuleSetReference | PromotionBlock
    envelope: Envelope
    line: int


@dataclass(slots=True)
class _Parser:
    context: Context = field(default_factory=Context)
    events: list[Event] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    expectations: list[Expectation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    block: _OpenBlock | None = None
    skipping: bool = False
    """Whether indented lines belong to a block whose first line could not be read."""

    def read(self, text: str) -> None:
        for line in self._lines(text):
            try:
                self._read_line(line)
            except UnreadableLine as why:
                self._reject(line.number, why)
        self._close_block()

    def _lines(self, text: str) -> Iterator[_SourceLine]:
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
            try:
                tokens = tokens_of(line)
            except UnreadableLine as why:
                self._reject(number, why)
                continue
            if tokens:
                yield _SourceLine(number, tokens[0].column > 1, tokens)

    def _read_line(self, line: _SourceLine) -> None:
        cursor = Cursor(line.tokens, self.context)
        if line.indented and self.block is not None:
            read_setting_line(self.block.block, cursor)
            return
        if line.indented and self.skipping:
            return
        self._close_block()
        self.skipping = cursor.sees("rules") or cursor.sees("promotion")
        if cursor.accept("hand", "history"):
            self._read_version(cursor)
        elif cursor.accept("table"):
            self.context.move_to(TEXT.read(cursor))
            self._require_end(cursor)
        elif cursor.accept("expect"):
            place = SourcePosition(after=len(self.events), line=line.number)
            self.expectations.append(read_expectation(cursor, place))
        elif block := open_block(cursor):
            self.block = _OpenBlock(block, read_envelope(cursor, ["hash"]), line.number)
        else:
            facts, accepted = read_facts(cursor)
            self._add(facts, read_envelope(cursor, accepted), line.number)

    def _read_version(self, cursor: Cursor) -> None:
        token = cursor.token
        version = INTEGER.read(cursor)
        if token is not None and version != VERSION:
            raise cursor.unexpected_token(token, f"version {VERSION}")
        self._require_end(cursor)

    def _require_end(self, cursor: Cursor) -> None:
        if not cursor.at_end:
            raise cursor.unexpected("the end of the line")

    def _close_block(self) -> None:
        if self.block is None:
            return
        opened, self.block = self.block, None
        try:
            self._add([opened.block.fact()], opened.envelope, opened.line)
        except UnreadableLine as why:
            self._reject(opened.line, why)

    def _add(self, facts: list[Fact], envelope: Envelope, line: int) -> None:
        events = envelope.events(facts, self.context)
        self.events += events
        self.lines += [line] * len(events)

    def _reject(self, line: int, why: UnreadableLine) -> None:
        self.problems.append(Problem(line, why.column, why.message, why.hint))


def read_facts(cursor: Cursor) -> tuple[list[Fact], list[str]]:
    """The facts of a line, and the keywords that might have gone on with it."""
    for length in range(_LEAD_WORDS_MAX, 0, -1):
        lead = cursor.words_ahead(length)
        if form := _FORM_OF.get(lead):
            cursor.accept(*lead)
            return form.read(cursor), form.accepted()
        if reader := READERS.get(lead):
            cursor.accept(*lead)
            read, accepted = reader
            return read(cursor), list(accepted)
    token = cursor.token
    if token is not None and is_spot(token) and not token.is_word("dealer"):
        return read_seat_line(cursor), []
    raise _unknown_line(cursor)


def _unknown_line(cursor: Cursor) -> UnreadableLine:
    """A line that begins with no known words; the nearest beginning is the hint."""
    column = cursor.token.column if cursor.token is not None else cursor.column
    first, *rest = cursor.words_ahead(2) or ("",)
    if first == "dealer" and rest and rest[0] in _NO_FACT:
        return UnreadableLine(column, "expected a fact", _NO_FACT[rest[0]])
    hint = did_you_mean(" ".join([first, *rest]), LEADS) or did_you_mean(first, LEADS)
    return UnreadableLine(column, "this is not how a line begins; see docs/hand-history.md", hint)


def parse(text: str) -> History:
    """Parse a hand history. Any text is accepted; its errors are in `problems`."""
    parser = _Parser()
    parser.read(text)
    parser.problems.sort(key=lambda problem: (problem.line, problem.column))
    return History(
        tuple(parser.events),
        tuple(parser.lines),
        tuple(parser.expectations),
        tuple(parser.problems),
    )
