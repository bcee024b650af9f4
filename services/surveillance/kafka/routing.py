"""Facts to whom they are about: an agent for each topic, which keeps nothing in mind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from faust.types import Message

from runtime import logs
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Output
from runtime.tracing import TRACEPARENT, TRACEPARENT_BYTES_MAX, batch_span
from surveillance.domain.facts import RoutableFact
from surveillance.domain.routing import DayOf, sort
from surveillance.domain.sightings import SourcedSighting
from surveillance.kafka.pace import Pace
from surveillance.kafka.rejections import MISPLACED, NOT_WATCHED, UNREADABLE, dead_letter, header
from surveillance.kafka.sighting_records import Sighted, messages
from surveillance.kafka.writer import Sending, Turn, Writer
from surveillance.metrics import Figures
from wire import topics
from wire.errors import Misplaced, WireError

Read = Callable[[Message], Awaitable[RoutableFact | None]]
"""The fact of a message; None where surveillance has no use for it. Raises `WireError`."""
_log = logs.logger(__name__)


ROUNDS_PAUSE_SECONDS: Final = 0.05
"""Between two writes of what rounds were routed to: a message costs as much as ten sightings."""
LOOK_SECONDS: Final = 0.01
FULL_SECONDS_MAX: Final = 10.0
"""How long a round waits at most for sightings to be watched."""


class Sorting:
    """Of one topic. Rounds are routed only as fast as `is_full` allows: their backlog stays in
    their own topic, so that sightings of findings do not stand behind it."""

    def __init__(
        self,
        topic: str,
        read: Read,
        writer: Writer,
        day_of: DayOf,
        figures: Figures,
        pace: Pace,
        *,
        prefix: str,
        is_full: Callable[[], bool] = lambda: False,
    ) -> None:
        self.topic = topic
        self._read = read
        self._is_rounds = topic == topics.SETTLED_ROUNDS
        pause = ROUNDS_PAUSE_SECONDS if self._is_rounds else 0.0
        self._sending = Sending(writer, self._take, pause_seconds=pause)
        self._is_full = is_full
        self._day_of = day_of
        self._figures = figures
        self._pace = pace
        self._sightings = prefix + topics.SURVEILLANCE_SIGHTINGS
        self._dead_letters = prefix + topics.DEAD_LETTERS
        self._sighted: list[Sighted] = []
        self._letters: list[Output] = []

    async def tell(self, given: Sequence[Message]) -> None:
        turn = Turn()
        with batch_span([self.topic], len(given), map(trace_of, given)):
            for message in given:
                await self._pace.keep(self.topic, message.timestamp or 0.0)
                await turn.give_way()
                if self._is_rounds:
                    await self._wait_for_room()
                await self._sort_or_set_aside(message)
                self._sending.begin()
        self._figures.sorted(self.topic, len(given))

    async def _wait_for_room(self) -> None:
        until = time.monotonic() + FULL_SECONDS_MAX
        while self._is_full() and time.monotonic() < until:
            await asyncio.sleep(LOOK_SECONDS)

    async def keep(self, _: Callable[[], bool]) -> None:
        """Nothing is kept in mind; what was begun is written."""
        await self._sending.end()

    async def _sort_or_set_aside(self, message: Message) -> None:
        try:
            self._sighted += await self._sort(message)
        except Misplaced as refused:
            self._set_aside(message, MISPLACED, str(refused))
        except WireError as refused:
            self._set_aside(message, UNREADABLE, str(refused))
        except Exception as failed:
            _log.error("not sorted", topic=self.topic, offset=message.offset, exc_info=True)
            self._set_aside(message, NOT_WATCHED, repr(failed))

    async def _sort(self, message: Message) -> list[Sighted]:
        check_place(self.topic, message)
        fact = await self._read(message)
        if fact is None:
            return []
        source, trace = f"{self.topic}/{message.partition}", trace_of(message)
        return [
            Sighted(SourcedSighting(source, message.offset, ordinal, seen), trace)
            for ordinal, seen in enumerate(sort(fact, day_of=self._day_of))
        ]

    def _take(self) -> Sequence[Output]:
        outputs = [*messages(self._sightings, self._sighted), *self._letters]
        self._sighted.clear()
        self._letters.clear()
        return outputs

    def _set_aside(self, message: Message, code: str, reason: str) -> None:
        """Never dead-letter a dead letter: it would loop."""
        self._figures.set_aside(self.topic)
        if self.topic == topics.DEAD_LETTERS:
            _log.error("dead letter not sorted", offset=message.offset, reason=reason)
            return
        self._letters.append(dead_letter(self._dead_letters, message, code=code, reason=reason))


def check_place(topic: str, message: Message) -> None:
    """Raises `Misplaced` for a copy in another partition, which would count a second time."""
    partitions = topics.PARTITIONS[topic]
    if partitions == 1 or not message.key:
        return
    home = partition_of(message.key, partitions)
    if home != message.partition:
        raise Misplaced(message.partition, home)


def trace_of(message: Message) -> str:
    found = header(message, TRACEPARENT) or b""
    return "" if len(found) > TRACEPARENT_BYTES_MAX else found.decode("ascii", "replace")
