"""Where to go on with partitions that were just assigned."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from runtime import logs
from runtime.kafka.errors import ConsumerLost, error_of, is_fatal
from runtime.positions import Position

SECONDS_MAX = 60.0
"""Longer than a transaction may hang: until it ends, its offsets are visible to no reader."""
HANGING_SECONDS = 25.0
"""A transaction that is open so long hangs: ten seconds it may take, and within ten more a broker
looks for those that take longer."""
_ATTEMPT_SECONDS = 10.0
_log = logs.logger(__name__)


def committed_positions(
    consumer: Consumer,
    partitions: Sequence[TopicPartition],
    end_hanging: Callable[[], None] | None = None,
) -> tuple[Position, ...]:
    """The committed position of each, or the first message there is.

    It waits for transactions that are still open, as long as they can be. One that is open longer
    is ended by `end_hanging`, which is called once.
    """
    if not partitions:
        return ()
    began = time.monotonic()
    while True:
        try:
            committed = consumer.committed(list(partitions), timeout=_ATTEMPT_SECONDS)
            return tuple(_position(consumer, partition) for partition in committed)
        except KafkaException as failed:
            error = error_of(failed)
            if is_fatal(error):
                raise ConsumerLost(error) from failed
            waited = time.monotonic() - began
            if waited > SECONDS_MAX:
                raise
            _log.warning("committed positions not known yet", reason=error.str())
            if end_hanging is not None and waited > HANGING_SECONDS:
                end_hanging()
                end_hanging = None
            if error.code() not in (KafkaError._TIMED_OUT, KafkaError.UNSTABLE_OFFSET_COMMIT):
                time.sleep(0.2)


def _position(consumer: Consumer, committed: TopicPartition) -> Position:
    if committed.error is not None:
        raise KafkaException(committed.error)
    offset = committed.offset
    if offset < 0:  # never committed
        offset, _ = consumer.get_watermark_offsets(committed, timeout=_ATTEMPT_SECONDS)
    return Position(committed.topic, committed.partition, offset)
