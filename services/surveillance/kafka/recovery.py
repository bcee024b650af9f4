"""States read back from their changelog, many at a time and by a reader of our own.

The library takes 160 microseconds for each state that it reads back: a queue, a timer and a sum
over all partitions for every message. The history of 200 tables then takes as long as everything
else of a start together. Read in bulk, with the last state of each subject handed to the store, it
takes about a fifth of that. A broker that goes away meanwhile is waited for: reading goes on
behind what the store has.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, cast

import faust
from confluent_kafka import KafkaException, Message
from faust.tables import recovery as library
from faust.tables.manager import TableManager
from faust.types import TP

from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Brokers
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import offset_of, place_of
from runtime.positions import OffsetRange
from surveillance.kafka.changelog import Record, apply
from wire import topics

SILENCE_SECONDS: Final = 2.0
"""Without a message that can be read: then the ends are asked for again."""
AGAIN_SECONDS: Final = 0.2
NOTHING: Final = -1
"""The offset of what is read before the first message is."""
AT_ONCE_MAX: Final = 500
"""Messages between which others have their turn: heartbeats, and the end of the process."""
_log = logs.logger(__name__)


class Recovery(library.Recovery):
    brokers: Brokers
    remaining = 0
    """Messages of states that are still to be read."""

    async def _wait(self, coro: Any, timeout: Any = None) -> None:  # noqa: ARG002
        """Without a limit: the library takes one that has passed for the end of the process, and
        never recovers anything again. The worker watches over progress."""
        await super()._wait(coro)

    async def _build_highwaters(
        self, consumer: Any, tps: set[TP], destination: Counter[TP], title: str
    ) -> None:
        """Restores, so that the library finds nothing left to be read."""
        del consumer, title
        offsets = cast(dict[TP, int | None], self.active_offsets)
        for tp in tps:
            if offsets.get(tp) is None:
                offsets[tp] = NOTHING
        while (ends := await self._restore(tps)) is None:
            await asyncio.sleep(AGAIN_SECONDS)
        destination.clear()
        destination.update(ends)

    async def _restore(self, tps: Iterable[TP]) -> dict[TP, int] | None:
        """The last offset of each, once everything is read that was there."""
        try:
            return await self._read_back({tp: self.active_offsets[tp] for tp in tps})
        except (KafkaException, topic_reader.NoSuchTopic, topic_reader.ReadingStuck) as failed:
            _log.warning("states are not read yet", reason=str(failed))
            return None

    async def _read_back(self, begins: dict[TP, int]) -> dict[TP, int]:
        unread = await asyncio.to_thread(_unread, self.brokers, begins)
        self.remaining = sum(max(0, each.end - each.begin) for each in unread)
        messages = topic_reader.read(self.brokers, unread, seconds_max=SILENCE_SECONDS)
        while some := await asyncio.to_thread(_taken, messages):
            # Store and offsets are one step: whoever is interrupted goes on behind it.
            for tp, records in _by_partition(some).items():
                apply(cast(Any, self.tp_to_table[tp]).data, records)
                self.active_offsets[tp] = records[-1].offset
            self.remaining = max(0, self.remaining - len(some))
        self.remaining = 0
        # A copy on disk that has more than there is: the library refuses it by its end.
        ends = {TP(each.topic, each.partition): each.end for each in unread}
        return {tp: min(self.active_offsets[tp], ends[tp] - 1) for tp in begins}


class Tables(TableManager):
    @property
    def recovery(self) -> Recovery:
        if self._recovery is None:
            self._recovery = Recovery(self.app, self, beacon=self.beacon, loop=self.loop)
        return cast(Recovery, self._recovery)


def recovery_of(app: faust.App) -> Recovery:
    return cast(Tables, app.tables).recovery


def _unread(brokers: Brokers, begins: dict[TP, int]) -> list[OffsetRange]:
    """What is behind the offset that each was read to."""
    reader = topic_reader.open_reader(brokers, read_uncommitted=True)
    try:
        return [topic_reader.unread(reader, *tp, begin=at + 1) for tp, at in begins.items()]
    finally:
        reader.close()


def _taken(messages: Iterator[Message]) -> list[Message]:
    return list(islice(messages, AT_ONCE_MAX))


def _by_partition(messages: Iterable[Message]) -> dict[TP, list[Record]]:
    """In the order of their offsets, of each subject only the last.

    A copy in another partition than that of its subject is not its state, and could be older.
    """
    partitions = topics.PARTITIONS[topics.SURVEILLANCE_STATES]
    found: dict[TP, dict[bytes, Record]] = {}
    for message in messages:
        tp, key, value = TP(*place_of(message)), message.key(), message.value()
        if isinstance(key, bytes) and key and partition_of(key, partitions) == tp.partition:
            record = Record(key, value, tp, offset_of(message))
            states = found.setdefault(tp, {})
            states.pop(key, None)
            states[key] = record
    return {tp: list(states.values()) for tp, states in found.items()}
