"""Messages that a service cannot process, kept in a topic of their own with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import offset_of, place_of

SECONDS_MAX: Final = 30.0
WriteLetter = Callable[..., Any]
"""Value, key and headers of the dead letter of a message: `wire.dead_letters.dead_letter`."""
_log = logs.logger(__name__)


class Rejections:
    """Writes dead letters and returns when the brokers have them. For one thread."""

    def __init__(self, bootstrap: Bootstrap, topic: str, letter: WriteLetter) -> None:
        self._bootstrap = bootstrap
        self._topic = topic
        self._letter = letter
        self._producer: Producer | None = None

    def write(self, message: Message, *, code: str, reason: str) -> None:
        """Raises `KafkaException` if it is not known to be written: then it is tried again."""
        topic, partition = place_of(message)
        offset = offset_of(message)
        _log.error(
            "message rejected",
            topic=topic, partition=partition, offset=offset, code=code, reason=reason,
        )  # fmt: skip
        if topic == self._topic:
            return  # never dead-letter a dead letter: it would loop
        value, key, headers = self._letter(
            topic=topic,
            partition=partition,
            offset=offset,
            key=message.key(),
            value=message.value(),
            code=code,
            reason=reason,
        )
        failures: list[KafkaError] = []

        def note(error: KafkaError | None, _: Message) -> None:
            if error is not None:
                failures.append(error)

        if self._producer is None:
            self._producer = make_producer(producer_configuration(self._bootstrap))
        self._producer.produce(self._topic, value, key, headers=headers, on_delivery=note)
        if self._producer.flush(SECONDS_MAX):
            failures.append(KafkaError(KafkaError._TIMED_OUT, "dead letter not written"))
        if failures:
            raise KafkaException(failures[0])
