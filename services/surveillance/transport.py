"""Faust's way to Kafka, corrected in seven places that the library offers no setting for.

- It reads what is committed only: rounds and findings are written in transactions.
- A fetch waits a little and not a second and a half: a partition whose messages were just taken is
  not in the fetch under way, and would wait for that one to end.
- Topics can be held back until others are read.
- Nothing is done but what an agent says is done. The library itself also acknowledges messages
  that it threw away because partitions were moving, and what an agent had in hand when it ended.
- Before states are read their partitions are taken (`surveillance.fencing`): what an earlier owner
  writes from then on is refused.
- States end with the last one that can be read. Behind it are marks of transactions, which the
  library would wait for in vain.
- Topics are never made here: provisioning makes them, with their partitions and their policy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from faust.transport.drivers import aiokafka as driver
from faust.types import TP, Message

from runtime.kafka.reading import ReadingStuck

FETCH_WAIT_MS_MAX: Final = 50
HELD_SECONDS: Final = 0.1


class ConsumerThread(driver.AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: driver.Transport) -> Any:
        made = super()._create_worker_consumer(transport)
        made._isolation_level = "read_committed"
        made._fetch_max_wait_ms = FETCH_WAIT_MS_MAX
        return made


class Consumer(driver.Consumer):
    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    held: frozenset[str] = frozenset()
    """Topics of which nothing is read for now."""

    take: Callable[[set[TP]], Awaitable[None]]
    """Makes what was assigned ours alone."""

    ends: Callable[[Sequence[TP]], Mapping[TP, int]]
    """Of states, asked in a thread."""

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        await self.take(assigned)
        await super().on_partitions_assigned(assigned, generation_id)

    async def highwaters(self, *partitions: TP) -> Mapping[TP, int]:
        while True:
            with suppress(ReadingStuck):
                return await asyncio.to_thread(self.ends, partitions)

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:
        if self.held and active_partitions is not None:
            active_partitions = {each for each in active_partitions if each.topic not in self.held}
            if not active_partitions:
                await self.sleep(HELD_SECONDS)
                return {}
        return await super()._getmany(active_partitions, timeout)

    def ack(self, message: Message) -> bool:  # noqa: ARG002
        """What the library thinks is done, which is not enough to go by."""
        return False

    def finish(self, message: Message) -> bool:
        """All that this message brings about is written: its offset may be committed."""
        return super().ack(message)


class Transport(driver.Transport):
    Consumer = Consumer
