"""One message of `dead-letters`, read from the topic itself: no copy of its bytes is trusted.

Each read has a consumer of its own, which is closed afterwards: retries are rare.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaException, Message

from runtime.kafka.records import header
from runtime.kafka.topic_reader import NoSuchTopic, ReadingStuck, read_with, unread
from runtime.positions import OffsetRange
from table_gateway.grpc.errors import DeadLetterNotFound, LogUnreadable
from wire import headers
from wire.chain import digest
from wire.dead_letters import RetryService, way_of

PARTITION = 0
"""The topic has one."""
SILENCE_SECONDS_MAX = 10.0


@dataclass(frozen=True, slots=True)
class StoredDeadLetter:
    """A dead letter with all that the gateway needs to accept it again."""

    offset: int
    table: str
    frame: bytes
    ingested_at: bytes
    """The value of its header `ingested-at`; empty without one."""
    waited_us: bytes
    """The value of its header `waited-us`; empty without one."""
    no_retry: str
    """Why it is not judged again; empty where it is."""


class DeadLetterReader:
    def __init__(
        self, make_consumer: Callable[[], Consumer], *, topic: str, prefix: str = ""
    ) -> None:
        self._make_consumer = make_consumer
        self._topic = topic
        self._prefix = prefix

    async def read(self, offset: int) -> StoredDeadLetter:
        """Read one; `DeadLetterNotFound`, or `LogUnreadable` where the brokers do not answer."""
        return await asyncio.to_thread(self._read, offset)

    def _read(self, offset: int) -> StoredDeadLetter:
        consumer = self._make_consumer()
        try:
            there = unread(consumer, self._topic, PARTITION)
            if not there.begin <= offset < there.end:
                raise DeadLetterNotFound(offset)
            stretch = OffsetRange(self._topic, PARTITION, offset, offset + 1)
            for message in read_with(consumer, [stretch], seconds_max=SILENCE_SECONDS_MAX):
                return parse_dead_letter(message, offset, prefix=self._prefix)
        except (KafkaException, NoSuchTopic, ReadingStuck) as failed:
            raise LogUnreadable(str(failed)) from failed
        finally:
            consumer.close()
        raise DeadLetterNotFound(offset)


def parse_dead_letter(message: Message, offset: int, *, prefix: str = "") -> StoredDeadLetter:
    frame = message.value() or b""
    table = _text(header(message, headers.TABLE) or message.key())
    way, reason = way_of(
        code=_text(header(message, headers.CODE)),
        topic=_text(header(message, headers.SOURCE_TOPIC)).removeprefix(prefix),
        has_place=header(message, headers.SOURCE_OFFSET) is not None,
        is_whole=digest(frame).hex() == _text(header(message, headers.DIGEST)),
    )
    if way is RetryService.ACCOUNTING:
        reason = "enter it again in accounting"
    elif way is RetryService.GATEWAY and not table:
        reason = "its table is not known"
    came = header(message, headers.INGESTED_AT) or b""
    waited = header(message, headers.WAITED_US) or b""
    return StoredDeadLetter(offset, table, frame, came, waited, reason)


def _text(value: bytes | None) -> str:
    return (value or b"").decode(errors="replace")
