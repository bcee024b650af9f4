"""Each input counts once: on a real broker, with batches that fail at every point."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer

from runtime.kafka.configuration import (
    Configuration,
    consumer_configuration,
    make_consumer,
    make_producer,
    producer_configuration,
    transactional_configuration,
)
from runtime.kafka.errors import ConsumerLost
from runtime.kafka.exactly_once import BatchLimits, ExactlyOnce, LoopGivenUp
from runtime.kafka.loop_metrics import LoopMetrics
from runtime.metrics import Metrics
from runtime.positions import Position
from tests.runtime.kafka import (
    MOCK_PARTITIONS,
    ThreadStop,
    eventually,
    make_topic,
    mock_broker,
    needs_kafka,
    read_all,
    real,
)
from tests.runtime.numbering import Numbering, numbering_loop


class Treacherous:
    """A producer that fails when it is told to, before or after having done the work."""

    def __init__(self, producer: Producer, plan: list[tuple[str, bool, KafkaError]]) -> None:
        self._producer = producer
        self._plan = plan

    def close(self) -> None:
        """It aborts without a limit: with the broker away, the loop hung there for good."""
        raise AssertionError("a producer is thrown away, not closed")

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._producer, name)

        def call(*arguments: Any, **named: Any) -> Any:
            planned = self._plan and self._plan[0][0] == name
            if planned and not self._plan[0][1]:
                raise KafkaException(self._plan.pop(0)[2])
            result = real(*arguments, **named)
            if planned:
                raise KafkaException(self._plan.pop(0)[2])
            return result

        return call


ROOT = Path(__file__).resolve().parent.parent.parent
FATAL = KafkaError(KafkaError._FENCED, "planned", fatal=True)
ABORTABLE = KafkaError(KafkaError.INVALID_TXN_STATE, "planned", txn_requires_abort=True)
RETRIABLE = KafkaError(KafkaError._TRANSPORT, "planned", retriable=True)
TIMED_OUT = KafkaError(KafkaError._TIMED_OUT, "planned", retriable=True)


class Bench:
    """Topics, inputs, and loops over them."""

    def __init__(self, bootstrap: str, *, partitions: int, inputs: int) -> None:
        self.bootstrap = bootstrap
        self.partitions = partitions
        self.source = make_topic(bootstrap, "source", partitions=partitions)
        self.target = make_topic(
            bootstrap, "target", partitions=1 if bootstrap == real() else MOCK_PARTITIONS
        )
        self.group = f"group-{uuid4().hex[:8]}"
        self.plan: list[tuple[str, bool, KafkaError]] = []
        self.expected: set[tuple[int, bytes]] = set()
        self.send(inputs)

    def send(self, inputs: int) -> None:
        producer = make_producer(producer_configuration(self.bootstrap))
        begin = len(self.expected) // self.partitions
        for number in range(begin + 1, begin + inputs + 1):
            for partition in range(self.partitions):
                producer.produce(self.source, b"m%d" % number, partition=partition)
                self.expected.add((partition, b"%d:m%d" % (number, number)))
        assert producer.flush(20) == 0
        producer.close()

    def loop(
        self, worker: str = "one", limits: BatchLimits | None = None, metrics: Metrics | None = None
    ) -> tuple[ExactlyOnce, Numbering]:
        transform = Numbering(self.bootstrap, self.source, self.target)

        def make(producer: Configuration) -> Any:
            return Treacherous(make_producer(producer), self.plan)

        loop_metrics = LoopMetrics(metrics) if metrics else None
        loop = numbering_loop(transform, self.group, worker, make, limits, loop_metrics)
        return loop, transform

    def numbered(self) -> list[tuple[int, bytes]]:
        found = read_all(self.bootstrap, self.target)
        return [(int(message.key() or b""), message.value() or b"") for message in found]

    def all_is_there(self) -> bool:
        return len(self.numbered()) >= len(self.expected)

    def check(self) -> None:
        assert Counter(self.numbered()) == Counter(self.expected)


@contextmanager
def running(loop: ExactlyOnce) -> Iterator[Callable[[], BaseException | None]]:
    """The loop in a thread; ends it, and fails if it raised what nobody asked for."""
    stop = ThreadStop()
    raised: list[BaseException] = []

    def work() -> None:
        try:
            loop.run(stop)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    seen = False

    def look() -> BaseException | None:
        nonlocal seen
        seen = True
        return raised[0] if raised else None

    try:
        yield look
    finally:
        stop.request()
        thread.join(30)
        assert not thread.is_alive()
    if raised and not seen:
        raise raised[0]


@needs_kafka
@pytest.mark.parametrize("batch_messages_max", [1, 7, 10_000])
def test_every_message_is_numbered_once_whatever_the_batch(batch_messages_max: int) -> None:
    bench = Bench(real(), partitions=3, inputs=40)
    metrics = Metrics("example")
    limits = BatchLimits(batch_messages_max=batch_messages_max, idle_seconds=0.1)
    loop, transform = bench.loop(limits=limits, metrics=metrics)
    with running(loop):
        eventually(bench.all_is_there)
    bench.check()
    assert transform.told == ["assigned 3", "revoked 3"]
    assert metrics.registry.get_sample_value("example_messages_total") == 120


FAILURES = [
    (operation, done, error)
    for operation in ("produce", "send_offsets_to_transaction", "commit_transaction")
    for done in (False, True)
    for error in (FATAL, ABORTABLE, RETRIABLE, TIMED_OUT)
    # A commit that took place does not ask for an abort.
    if not (operation == "commit_transaction" and done and error is ABORTABLE)
]


@needs_kafka
@pytest.mark.parametrize(
    "failure", FAILURES, ids=lambda f: f"{f[0]}-{'after' if f[1] else 'before'}-{f[2].name()}"
)
def test_a_batch_that_fails_is_not_lost_and_does_not_count_twice(
    failure: tuple[str, bool, KafkaError],
) -> None:
    """Also when the work was done and only the answer is lost: the commit took place."""
    bench = Bench(real(), partitions=2, inputs=30)
    bench.plan.append(failure)
    loop, _ = bench.loop()
    with running(loop):
        eventually(bench.all_is_there)
        bench.send(10)
        eventually(bench.all_is_there)
    bench.check()
    assert not bench.plan, "the planned failure did not come"


@needs_kafka
def test_an_abort_that_fails_throws_the_producer_away() -> None:
    bench = Bench(real(), partitions=1, inputs=30)
    bench.plan += [
        ("commit_transaction", False, ABORTABLE),
        ("abort_transaction", False, KafkaError(KafkaError._FAIL, "planned")),
    ]
    metrics = Metrics("example")
    loop, transform = bench.loop(metrics=metrics)
    with running(loop):
        eventually(bench.all_is_there)
    bench.check()
    assert transform.told == ["assigned 1", "lost 1", "assigned 1", "revoked 1"]
    failed = metrics.registry.get_sample_value(
        "example_batches_failed_total", {"producer_lost": "true"}
    )
    assert failed == 1


@needs_kafka
def test_a_fault_in_the_transform_ends_the_loop_and_leaves_nothing_behind() -> None:
    bench = Bench(real(), partitions=1, inputs=10)
    loop, transform = bench.loop()
    transform.raises = ZeroDivisionError("a fault")
    with running(loop) as raised:
        eventually(lambda: isinstance(raised(), ZeroDivisionError))
    assert transform.told == ["assigned 1", "lost 1"]
    assert bench.numbered() == []
    healed, _ = bench.loop()
    with running(healed):
        eventually(bench.all_is_there)
    bench.check()


@pytest.mark.proof
@needs_kafka
def test_two_workers_share_the_partitions_and_take_over_from_each_other() -> None:
    bench = Bench(real(), partitions=4, inputs=20)
    first, of_first = bench.loop("one")
    second, of_second = bench.loop("two")
    with running(first):
        eventually(bench.all_is_there)
        with running(second):
            eventually(lambda: len(of_first.count) == 2 and len(of_second.count) == 2)
            bench.send(20)
            eventually(bench.all_is_there)
        bench.send(20)
        eventually(bench.all_is_there)
        assert len(of_first.count) == 4
    bench.check()


@needs_kafka
def test_a_worker_that_comes_back_goes_on_where_it_was() -> None:
    bench = Bench(real(), partitions=2, inputs=10)
    for _ in range(3):
        loop, _ = bench.loop()
        with running(loop):
            eventually(bench.all_is_there)
        bench.send(10)
    loop, _ = bench.loop()
    with running(loop):
        eventually(bench.all_is_there)
    bench.check()


@needs_kafka
def test_of_two_workers_with_one_name_the_older_ends_loudly() -> None:
    bench = Bench(real(), partitions=2, inputs=10)
    older, _ = bench.loop()
    newer, _ = bench.loop()
    with running(older) as raised:
        eventually(bench.all_is_there)
        with running(newer):
            eventually(lambda: isinstance(raised(), ConsumerLost))
            bench.send(20)
            eventually(bench.all_is_there)
    bench.check()


class Fenced:
    """A consumer that takes a batch and then is told that another has its name."""

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer
        self._taken = 0

    def consume(self, count: int, seconds: float) -> list[Message]:
        if self._taken > 10:
            return [Message(error=KafkaError(KafkaError._FATAL, "fenced"))]
        taken = self._consumer.consume(count, seconds)
        self._taken += len(taken)
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._consumer, name)


@needs_kafka
def test_a_consumer_that_was_fenced_after_a_while_is_replaced() -> None:
    """A broker that was killed fenced a member by the member's own, unanswered request."""
    bench = Bench(real(), partitions=2, inputs=50)
    limits = BatchLimits(batch_messages_max=5, idle_seconds=0.1, consumer_seconds_min=0)
    loop, transform = bench.loop(limits=limits)
    make = loop._make_consumer
    made: list[Consumer] = []

    def make_fenced_twice() -> Any:
        made.append(make())
        return made[-1] if len(made) > 2 else Fenced(made[-1])

    loop._make_consumer = make_fenced_twice
    with running(loop):
        eventually(bench.all_is_there)
    bench.check()
    assert transform.told == [*["assigned 2", "lost 2"] * 2, "assigned 2", "revoked 2"]


@pytest.mark.proof
@needs_kafka
def test_a_worker_that_is_killed_at_any_moment_loses_and_repeats_nothing() -> None:
    bench = Bench(real(), partitions=3, inputs=300)
    moments = random.Random(20260301)
    worker = [sys.executable, "-m", "tests.runtime.numbering"]
    for _ in range(6):
        with subprocess.Popen(
            [*worker, real(), bench.source, bench.target, bench.group],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()  # the first batch is under way
            time.sleep(moments.uniform(0, 0.5))
            process.kill()
        bench.send(50)
    assert 0 < len(bench.numbered()) < len(bench.expected), "kills came too early or too late"
    loop, _ = bench.loop()
    with running(loop):
        eventually(bench.all_is_there)
    bench.check()


def test_a_loop_that_cannot_commit_gives_up_loudly() -> None:
    """On the mock: nothing of it depends on what is committed."""
    with mock_broker() as bootstrap:
        bench = Bench(bootstrap, partitions=MOCK_PARTITIONS, inputs=3)
        bench.plan += [("init_transactions", False, FATAL)] * 3
        loop, _ = bench.loop(limits=BatchLimits(failures_max=3, pause_seconds_max=0.01))
        with running(loop) as raised:
            eventually(lambda: isinstance(raised(), LoopGivenUp))


def test_an_error_in_a_hook_is_not_swallowed_by_the_library() -> None:
    with mock_broker() as bootstrap:
        bench = Bench(bootstrap, partitions=MOCK_PARTITIONS, inputs=3)
        loop, transform = bench.loop()

        def broken(_: Sequence[Position]) -> None:
            raise ZeroDivisionError("a fault in the hook")

        transform.assigned = broken  # type: ignore[assignment,method-assign]
        with running(loop) as raised:
            eventually(lambda: isinstance(raised(), ZeroDivisionError))


def test_the_loop_runs_on_the_mock_too() -> None:
    with mock_broker() as bootstrap:
        bench = Bench(bootstrap, partitions=MOCK_PARTITIONS, inputs=20)
        loop, _ = bench.loop()
        with running(loop):
            eventually(bench.all_is_there)
        bench.check()


def test_consumers_and_producers_take_the_measured_settings() -> None:
    """The library refuses a name or a value that it does not know."""
    with mock_broker() as bootstrap:
        consumer: Consumer = make_consumer(
            consumer_configuration(bootstrap, group="g", worker="one")
        )
        consumer.close()
        assert transactional_configuration(bootstrap, transactional_id="one")["acks"] == "all"
        make_producer(transactional_configuration(bootstrap, transactional_id="one")).close()
