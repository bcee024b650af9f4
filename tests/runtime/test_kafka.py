"""The consumer thread and the acknowledged producer, on the mock and on a real broker."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, KafkaError, Message

from runtime.kafka.configuration import (
    LogThrottle,
    consumer_configuration,
    make_consumer,
    make_producer,
    producer_configuration,
)
from runtime.kafka.consumer_thread import (
    ConsumerThread,
    MessageBatch,
    PartitionsAssigned,
    PartitionsRevoked,
    QueueLimits,
)
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output, header
from runtime.positions import Partition, Position
from runtime.process import ServicePart, Stop, supervise
from runtime.tracing import TRACEPARENT, new_trace, trace_headers
from tests.runtime.kafka import (
    MOCK_PARTITIONS,
    make_topic,
    mock_broker,
    read_all,
    real,
)


@pytest.fixture(params=["mock", "real"])
def bootstrap(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "real":
        request.getfixturevalue("real_kafka")
        yield real()
    else:
        with mock_broker() as address:
            yield address


def produce(bootstrap: str, topic: str, values: Sequence[str], partition: int = 0) -> None:
    producer = make_producer(producer_configuration(bootstrap))
    for value in values:
        producer.produce(topic, value, partition=partition)
    assert producer.flush(20) == 0
    producer.close()


def consumer_of(bootstrap: str, group: str) -> Consumer:
    return make_consumer(consumer_configuration(bootstrap, group=group))


async def run_parts(scenario: ServicePart, *others: ServicePart) -> None:
    """Runs the parts until the scenario has returned."""
    stop = Stop()

    async def then_stop(own: Stop) -> None:
        await scenario.work(own)  # type: ignore[misc]
        stop.request()
        await own.wait()

    parts = [*others, ServicePart(scenario.name, then_stop)]
    async with asyncio.timeout(60):
        await supervise(parts, stop=stop, stop_seconds_max=30)


def test_what_was_sent_is_there_when_the_sender_goes_on(bootstrap: str) -> None:
    topic = make_topic(bootstrap, "sent", partitions=MOCK_PARTITIONS)
    with new_trace("test"):
        trace = trace_headers()

    async def main() -> None:
        producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(bootstrap)))

        async def scenario(_: Stop) -> None:
            headers = [*trace, ("kind", b"x")]
            outputs = [
                Output(topic, b"%d" % number, partition=number % 2, headers=list(headers))
                for number in range(10)
            ]
            positions = await producer.send(outputs)
            assert positions[:3] == (
                Position(topic, 0, 0),
                Position(topic, 1, 0),
                Position(topic, 0, 1),
            )
            assert await producer.send([]) == ()
            assert len(await asyncio.to_thread(read_all, bootstrap, topic)) == 10

        await run_parts(ServicePart("scenario", scenario), producer.part())

    asyncio.run(main())
    message = read_all(bootstrap, topic)[0]
    assert [(TRACEPARENT, header(message, TRACEPARENT))] == trace
    assert header(message, "kind") == b"x"
    assert header(message, "other") is None


def test_what_the_brokers_do_not_take_is_said(bootstrap: str) -> None:
    topic = make_topic(bootstrap, "sent", partitions=MOCK_PARTITIONS)

    async def main() -> None:
        producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(bootstrap)))

        async def scenario(_: Stop) -> None:
            good = Output(topic, b"small", partition=0)
            with pytest.raises(NotWritten) as caught:
                await producer.send([good, Output(topic, b"x" * 8_000_000), good])
            assert caught.value.error.code() == KafkaError.MSG_SIZE_TOO_LARGE
            with pytest.raises(NotWritten):
                await producer.send([Output(topic, b"", partition=99)])
            assert len(await producer.send([good])) == 1

        await run_parts(ServicePart("scenario", scenario), producer.part())

    asyncio.run(main())


def test_what_the_library_repeats_is_said_once_in_a_while() -> None:
    now = 0.0
    seldom = LogThrottle(10, clock=lambda: now)
    assert seldom.is_time_for("_TRANSPORT")
    assert not seldom.is_time_for("_TRANSPORT")
    assert seldom.is_time_for("_ALL_BROKERS_DOWN")
    now = 10.0
    assert seldom.is_time_for("_TRANSPORT")


def test_keys_go_where_java_would_put_them() -> None:
    """Kafka's own clients hash `kafka` to 0xd067cf64: by murmur2, its sign bit cleared."""
    with mock_broker() as bootstrap:
        topic = make_topic(bootstrap, "keys", partitions=MOCK_PARTITIONS)
        producer = make_producer(producer_configuration(bootstrap))
        producer.produce(topic, b"", b"kafka")
        producer.flush(20)
        producer.close()
        (message,) = read_all(bootstrap, topic)
        assert message.partition() == (0xD067CF64 & 0x7FFFFFFF) % MOCK_PARTITIONS


def values(batch: MessageBatch) -> list[bytes]:
    return [message.value() or b"" for message in batch.messages]


def test_a_consumer_thread_gives_ownership_and_messages_in_order(bootstrap: str) -> None:
    topic = make_topic(bootstrap, "read", partitions=MOCK_PARTITIONS)
    produce(bootstrap, topic, [str(number) for number in range(25)])
    group = uuid4().hex

    async def main() -> None:
        consumer = ConsumerThread(
            lambda: consumer_of(bootstrap, group), [topic], limits=QueueLimits(batch_messages_max=7)
        )

        async def scenario(_: Stop) -> None:
            assigned = await consumer.get()
            assert isinstance(assigned, PartitionsAssigned)
            assert {position.place for position in assigned.positions} == {
                Partition(topic, number) for number in range(MOCK_PARTITIONS)
            }
            seen: list[bytes] = []
            while len(seen) < 25:
                batch = await consumer.get()
                assert isinstance(batch, MessageBatch)
                assert len(batch.messages) <= 7
                seen += values(batch)
            assert seen == [b"%d" % number for number in range(25)]
            consumer.commit([Position(topic, 0, 20)])
            consumer.commit([Position(topic, 0, 10)])  # late news do not set it back

        await run_parts(ServicePart("scenario", scenario), consumer.part())
        # News after the stop: the partitions were handed over.
        assert isinstance(await consumer.get(), PartitionsRevoked)

        again = ConsumerThread(lambda: consumer_of(bootstrap, group), [topic])

        async def go_on(_: Stop) -> None:
            assigned = await again.get()
            assert isinstance(assigned, PartitionsAssigned)
            assert Position(topic, 0, 20) in assigned.positions
            batch = await again.get()
            assert isinstance(batch, MessageBatch)
            assert values(batch)[0] == b"20"

        await run_parts(ServicePart("scenario", go_on), again.part())

    asyncio.run(main())


def test_a_service_that_keeps_its_own_positions_says_where_to_begin(bootstrap: str) -> None:
    topic = make_topic(bootstrap, "read", partitions=MOCK_PARTITIONS)
    produce(bootstrap, topic, ["a", "b", "c"])

    async def main() -> None:
        consumer = ConsumerThread(
            lambda: consumer_of(bootstrap, uuid4().hex),
            [topic],
            start_at=lambda _: [Position(topic, 0, 2)],
        )

        async def scenario(_: Stop) -> None:
            assigned = await consumer.get()
            assert isinstance(assigned, PartitionsAssigned)
            assert set(assigned.positions) == {
                Position(topic, 0, 2),
                *(Position(topic, number, 0) for number in range(1, MOCK_PARTITIONS)),
            }
            batch = await consumer.get()
            assert isinstance(batch, MessageBatch)
            assert values(batch) == [b"c"]

        await run_parts(ServicePart("scenario", scenario), consumer.part())

    asyncio.run(main())


def test_a_slow_service_pauses_the_reading_and_loses_nothing(bootstrap: str) -> None:
    topic = make_topic(bootstrap, "read", partitions=MOCK_PARTITIONS)
    produce(bootstrap, topic, [str(number) for number in range(500)])

    async def main() -> None:
        limits = QueueLimits(batch_messages_max=10, queued_messages_max=50, idle_seconds=0.05)
        consumer = ConsumerThread(
            lambda: consumer_of(bootstrap, uuid4().hex), [topic], limits=limits
        )

        async def scenario(_: Stop) -> None:
            assert isinstance(await consumer.get(), PartitionsAssigned)
            while not consumer._paused:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.3)
            assert 50 <= consumer._queued_messages <= 60
            seen: list[Message] = []
            while len(seen) < 500:
                batch = await consumer.get()
                assert isinstance(batch, MessageBatch)
                seen += batch.messages
                assert consumer._queued_messages <= 60
            assert [message.offset() for message in seen] == list(range(500))

        await run_parts(ServicePart("scenario", scenario), consumer.part())

    asyncio.run(main())
