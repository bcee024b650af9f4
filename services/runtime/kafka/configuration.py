"""Consumers and producers, each setting with its reason. The numbers were measured."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, KafkaError, Producer

from runtime import logs
from runtime.kafka.brokers import Bootstrap, reaching

Configuration = dict[str, Any]
TRANSACTION_SECONDS_MAX = 10.0
MESSAGE_BYTES_MAX = 4 * 1024 * 1024
"""Of one message, before it is compressed. Topics that accept such have the same limit."""
FETCH_BYTES_MAX = 64 * 1024

_log = logs.logger(__name__)
_library_log = logging.getLogger("librdkafka")
_CRITICAL = 2  # of syslog; lesser events also come as errors, where they can be held back


def consumer_configuration(
    bootstrap: Bootstrap,
    *,
    group: str,
    worker: str | None = None,
    read_uncommitted: bool = False,
) -> Configuration:
    """A consumer of `group` that reads committed messages, in order, from the given offsets.

    `worker` makes it a static member: it gets its partitions back after a restart without a
    rebalance, and a second process of the same name is noticed. Offsets are neither stored nor
    committed by themselves: the reader commits when its work is done.
    """
    configuration: Configuration = {
        **_common(bootstrap),
        "group.id": group,
        # Who reads names the position. One that the log does not have is an error: to go on
        # somewhere else would skip messages, or read them again, unnoticed.
        "auto.offset.reset": "error",
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "isolation.level": "read_uncommitted" if read_uncommitted else "read_committed",
        # A worker that comes or goes moves few partitions, and the others keep their state.
        "partition.assignment.strategy": "cooperative-sticky",
        # The default of a second stalls catching up: the largest gain of all.
        "fetch.queue.backoff.ms": 5,
        "queued.min.messages": 20_000,
        # Fetched data is compressed, and one byte of lz4 can hold 255: of a log full of such,
        # this much is 16 MiB in memory. The library raises the first to the second. Of ordinary
        # events it holds thousands, and a larger message is fetched all the same.
        "fetch.max.bytes": FETCH_BYTES_MAX,
        "message.max.bytes": FETCH_BYTES_MAX,
        # No more fetched data than this waits before more is fetched.
        "queued.max.messages.kbytes": 16 * 1024,
        "fetch.wait.max.ms": 100,
        # A dead worker's partitions wait this long for a new owner.
        "session.timeout.ms": 6_000,
        "heartbeat.interval.ms": 1_500,
    }
    if worker is not None:
        configuration["group.instance.id"] = worker
    return configuration


def producer_configuration(bootstrap: Bootstrap) -> Configuration:
    """A producer whose messages are written once, in order, to all replicas, or reported."""
    return {
        **_common(bootstrap),
        "enable.idempotence": True,
        "acks": "all",
        # A partition that has nothing of a producer yet takes its messages from any number on.
        # With several requests under way the first can fail while its leader changes, and the
        # second be taken: the library then takes the first for written too, and it is lost.
        "max.in.flight.requests.per.connection": 1,
        # As Java and aiokafka hash; librdkafka's own default puts keys elsewhere.
        "partitioner": "murmur2_random",
        "compression.type": "lz4",
        "linger.ms": 0,
        "message.max.bytes": MESSAGE_BYTES_MAX,
        "batch.size": 1_000_000,
        # The default 100 costs about 110 ms at the 99th percentile of small batches.
        "retry.backoff.ms": 1,
    }


def transactional_configuration(bootstrap: Bootstrap, *, transactional_id: str) -> Configuration:
    """A producer that writes in transactions. The id is the worker's, stable over restarts."""
    return {
        **producer_configuration(bootstrap),
        "transactional.id": transactional_id,
        "transaction.timeout.ms": int(TRANSACTION_SECONDS_MAX * 1000),
        "delivery.report.only.error": True,  # the commit confirms all that went well
    }


def make_consumer(configuration: Configuration) -> Consumer:
    return Consumer(_logged(configuration))


def make_producer(configuration: Configuration) -> Producer:
    return Producer(_logged(configuration))


def _common(bootstrap: Bootstrap) -> Configuration:
    return {
        **reaching(bootstrap),
        # The default grows to ten seconds: too long for a broker that was restarted.
        "reconnect.backoff.max.ms": 1_000,
        "topic.metadata.refresh.interval.ms": 30_000,
    }


def _logged(configuration: Configuration) -> Configuration:
    """Messages of the library go to our log, but not a hundred times a second."""
    seldom = LogThrottle()

    def log_error(error: KafkaError) -> None:
        # No broker for a moment is daily life; the part that waits for it reports the lasting one.
        if seldom.is_time_for(error.name()):
            _log.warning("kafka", code=error.name(), reason=error.str(), fatal=error.fatal())

    return {**configuration, "logger": _library_log, "log_level": _CRITICAL, "error_cb": log_error}


class LogThrottle:
    """Decides whether a message may be logged again: each once in a while."""

    def __init__(self, seconds: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._last_logged: dict[str, float] = {}

    def is_time_for(self, what: str) -> bool:
        now = self._clock()
        if now - self._last_logged.get(what, -math.inf) < self._seconds:
            return False
        self._last_logged[what] = now
        return True
