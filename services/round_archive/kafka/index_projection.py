"""The topics into the index: the changes of each message, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from confluent_kafka import Message
from psycopg import Connection

from round_archive.kafka.decoder import (
    dead_letter_columns,
    definition_columns,
    read_finding,
    read_round,
    retried_columns,
)
from round_archive.postgres import index_writer
from round_archive.postgres.index_writer import IndexBatch
from runtime import logs
from runtime.kafka.records import InvalidMessage, place_of
from runtime.metrics import Metrics
from runtime.positions import OffsetRange
from wire import topics

READ: Final = (
    topics.SETTLED_ROUNDS, topics.FINDINGS, topics.DEAD_LETTERS, topics.TABLE_EVENTS,
)  # fmt: skip
"""Of table-events only definitions of rule sets and promotions are kept, and retries."""
_log = logs.logger(__name__)


class IndexProjection:
    """A projection (`runtime.projector`): rounds, findings, dead letters and definitions."""

    def __init__(self, metrics: Metrics, *, prefix: str = "") -> None:
        self._prefix = prefix
        self._indexed = metrics.counter("indexed", "Messages indexed.", ["topic"])
        self._skipped = metrics.counter("skipped", "Unreadable messages.", ["topic"])
        self._conflicts = metrics.counter("conflicts", "Other bytes under an existing version.")

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self._prefix + name for name in READ)

    @property
    def keyed(self) -> dict[str, bool]:
        """Topics whose misplaced messages settlement or surveillance reject."""
        names = (topics.SETTLED_ROUNDS, topics.TABLE_EVENTS, topics.FINDINGS)
        return {self._prefix + name: False for name in names}

    def reject(
        self, connection: Connection[Any], message: Message, _: str, readings: Sequence[OffsetRange]
    ) -> None:
        """Skip the message: it is among the dead letters, unless it is a dead letter itself."""
        topic = place_of(message).topic.removeprefix(self._prefix)
        self._skipped.labels(topic).inc()
        index_writer.write(connection, IndexBatch(), readings)

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        entries = IndexBatch()
        for message in messages:
            self._add(entries, message)
        self._conflicts.inc(index_writer.write(connection, entries, readings))

    def _add(self, entries: IndexBatch, message: Message) -> None:
        topic = place_of(message).topic.removeprefix(self._prefix)
        try:
            if topic == topics.SETTLED_ROUNDS:
                entries.rounds.append(read_round(message))
            elif topic == topics.FINDINGS:
                entries.findings.append(read_finding(message))
            elif topic == topics.DEAD_LETTERS:
                entries.dead_letters.append(dead_letter_columns(message))
            else:
                if (definition := definition_columns(message)) is not None:
                    entries.definitions.append(definition)
                if (retried := retried_columns(message)) is not None:
                    entries.retried.append(retried)
        except InvalidMessage as error:
            self._skipped.labels(topic).inc()
            _log.error(
                "message skipped",
                topic=topic,
                partition=message.partition(),
                offset=message.offset(),
                reason=error.reason,
            )
        else:
            self._indexed.labels(topic).inc()
