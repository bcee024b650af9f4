"""Where topics end: how much there is still to read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Final

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from runtime import logs
from runtime.kafka.brokers import Bootstrap, reaching
from runtime.kafka.errors import error_of
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.positions import Partition
from runtime.query_errors import KafkaUnavailable

_SECONDS_MAX: Final = 5.0
_LATEST: Final[OffsetSpec] = OffsetSpec.latest()  # type: ignore[no-untyped-call]
_AWAY: Final = {KafkaError._TIMED_OUT, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN}
_log = logs.logger(__name__)


class EndOffsets:
    """Queries the brokers, with one request to each."""

    def __init__(self, bootstrap: Bootstrap, *, prefix: str = "") -> None:
        self._bootstrap = bootstrap
        self._prefix = prefix
        self._admin: AdminClient | None = None
        self._sizes: dict[str, int] = {}
        self._one_at_a_time = threading.Lock()

    async def of(self, topics: Sequence[str]) -> dict[Partition, int]:
        """By topic, without the prefix, and partition."""
        try:
            return await asyncio.to_thread(self._of, topics)
        except KafkaException as failed:
            raise KafkaUnavailable(error_of(failed).str()) from None
        except NoSuchTopic as missing:
            raise KafkaUnavailable(str(missing)) from None

    def _of(self, topics: Sequence[str]) -> dict[Partition, int]:
        """After a failure with a new client, at once unless no broker answers: the old one may
        believe in leaders that are none any more."""
        with self._one_at_a_time:
            try:
                return self._query(topics)
            except KafkaException as failed:
                self._admin = None
                if error_of(failed).code() in _AWAY:
                    raise
                _log.warning("querying again with a new client", reason=error_of(failed).str())
            return self._query(topics)

    def _query(self, topics: Sequence[str]) -> dict[Partition, int]:
        if self._admin is None:
            self._admin = AdminClient({**reaching(self._bootstrap), "log_level": 2})
        places = [
            TopicPartition(self._prefix + name, number)
            for name in topics
            for number in range(self._size(self._admin, self._prefix + name))
        ]
        requests = self._admin.list_offsets(
            dict.fromkeys(places, _LATEST), request_timeout=_SECONDS_MAX
        )
        return {
            Partition(place.topic.removeprefix(self._prefix), place.partition): (
                answer.result().offset
            )
            for place, answer in requests.items()
        }

    def _size(self, admin: AdminClient, topic: str) -> int:
        """Topics keep their number of partitions (`wire.topics`)."""
        if topic not in self._sizes:
            found = admin.list_topics(topic, timeout=_SECONDS_MAX).topics[topic]
            if found.error is not None or not found.partitions:
                raise NoSuchTopic(topic)
            self._sizes[topic] = len(found.partitions)
        return self._sizes[topic]
