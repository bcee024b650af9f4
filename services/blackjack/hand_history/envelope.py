"""What stands behind a fact: its time, number, device, confidence, time of arrival and wait.

    3 hits 5C @ +3s #57 via cam-2 confidence 850 received +600.2s waited +600s

Of a line with several facts the first has the time and number given; the others follow
in the usual steps, with the same device, confidence, delay and wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackjack.facts import CERTAIN, Event, Fact, RoundOpened
from blackjack.hand_history.context import STEP_US, Context
from blackjack.hand_history.cursor import Cursor
from blackjack.hand_history.lexer import TokenKind, write_text
from blackjack.hand_history.times import HOUR_US, read_span, read_time, write_span, write_time
from blackjack.hand_history.values import INTEGER, SEQUENCE, TEXT

SUFFIXES: Final = ("@", "#", "via", "confidence", "received", "waited")
_MOMENT: Final = "a time such as 2026-03-01T20:15:00Z or +3s"
_SPAN: Final = "how long, such as +3s"


@dataclass(slots=True)
class Envelope:
    """The properties of a line's facts besides their content."""

    at: int | None = None
    seq: int | None = None
    device: str = ""
    confidence: int = CERTAIN
    received_at: int = 0
    delay_us: int | None = None
    waited_us: int = 0

    def events(self, facts: list[Fact], context: Context) -> list[Event]:
        """The facts as events, in the order of the line; the context goes on with them."""
        events: list[Event] = []
        for fact in facts:
            first = not events
            at = self.at if first and self.at is not None else context.due_at
            event = Event(
                table=context.table,
                seq=self.seq if first and self.seq is not None else context.due_seq,
                at=at,
                fact=fact,
                device=self.device,
                confidence=self.confidence,
                ingested_at=self.received_at if self.delay_us is None else at + self.delay_us,
                waited_us=self.waited_us,
            )
            context.follow(event)
            events.append(event)
        return events


def read_envelope(cursor: Cursor, accepted: list[str]) -> Envelope:
    """The suffixes in any order, up to the end of the line."""
    envelope = Envelope()
    seen: set[str] = set()
    while (token := cursor.token) is not None:
        if token.kind is TokenKind.AT or token.is_word("at"):
            word = "@"
        elif token.kind is TokenKind.WORD and token.text.startswith("#"):
            word = "#"
        elif token.kind is TokenKind.WORD and token.text.lower() in SUFFIXES:
            word = token.text.lower()
        else:
            options = [*accepted, *SUFFIXES]
            raise cursor.unexpected(", ".join(options) + " or the end of the line", options)
        if word in seen:
            raise cursor.unexpected(f"{word!r} only once")
        seen.add(word)
        _read_suffix(cursor, word, envelope)
    return envelope


def _read_suffix(cursor: Cursor, word: str, envelope: Envelope) -> None:
    if word == "#":
        envelope.seq = SEQUENCE.read(cursor)
        return
    cursor.skip()
    if word == "via":
        envelope.device = TEXT.read(cursor)
    elif word == "confidence":
        envelope.confidence = INTEGER.read(cursor)
    elif word == "waited":
        token = cursor.word(_SPAN)
        waited_us = read_span(token.text)
        if waited_us is None:
            raise cursor.unexpected_token(token, _SPAN)
        envelope.waited_us = waited_us
    else:
        token = cursor.word(_MOMENT)
        at, span_us = read_time(token.text), read_span(token.text)
        if at is None and span_us is None:
            raise cursor.unexpected_token(token, _MOMENT)
        if word == "received":
            envelope.received_at, envelope.delay_us = at or 0, span_us
        else:
            before = cursor.context.at
            envelope.at = at if span_us is None else _base(before, cursor) + span_us


def _base(before: int | None, cursor: Cursor) -> int:
    return cursor.context.due_at if before is None else before


def delay_us(event: Event) -> int | None:
    """How long after it happened an event arrived, where that is the default of the text."""
    delay = event.ingested_at - event.at
    return delay if event.ingested_at and 0 <= delay < HOUR_US else None


def continues(before: Event, event: Event) -> bool:
    """Whether an event can share the line of the one before: it has no property of its own."""
    return (
        event.table == before.table
        and event.seq == before.seq + 1
        and event.at == before.at + STEP_US
        and event.device == before.device
        and event.confidence == before.confidence
        and event.waited_us == before.waited_us
        and delay_us(event) == delay_us(before)
        and (delay_us(event) is not None or event.ingested_at == before.ingested_at)
    )


def write_envelope(event: Event, context: Context) -> str:
    """The suffixes that the event needs at this place, each with a blank before it."""
    words: list[str] = []
    if isinstance(event.fact, RoundOpened):
        words.append(f"at {write_time(event.at)}")
    elif context.at is None or event.at != context.due_at:
        words.append(f"@ {_moment(event.at, context.at)}")
    if event.seq != context.due_seq:
        words.append(f"#{event.seq}")
    if event.device:
        words.append(f"via {write_text(event.device)}")
    if event.confidence != CERTAIN:
        words.append(f"confidence {event.confidence}")
    if event.ingested_at:
        delay = delay_us(event)
        received = write_time(event.ingested_at) if delay is None else write_span(delay)
        words.append(f"received {received}")
    if event.waited_us:
        words.append(f"waited {write_span(event.waited_us)}")
    return "".join(f" {word}" for word in words)


def _moment(at: int, before: int | None) -> str:
    if before is not None and 0 <= at - before < HOUR_US:
        return write_span(at - before)
    return write_time(at)
