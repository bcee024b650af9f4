"""What is reported written is in the log, though its first request was rejected.

The library infers that a message was written once a later one is. A partition that has nothing
of the producer yet takes the later one all the same, so the inference can be wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.process import Stop
from tests.runtime.between import Between
from tests.stack.broker import Broker

VALUES = [b"%d" % number for number in range(10)]


@asynccontextmanager
async def producing(
    bootstrap: str, settings: dict[str, object]
) -> AsyncIterator[AcknowledgedProducer]:
    configuration = {**producer_configuration(bootstrap), **settings}
    producer = AcknowledgedProducer(lambda: make_producer(configuration))
    stop = Stop()
    serving = asyncio.create_task(asyncio.to_thread(producer.run, stop))
    try:
        yield producer
    finally:
        stop.request()
        await serving


async def send_all(
    broker: Broker, topic: str, settings: dict[str, object]
) -> tuple[dict[bytes, int], bool]:
    """Where each was said to be written, and whether requests overtook the rejected one."""
    written: dict[bytes, int] = {}
    unknown: list[str] = []
    warm_up = broker.make_topic("warm-up")
    between = Between(broker.bootstrap, topic=topic)

    async with between.listening() as address, producing(address, settings) as producer:

        async def send(number: int) -> None:
            await asyncio.sleep(number * 0.05)  # in a request of its own, or with few others
            try:
                (position,) = await producer.send([Output(topic, VALUES[number], b"key")])
            except NotWritten as failed:
                unknown.append(str(failed))
            else:
                written[VALUES[number]] = position.offset

        async with asyncio.timeout(60):
            await producer.send([Output(warm_up, b"")])  # who it is, and where the broker is
            await asyncio.gather(*(send(number) for number in range(len(VALUES))))
    assert all("no broker returned the offset" in reason for reason in unknown)
    return written, between.under_way_behind_it


def found(broker: Broker, topic: str) -> dict[bytes, int | None]:
    return {message.value() or b"": message.offset() for message in broker.read(topic)}


def test_a_rejected_first_request_is_sent_again_before_anything_else(broker: Broker) -> None:
    topic = broker.make_topic()
    written, overtaken = asyncio.run(send_all(broker, topic, {}))
    assert not overtaken
    assert list(found(broker, topic)) == VALUES
    assert written == found(broker, topic)


def test_what_the_library_only_infers_is_not_taken_for_written(broker: Broker) -> None:
    topic = broker.make_topic()
    five: dict[str, object] = {"max.in.flight.requests.per.connection": 5}
    written, overtaken = asyncio.run(send_all(broker, topic, five))
    assert overtaken
    assert VALUES[0] not in found(broker, topic)  # lost, though the library reports success
    assert written == found(broker, topic)
