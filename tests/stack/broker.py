"""A test's own corner of the shared Kafka."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

from deploy.stack.kafka import admin
from provisioning.kafka.topics import Topic, ensure_topics, named_topics

SECONDS_MAX = 30.0
ANY_PARTITION = -1  # as librdkafka says it


class Broker:
    """Topics, groups and transactions are the cluster's: each name here begins with `prefix`."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self.admin = admin(bootstrap)
        self.prefix = f"test-{secrets.token_hex(6)}-"
        self._made: list[str] = []

    def name(self, suffix: str) -> str:
        """For a consumer group or a transactional id."""
        return self.prefix + suffix

    def make_topic(
        self,
        suffix: str = "topic",
        *,
        partitions: int = 1,
        configuration: dict[str, str] | None = None,
    ) -> str:
        self._make([Topic(self.name(suffix), partitions, configuration or {})])
        return self.name(suffix)

    def make_named_topics(self) -> str:
        """Every topic of `wire.topics`, under the prefix that is returned."""
        self._make(named_topics(self.prefix))
        return self.prefix

    def _make(self, topics: list[Topic]) -> None:
        self._made += ensure_topics(self.admin, topics).created

    def write(
        self,
        topic: str,
        values: Iterable[bytes],
        *,
        key: bytes | None = None,
        partition: int = ANY_PARTITION,
    ) -> None:
        """Return when the broker has them all."""
        failed: list[object] = []
        producer = Producer(
            {
                "bootstrap.servers": self.bootstrap,
                "acks": "all",
                "linger.ms": 0,
                "enable.idempotence": True,
            }
        )
        for value in values:
            producer.produce(
                topic,
                value,
                key,
                partition,
                on_delivery=lambda error, _: failed.append(error) if error else None,
            )
        assert producer.flush(SECONDS_MAX) == 0
        assert failed == []

    def read(self, topic: str) -> list[Message]:
        """All that is committed by now, partition by partition."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": self.name("reader"),
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "auto.offset.reset": "earliest",
                "fetch.wait.max.ms": 10,
            }
        )
        try:
            partitions = consumer.list_topics(topic, timeout=SECONDS_MAX).topics[topic].partitions
            consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
            return sorted(
                _until_the_end(consumer, len(partitions)),
                key=lambda message: (message.partition() or 0, message.offset() or 0),
            )
        finally:
            consumer.close()

    def delete_topic(self, topic: str) -> None:
        """Return when the broker no longer knows it."""
        for request in self.admin.delete_topics([topic]).values():
            request.result(SECONDS_MAX)
        self._made = [name for name in self._made if name != topic]
        deadline = time.monotonic() + SECONDS_MAX
        while topic in self.admin.list_topics(timeout=SECONDS_MAX).topics:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def delete_before(self, topic: str, offset: int) -> None:
        """The first messages of its only partition, as retention does."""
        asked = self.admin.delete_records([TopicPartition(topic, 0, offset)])
        for request in asked.values():
            request.result(SECONDS_MAX)

    def recreate_topic(self, topic: str) -> None:
        """As somebody does by hand who deleted it by mistake: the same name and size, empty."""
        partitions = len(
            self.admin.list_topics(topic, timeout=SECONDS_MAX).topics[topic].partitions
        )
        self.delete_topic(topic)
        self._make([Topic(topic, partitions, {})])

    def clear(self) -> None:
        """Forget the topics: a broker with thousands of partitions is slow for the others."""
        if self._made:
            for request in self.admin.delete_topics(self._made).values():
                request.result(SECONDS_MAX)


def _until_the_end(consumer: Consumer, partitions: int) -> list[Message]:
    messages: list[Message] = []
    ended: set[int | None] = set()
    while len(ended) < partitions:
        message = consumer.poll(SECONDS_MAX)
        assert message is not None, "the broker says nothing"
        error = message.error()
        if error is None:
            messages.append(message)
        elif error.name() == "_PARTITION_EOF":
            ended.add(message.partition())
        else:
            raise KafkaException(error)
    return messages
