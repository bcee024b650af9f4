"""States are written by one worker at a time, whoever else believes to be the one.

A worker that stands still for longer than its session loses its partitions and does not know it:
what it has in hand it writes when it goes on, over what the next owner wrote in the meantime. So
every partition of states is written in transactions under a name of its own. Whoever is given a
partition takes that name first, before it reads a state: from then on the brokers refuse all that
the earlier owner sends, and what it had begun is as if never written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from confluent_kafka import Producer
from faust.types import TP

from runtime import logs
from runtime.kafka.configuration import Configuration, transactional_configuration
from runtime.kafka.records import Output
from runtime.kafka.transactions import NotCommitted, Transactions
from runtime.positions import Position
from surveillance.config import Settings
from surveillance.kafka.faust_app import GROUP
from wire import topics

_NAME: Final = "states"
AGAIN_SECONDS: Final = 0.2
_AT_ONCE: Final = topics.PARTITIONS[topics.SURVEILLANCE_STATES]
_ATTEMPTS_MAX: Final = 5
T = TypeVar("T")
_log = logs.logger(__name__)


def states_configuration(settings: Settings, partition: int) -> Configuration:
    """Of the producer that whoever has this partition of states writes with."""
    name = f"{settings.topic_prefix}{GROUP}-{_NAME}-{partition}"
    configuration = transactional_configuration(settings.brokers, transactional_id=name)
    return configuration | {"delivery.report.only.error": False}


def states_of(assigned: Iterable[TP], prefix: str) -> set[int]:
    """The partitions of states that go with what a worker was assigned."""
    sightings = prefix + topics.SURVEILLANCE_SIGHTINGS
    return {each.partition for each in assigned if each.topic == sightings}


class Fenced(Exception):
    """Another worker has the partition, or the brokers cannot say: it ends this one."""

    def __init__(self, partition: int, reason: str) -> None:
        self.partition = partition
        super().__init__(f"states of partition {partition} are not ours to write: {reason}")


class Fences:
    """The writers of the partitions that are ours. `make` gives a producer of a partition's own
    name, which reports every delivery."""

    def __init__(self, make: Callable[[int], Producer]) -> None:
        self._make = make
        self._writers: dict[int, Transactions] = {}
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix=_NAME)

    async def take(self, partitions: Iterable[int]) -> None:
        """Before anything of them is read. Also what was ours before: another may have had it."""
        for each in self._writers.values():
            each.close()
        self._writers = {each: Transactions(partial(self._make, each)) for each in partitions}
        writers = self._writers
        while failed := await self._prepare(writers.values()):
            # Whoever gives up here is never heard of again: the consumer logs it and goes on.
            _log.warning("states are not taken yet", reason=str(failed))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _prepare(self, writers: Iterable[Transactions]) -> BaseException | None:
        """Why one of them cannot write yet."""
        prepared = [self._in_thread(each.prepare) for each in writers]
        outcomes = await asyncio.gather(*prepared, return_exceptions=True)
        return next((each for each in outcomes if isinstance(each, BaseException)), None)

    async def write(self, outputs: Mapping[int, Sequence[Output]]) -> dict[int, Sequence[Position]]:
        """By partition: where each was written. `Fenced` if one of them is somebody else's."""
        written = await asyncio.gather(
            *[self._in_thread(partial(self._write, where, some)) for where, some in outputs.items()]
        )
        return dict(zip(outputs, written, strict=True))

    def _write(self, partition: int, outputs: Sequence[Output]) -> Sequence[Position]:
        writer = self._writers.get(partition)
        if writer is None:
            raise Fenced(partition, "it was given back")
        for attempt in range(1, _ATTEMPTS_MAX + 1):
            try:
                return writer.write(outputs)
            except NotCommitted as failed:
                if failed.producer_lost or attempt == _ATTEMPTS_MAX:
                    raise Fenced(partition, str(failed)) from failed
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        for each in self._writers.values():
            each.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _in_thread(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work)
