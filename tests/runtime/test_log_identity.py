"""Which log a reader has read: what is compared, and on a real broker how a guard does it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from confluent_kafka.admin import AdminClient

from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.errors import OutOfRange, check_consumed
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import (
    LogMark,
    LogRejected,
    TopicLog,
    TopicReader,
    find_logs,
    find_problem,
)
from runtime.kafka.log_marks import MarkWriter, read_marks
from runtime.kafka.records import to_kafka
from runtime.positions import Position
from tests.runtime.kafka import ThreadStop, eventually
from tests.stack.broker import Broker

READER = TopicReader("example", "run `example rebuild`")
THERE = TopicLog("A", {0: (0, 10), 1: (5, 20)})


@pytest.mark.parametrize(
    ("mark", "log", "problem"),
    [
        (LogMark("t", "A", {0: 10, 1: 5}), THERE, None),
        (LogMark("t", "A", {0: 0, 1: 0}), THERE, None),
        (LogMark("t", "", {0: 10}), THERE, None),
        (LogMark("t", "", {}), None, None),
        (LogMark("t", "A", {}), None, "expected topic id A, found no topic of that name"),
        (LogMark("t", "", {0: 1}), None, "expected a topic, found no topic of that name"),
        (LogMark("t", "B", {}), THERE, "expected topic id B, found topic id A"),
        (LogMark("t", "B", {0: 3}), THERE, "the topic was deleted and created again"),
        (LogMark("t", "A", {0: 11}), THERE, "was read up to offset 11 and ends at 10"),
        (LogMark("t", "", {0: 11}), THERE, "truncated, or restored from an older copy"),
        (LogMark("t", "A", {2: 1}), THERE, "partition 2 was read up to offset 1 and ends at 0"),
        (LogMark("t", "A", {1: 4}), THERE, "was read up to offset 4 and begins at 5"),
    ],
)
def test_a_log_is_the_one_that_was_read_or_it_is_told_why_not(
    mark: LogMark, log: TopicLog | None, problem: str | None
) -> None:
    found = find_problem(mark, log)
    assert (found is None) if problem is None else (found is not None and problem in found)


def test_a_topic_that_expires_may_have_lost_what_was_not_read() -> None:
    assert find_problem(LogMark("t", "A", {1: 4}), THERE, expires=True) is None


class Guarded:
    """A guard of one topic, with the reasons that it reported."""

    def __init__(self, broker: Broker, topic: str, marks: str) -> None:
        self.reasons: list[str] = []
        self.stop = ThreadStop()
        self.guard = LogGuard(
            broker.bootstrap,
            READER,
            topics=[topic],
            marks_topic=marks,
            report=self.reasons.append,
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self.guard.run, args=[self.stop])
        thread.start()
        try:
            yield
        finally:
            self.stop.request()
            thread.join(60)


def topics_of(broker: Broker) -> tuple[str, str]:
    marks = broker.make_topic("marks", configuration={"cleanup.policy": "compact"})
    return broker.make_topic("facts", partitions=2), marks


def topic_id(broker: Broker, topic: str) -> str:
    log = find_logs(AdminClient({"bootstrap.servers": broker.bootstrap}), [topic])[topic]
    assert log is not None
    return log.topic_id


def test_a_log_is_remembered_when_it_is_first_read_and_refused_once_replaced(
    broker: Broker,
) -> None:
    topic, marks = topics_of(broker)
    broker.write(topic, [b"a", b"b", b"c"], partition=1)
    before = topic_id(broker, topic)

    first = Guarded(broker, topic, marks)
    assert first.guard.wait(first.stop)
    with first.running():
        first.guard.check([Position(topic, 1, 3)])
    ((reader, mark),) = read_marks(broker.bootstrap, marks)
    assert (reader, mark.topic_id, mark.positions[1]) == ("example", before, 3)

    broker.recreate_topic(topic)
    after = topic_id(broker, topic)
    again = Guarded(broker, topic, marks)
    waiting = threading.Thread(target=again.guard.wait, args=[again.stop])
    waiting.start()
    eventually(lambda: again.guard.rejected is not None)
    assert f"expected topic id {before}, found topic id {after}" in again.reasons[-1]
    assert "run `example rebuild`" in again.reasons[-1]

    # Accepted: what waits goes on by itself.
    assert MarkWriter(broker.bootstrap, marks, "example").forget() == 1
    waiting.join(60)
    assert not waiting.is_alive()
    assert again.guard.rejected is None
    ((_, mark),) = read_marks(broker.bootstrap, marks)
    assert mark.topic_id == after


@pytest.mark.parametrize("is_recreated", [False, True], ids=["deleted", "created again"])
def test_a_topic_that_is_deleted_while_it_is_read_is_noticed(
    broker: Broker, is_recreated: bool
) -> None:
    topic, marks = topics_of(broker)
    guarded = Guarded(broker, topic, marks)
    assert guarded.guard.wait(guarded.stop)
    with guarded.running():
        if is_recreated:
            broker.recreate_topic(topic)
        else:
            broker.delete_topic(topic)
        eventually(lambda: guarded.guard.rejected is not None)
    assert f"rejects the log of {topic}: expected topic id" in guarded.reasons[-1]
    with pytest.raises(LogRejected):
        guarded.guard.check()


def test_a_log_that_became_shorter_is_refused_also_by_the_next_process(broker: Broker) -> None:
    """What is noted but not written down yet when the log is refused is not lost."""
    topic, marks = topics_of(broker)
    broker.write(topic, [b"a", b"b"], partition=0)
    guarded = Guarded(broker, topic, marks)
    assert guarded.guard.wait(guarded.stop)
    guarded.guard.note([Position(topic, 0, 5)])  # of the three that a restored copy lacks
    with pytest.raises(LogRejected, match="read up to offset 5 and ends at 2"):
        guarded.guard.check()
    again = Guarded(broker, topic, marks)
    again.stop.request()
    assert not again.guard.wait(again.stop)
    waiting = threading.Thread(
        target=(restarted := Guarded(broker, topic, marks)).guard.wait, args=[restarted.stop]
    )
    waiting.start()
    eventually(lambda: restarted.guard.rejected is not None)
    broker.write(topic, [b"c", b"d", b"e"], partition=0)  # the rest of it is restored
    waiting.join(60)
    assert not waiting.is_alive()


def test_readers_do_not_take_the_marks_of_others_for_their_own(broker: Broker) -> None:
    topic, marks = topics_of(broker)
    MarkWriter(broker.bootstrap, marks, "other").write([LogMark(topic, "elsewhere", {0: 99})])
    broker.write(marks, [b"not a mark", b"\xff"], key=b"example/whatever/0")
    guarded = Guarded(broker, topic, marks)
    assert guarded.guard.wait(guarded.stop)


def test_a_position_that_the_log_does_not_have_is_an_error_and_no_jump(broker: Broker) -> None:
    topic = broker.make_topic()
    broker.write(topic, [b"a"])
    consumer = make_consumer(consumer_configuration(broker.bootstrap, group=broker.name("group")))
    try:
        consumer.assign(to_kafka([Position(topic, 0, 7)]))
        found = consumer.consume(1, 30)
        assert len(found) == 1
        error = found[0].error()
        assert error is not None
        with pytest.raises(OutOfRange):
            check_consumed(error)
    finally:
        consumer.close()
