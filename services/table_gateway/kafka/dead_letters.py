"""One message of dead-letters, read anew from the topic: nobody else's word is taken for its bytes.

Read with a consumer of its own, which is gone afterwards: it is seldom asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from confluent_kafka import Consumer, KafkaException, Message

from runtime.kafka.records import header
from runtime.kafka.topic_reader import NoSuchTopic, ReadingStuck, read_with, unread
from runtime.positions import Reading
from table_gateway.grpc.errors import LogUnreadable, NoSuchLetter
from wire import headers
from wire.chain import digest
from wire.dead_letters import Way, way_of

PARTITION = 0
"""The topic has one."""
SILENCE_SECONDS_MAX = 10.0


@dataclass(frozen=True, slots=True)
class Letter:
    """What was set aside, as far as the gateway can take it again."""

    offset: int
    table: str
    frame: bytes
    ingested_at: bytes
    """When it came, as its header says it; empty where it says nothing."""
    waited_us: bytes
    """How long it had waited, in the same way."""
    no_retry: str
    """Why it is not judged anew; empty where it is."""


class Letters:
    def __init__(
        self, make_consumer: Callable[[], Consumer], *, topic: str, prefix: str = ""
    ) -> None:
        self._make_consumer = make_consumer
        self._topic = topic
        self._prefix = prefix

    async def read(self, offset: int) -> Letter:
        """Raises `NoSuchLetter`, and `LogUnreadable` where the brokers do not answer."""
        return await asyncio.to_thread(self._read, offset)

    def _read(self, offset: int) -> Letter:
        consumer = self._make_consumer()
        try:
            there = unread(consumer, self._topic, PARTITION)
            if not there.begin <= offset < there.end:
                raise NoSuchLetter(offset)
            stretch = Reading(self._topic, PARTITION, offset, offset + 1)
            for message in read_with(consumer, [stretch], seconds_max=SILENCE_SECONDS_MAX):
                return letter_of(message, offset, prefix=self._prefix)
        except (KafkaException, NoSuchTopic, ReadingStuck) as failed:
            raise LogUnreadable(str(failed)) from failed
        finally:
            consumer.close()
        raise NoSuchLetter(offset)


def letter_of(message: Message, offset: int, *, prefix: str = "") -> Letter:
    frame = message.value() or b""
    table = _text(header(message, headers.TABLE) or message.key())
    way, reason = way_of(
        code=_text(header(message, headers.CODE)),
        topic=_text(header(message, headers.SOURCE_TOPIC)).removeprefix(prefix),
        has_place=header(message, headers.SOURCE_OFFSET) is not None,
        is_whole=digest(frame).hex() == _text(header(message, headers.DIGEST)),
    )
    if way is Way.ACCOUNTING:
        reason = "accounting takes it, for whoever enters it again"
    elif way is Way.GATEWAY and not table:
        reason = "it does not say in which table's stream it came"
    came = header(message, headers.INGESTED_AT) or b""
    waited = header(message, headers.WAITED_US) or b""
    return Letter(offset, table, frame, came, waited, reason)


def _text(value: bytes | None) -> str:
    return (value or b"").decode(errors="replace")
