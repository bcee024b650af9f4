"""What a command needs that makes a service forget what it keeps in Kafka."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.errors import error_of
from runtime.kafka.records import Output, place_of

SECONDS_MAX: Final = 30.0
SESSION_SECONDS_MAX: Final = 10.0
"""Longer than the session of any worker of ours."""


class StillRunning(Exception):
    """A worker would write its own positions over the reset ones."""

    def __init__(self, group: str, members: int) -> None:
        self.group = group
        super().__init__(f"{members} workers of {group} are running: stop them first")


class NotEmptied(Exception):
    """Not all of it was taken by the brokers: run the command again."""


def check_stopped(client: AdminClient, groups: Sequence[str]) -> None:
    """Raises `StillRunning` if one of the consumer groups has members.

    A worker that has just stopped is a static member until its session ends: it is waited for.
    """
    until = time.monotonic() + SESSION_SECONDS_MAX
    while True:
        try:
            return _check_stopped(client, groups)
        except StillRunning:
            if time.monotonic() > until:
                raise
        time.sleep(0.5)


def _check_stopped(client: AdminClient, groups: Sequence[str]) -> None:
    requests = client.describe_consumer_groups(list(groups), request_timeout=SECONDS_MAX)
    for group, answer in requests.items():
        try:
            members = len(answer.result(SECONDS_MAX).members)
        except KafkaException as failed:
            if error_of(failed).code() != KafkaError.GROUP_ID_NOT_FOUND:
                raise
            continue
        if members:
            raise StillRunning(group, members)


def delete_groups(client: AdminClient, groups: Sequence[str]) -> None:
    """Their positions are forgotten: the next worker begins with the first message."""
    deleted = client.delete_consumer_groups(list(groups), request_timeout=SECONDS_MAX)
    for answer in deleted.values():
        try:
            answer.result(SECONDS_MAX)
        except KafkaException as failed:
            if error_of(failed).code() != KafkaError.GROUP_ID_NOT_FOUND:
                raise


def empty_topic(bootstrap: Bootstrap, topic: str) -> int:
    """Deletes every key of a compacted topic; how many there were."""
    left: dict[bytes, int] = {}
    for message in topic_reader.read(bootstrap, topic_reader.whole(bootstrap, topic)):
        key = message.key()
        if not isinstance(key, bytes):
            continue
        if message.value() is None:
            left.pop(key, None)
        else:
            left[key] = place_of(message).partition
    write(bootstrap, (Output(topic, None, key, where) for key, where in left.items()))
    return len(left)


def write(bootstrap: Bootstrap, outputs: Iterable[Output]) -> None:
    """Returns when the brokers have everything, or raises `NotEmptied`."""
    producer = make_producer(producer_configuration(bootstrap))
    failed: list[KafkaError] = []
    for topic, value, key, partition, _ in outputs:
        producer.produce(
            topic,
            value,
            key,
            partition,
            on_delivery=lambda error, _: failed.append(error) if error else None,
        )
        producer.poll(0)
    if producer.flush(SECONDS_MAX) or failed:
        raise NotEmptied("; ".join(error.str() for error in failed) or "the brokers do not answer")
