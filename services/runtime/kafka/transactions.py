"""A producer that commits whole batches, or raises `NotCommitted`.

A batch is outputs and the positions up to which their inputs were read: Kafka holds both or
neither. When `commit` raises `NotCommitted`, nothing is known but this: the broker's answer is
committed, is. An error that only spoils the transaction is answered by an abort. After a fatal
error, or one that leaves open whether the commit took place, the producer is thrown away; the
next one has the same id, and its first act ends whatever the old one left unfinished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from runtime import logs
from runtime.kafka.bounded_calls import BoundedClient, CallOverdue
from runtime.kafka.configuration import TRANSACTION_SECONDS_MAX
from runtime.kafka.errors import error_of, is_fatal
from runtime.kafka.records import Output, offset_of, place_of, to_kafka
from runtime.positions import Position

ATTEMPTS_MAX = 5
GRACE_SECONDS = 5.0
"""How long a call may go on after its own limit before it is given up."""
_Report = Callable[[KafkaError | None, Message], None]
_log = logs.logger(__name__)


class NotCommitted(Exception):
    """The batch is not known to be committed: go on from what the broker has."""

    def __init__(self, error: KafkaError, *, producer_lost: bool) -> None:
        self.error = error
        self.producer_lost = producer_lost
        super().__init__(f"{error.name()}: {error.str()}")


class Transactions:
    """Commits batches through one producer at a time. For one thread."""

    def __init__(
        self, make: Callable[[], Producer], *, seconds_max: float = TRANSACTION_SECONDS_MAX
    ) -> None:
        self._make = make
        self._seconds_max = seconds_max
        self._producer: Producer | None = None
        self._bounded = BoundedClient()
        self._closed = False

    def prepare(self) -> Producer:
        """A producer that can begin: what an earlier one of this id left open is ended first."""
        if self._closed:
            error = KafkaError(KafkaError._STATE, "the producer is closed")
            raise NotCommitted(error, producer_lost=True)
        if self._producer is None:
            producer = self._make()
            try:
                self._insist(producer.init_transactions, self._seconds_max)
            except KafkaException as failed:
                _throw_away(producer)
                raise NotCommitted(error_of(failed), producer_lost=True) from failed
            self._producer = producer
        return self._producer

    def commit(self, outputs: Iterable[Output], positions: Sequence[Position], group: Any) -> int:
        """Writes the outputs and the positions of `group` as one; gives how many outputs.

        The outputs may be computed while they are taken; what that raises aborts and goes on.
        """
        producer = self.prepare()
        count = 0
        try:
            producer.begin_transaction()
            for output in outputs:
                self._produce(producer, output)
                count += 1
            offsets = to_kafka(positions)
            self._insist(producer.send_offsets_to_transaction, offsets, group, self._seconds_max)
            self._insist(producer.commit_transaction, self._seconds_max)
        except KafkaException as failed:
            raise self._not_committed(producer, error_of(failed)) from failed
        except BaseException:
            if not self._abort(producer):
                self._lose()
            raise
        return count

    def write(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        """Writes the outputs as one, which no input's position goes with; gives where each is.

        For a producer that reports every delivery.
        """
        producer = self.prepare()
        where: dict[int, Position] = {}

        def note(number: int, error: KafkaError | None, message: Message) -> None:
            if error is None:
                where[number] = Position(*place_of(message), offset_of(message))

        try:
            producer.begin_transaction()
            for number, output in enumerate(outputs):
                self._produce(producer, output, partial(note, number))
            producer.flush(self._seconds_max)
            self._insist(producer.commit_transaction, self._seconds_max)
        except KafkaException as failed:
            raise self._not_committed(producer, error_of(failed)) from failed
        except SystemError as crashed:
            # A fatal error is raised within the library, which then still calls `note`.
            if not isinstance(crashed.__cause__, KafkaException):
                raise
            raise self._not_committed(producer, error_of(crashed.__cause__)) from crashed
        return tuple(where[number] for number in range(len(outputs)))

    def end_hanging(
        self, touched: Iterable[Output], positions: Sequence[Position], group: Any
    ) -> None:
        """Begins a transaction over all of these, and aborts it.

        Once a broker takes an earlier transaction of this id for ended and it is not, somewhere,
        only the end of a later one ends it there too.
        """
        producer = self.prepare()
        try:
            producer.begin_transaction()
            for output in touched:
                self._produce(producer, output)
            producer.flush(self._seconds_max)  # an abort drops queued messages
            offsets = to_kafka(positions)
            self._insist(producer.send_offsets_to_transaction, offsets, group, self._seconds_max)
        except KafkaException as failed:
            raise NotCommitted(error_of(failed), producer_lost=False) from failed
        finally:
            if not self._abort(producer):
                self._lose()

    def close(self) -> None:
        """For good, also for a thread that is at work with it: another one has the name."""
        self._closed = True
        if self._producer is not None:
            self._lose()

    def _not_committed(self, producer: Producer, error: KafkaError) -> NotCommitted:
        kept = not _is_beyond_abort(error) and self._abort(producer)
        if not kept:
            self._lose()
        return NotCommitted(error, producer_lost=not kept)

    def _produce(self, producer: Producer, output: Output, report: _Report | None = None) -> None:
        topic, value, key, partition, headers = output
        while True:
            try:
                producer.produce(topic, value, key, partition, on_delivery=report, headers=headers)
            except BufferError:  # the local queue is full: wait until some of it is sent
                producer.poll(0.05)
            else:
                return

    def _insist(self, operation: Callable[..., None], *arguments: Any) -> None:
        """Retries while the library marks the error as retriable."""
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                self._bounded.call(self._seconds_max + GRACE_SECONDS, operation, *arguments)
            except CallOverdue as overdue:
                raise KafkaException(KafkaError(KafkaError._TIMED_OUT, str(overdue))) from overdue
            except KafkaException as failed:
                error = error_of(failed)
                if not error.retriable() or _is_beyond_abort(error) or attempt == ATTEMPTS_MAX:
                    raise
            else:
                return

    def _abort(self, producer: Producer) -> bool:
        try:
            self._insist(producer.abort_transaction, self._seconds_max)
        except KafkaException as failed:
            error = error_of(failed)
            # Not even begun: there is nothing to abort.
            if error.code() == KafkaError._STATE and not is_fatal(error):
                return True
            _log.warning("abort failed", code=error.name(), reason=error.str())
            return False
        return True

    def _lose(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:
            _throw_away(producer)


def _is_beyond_abort(error: KafkaError) -> bool:
    """Fatal, or unknown whether it took place: an abort could contradict a commit."""
    return is_fatal(error) or error.code() == KafkaError._TIMED_OUT


def _throw_away(producer: Producer) -> None:
    """Forgets it. Not `close`, which first aborts, and waits for that without any limit."""
    producer.purge()  # queued messages belong to a transaction that will never be committed
