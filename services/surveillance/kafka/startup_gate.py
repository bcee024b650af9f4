"""Coupons, exclusions and slips are read before what tables report is.

A coupon that is used before its issue was read is unknown, for a moment: an alert that is told
and withdrawn again. Nothing would be wrong in the end, but at a first start there would be many.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Final

from confluent_kafka import Consumer, KafkaException, TopicPartition

from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.process import ServicePart, Stop

LOOK_SECONDS: Final = 0.5
SECONDS_MAX: Final = 120.0
"""A worker that has the offices' partitions and does not come on must not keep the others."""
_ANSWER_SECONDS: Final = 10.0
_log = logs.logger(__name__)


class Gate:
    """Opens when `group` has done all that the `topics` held at the start, whoever reads them."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        *,
        group: str,
        topics: tuple[str, ...],
        opens: Callable[[], None],
    ) -> None:
        self._bootstrap = bootstrap
        self._group = group
        self._topics = topics
        self._opens = opens
        self._open = threading.Event()

    def part(self) -> ServicePart:
        return ServicePart("gate", self.run)

    def wait(self, stop: Stop) -> bool:
        """In a thread: until it is open, or until the stop; whether it is open."""
        while not self._open.wait(0.1) and not stop.requested:
            pass
        return self._open.is_set()

    async def run(self, stop: Stop) -> None:
        try:
            async with asyncio.timeout(SECONDS_MAX):
                await self._wait(stop)
        except TimeoutError:
            _log.warning("what offices entered is not all read, going on")
        self._opens()
        self._open.set()
        await stop.wait()

    async def _wait(self, stop: Stop) -> None:
        configuration = consumer_configuration(self._bootstrap, group=self._group)
        asking = await asyncio.to_thread(make_consumer, configuration)
        try:
            ends = await asyncio.to_thread(self._ends)
            while not await asyncio.to_thread(self._is_done, asking, ends):
                if await stop.wait(LOOK_SECONDS):
                    return
        finally:
            asking.close()

    def _ends(self) -> list[TopicPartition]:
        return [
            TopicPartition(each.topic, each.partition, each.end)
            for topic in self._topics
            for each in topic_reader.whole(self._bootstrap, topic)
            if each.begin < each.end
        ]

    def _is_done(self, asking: Consumer, ends: list[TopicPartition]) -> bool:
        if not ends:
            return True
        try:
            done = asking.committed(ends, timeout=_ANSWER_SECONDS)
        except KafkaException as failed:
            _log.warning("how far offices are read is not known", reason=str(failed))
            return False
        offsets = {(each.topic, each.partition): each.offset for each in done}
        return all(offsets[each.topic, each.partition] >= each.offset for each in ends)
