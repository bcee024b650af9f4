"""Outputs to a topic, and positions of messages that were read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from operator import methodcaller
from typing import NamedTuple, TypeAlias

from confluent_kafka import Message, TopicPartition

from runtime import logs, tracing
from runtime.positions import Partition, Position

Headers: TypeAlias = list[tuple[str, str | bytes | None]]
_read_headers = methodcaller("headers")
_log = logs.logger(__name__)


class InvalidMessage(ValueError):
    """A message that does not belong to its topic."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Output(NamedTuple):
    """One message to be written. A tuple, because there are very many."""

    topic: str
    value: bytes | None
    key: bytes | None = None
    partition: int = -1
    """The partition; -1: the one of the key."""
    headers: Headers | None = None


def to_kafka(positions: Iterable[Position]) -> list[TopicPartition]:
    return [TopicPartition(*position) for position in positions]


def place_of(message: Message) -> Partition:
    topic, partition = message.topic(), message.partition()
    if topic is None or partition is None:
        raise ValueError("a message that was not read from a topic")
    return Partition(topic, partition)


def offset_of(message: Message) -> int:
    offset = message.offset()
    if offset is None:
        raise ValueError("a message that was not read from a topic")
    return offset


def key_and_value(message: Message) -> tuple[bytes | str | None, bytes | str | None]:
    return message.key(), message.value()


def places_of(partitions: Iterable[TopicPartition]) -> tuple[Partition, ...]:
    return tuple(Partition(partition.topic, partition.partition) for partition in partitions)


def header(message: Message, name: str) -> bytes | None:
    """The last header of that name, as Kafka's own clients have it."""
    found = None
    for key, value in headers_of(message):
        if key == name:
            found = value.encode() if isinstance(value, str) else value
    return found


def batch_span(messages: Sequence[Message]) -> AbstractContextManager[None]:
    """The span of processing these messages (`runtime.tracing.batch_span`)."""
    return tracing.batch_span(
        (place_of(message).topic for message in messages),
        len(messages),
        (header(message, tracing.TRACEPARENT) for message in messages),
    )


def headers_of(message: Message) -> Headers:
    """The headers of a message, none where they cannot be read. Only this function reads them.

    For a header whose name is no UTF-8 the library sets an exception and answers all the same:
    with a list that has a hole in it, which ends the process where it is looked at. A call that
    the interpreter has made often does not notice the exception, and it is raised somewhere
    behind; `methodcaller` always looks. The message keeps that list for the next call, so it
    is taken away.
    """
    try:
        given = _read_headers(message) or []
    except SystemError as failed:
        message.set_headers([])
        _log.warning(
            "headers unreadable",
            topic=message.topic(),
            partition=message.partition(),
            offset=message.offset(),
            reason=repr(failed.__cause__ or failed),
        )
        return []
    return list(given.items()) if isinstance(given, dict) else given
