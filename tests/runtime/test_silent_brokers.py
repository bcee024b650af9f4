"""A broker that is silent for so long that it loses its partitions, and gets them back."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from threading import Thread

import pytest
from confluent_kafka import Message

from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.producing import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.positions import Position
from runtime.process import Stop
from tests.runtime.kafka import read_all
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker

TOPICS = 8
MESSAGES = 40
SILENT_SECONDS = 3.6
"""Longer than the session of the stack's broker, which is three seconds."""


class Reported(AcknowledgedProducer):
    """Sends one message after another, and keeps what was said of each."""

    def __init__(self, bootstrap: str, topic: str, settings: dict[str, object]) -> None:
        configuration = {**producer_configuration(bootstrap), **settings}
        super().__init__(lambda: make_producer(configuration))
        self.topic = topic
        self.written: dict[bytes, Position] = {}
        self.unknown: list[bytes] = []

    async def send_all(self) -> None:
        values = [b"%d" % number + b"." * 20_000 for number in range(MESSAGES)]
        await asyncio.gather(*map(self._send_one, values))

    async def _send_one(self, value: bytes) -> None:
        await asyncio.sleep(int(value.rstrip(b".")) * 0.005)  # each in a request of its own
        try:
            (self.written[value],) = await self.send([Output(self.topic, value, b"key")])
        except NotWritten:
            self.unknown.append(value)


@asynccontextmanager
async def served(producers: Sequence[AcknowledgedProducer]) -> AsyncIterator[None]:
    stop = Stop()
    threads = [Thread(target=each.run, args=[stop]) for each in producers]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        stop.ask()
        for each in threads:
            await asyncio.to_thread(each.join)


async def send_into_silence(producers: Sequence[Reported], broker_pid: int) -> None:
    async with served(producers), asyncio.timeout(60):
        os.kill(broker_pid, signal.SIGSTOP)
        try:
            sending = [asyncio.create_task(each.send_all()) for each in producers]
            await asyncio.sleep(SILENT_SECONDS)
        finally:
            os.kill(broker_pid, signal.SIGCONT)
        await asyncio.gather(*sending)


@pytest.mark.parametrize(
    ("settings", "may_be_unknown"),
    [({}, False), ({"max.in.flight.requests.per.connection": 5}, True)],
    ids=["as we set it", "with more requests under way"],
)
def test_what_was_reported_written_is_in_the_log_where_it_was_said_to_be(
    own_stack: StackMaker, settings: dict[str, object], may_be_unknown: bool
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    broker = Broker(stack.kafka_bootstrap)
    topics = [broker.make_topic(f"topic-{number}") for number in range(TOPICS)]

    async def main() -> list[Reported]:
        producers = [Reported(stack.kafka_bootstrap, topic, settings) for topic in topics]
        await send_into_silence(producers, stack.state.processes["kafka"].pid)
        return producers

    for producer in asyncio.run(main()):
        log = read_all(stack.kafka_bootstrap, producer.topic)
        found = {each.value() or b"": each.offset() for each in log}
        assert {value: at.offset for value, at in producer.written.items()}.items() <= found.items()
        if not may_be_unknown:
            assert producer.unknown == []
            numbers = [int((each.value() or b"").rstrip(b".")) for each in log]
            assert numbers == list(range(MESSAGES))


class Infers:
    """Takes a message, and reports it written without saying where, as the library may."""

    def __init__(self) -> None:
        self._reports: list[tuple[object, Message]] = []

    def produce(self, topic: str, *_: object, on_delivery: object, headers: object) -> None:
        self._reports.append((on_delivery, Message(topic=topic, partition=0)))

    def poll(self, _: float) -> None:
        while self._reports:
            report, message = self._reports.pop()
            report(None, message)  # type: ignore[operator]

    def flush(self, _: float) -> int:
        return 0


def test_a_success_that_no_broker_spoke_of_is_none() -> None:
    async def main() -> None:
        producer = AcknowledgedProducer(Infers)  # type: ignore[arg-type]
        async with served([producer]):
            with pytest.raises(NotWritten, match="no broker said where it was written"):
                await producer.send([Output("topic", b"fact")])

    asyncio.run(main())
