"""A producer whose callers wait until the brokers have what they sent.

Idempotent, to all replicas, in order. The library's queue is bounded; when it is full the
caller waits, and with it the senders of the caller: back-pressure, never unbounded memory.

A message is written when a broker has returned its offset. The library also reports success
for what it only infers, because something later was taken; such a report names no offset, and
a leader that has just changed can make it false. Here it counts as not written.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from runtime import logs
from runtime.kafka.errors import is_fatal
from runtime.kafka.records import Output
from runtime.positions import Position
from runtime.process import ServicePart, Stop

FLUSH_SECONDS_MAX = 10.0
_log = logs.logger(__name__)


class NotWritten(Exception):
    """The brokers did not take a message, and it is not known that they ever will."""

    def __init__(self, output: Output, error: KafkaError) -> None:
        self.topic = output.topic
        self.error = error
        super().__init__(f"{output.topic}: {error.name()}: {error.str()}")


class AcknowledgedProducer:
    """Sends from an event loop; its part serves what the brokers answer, in a thread."""

    def __init__(self, make_producer: Callable[[], Producer]) -> None:
        self._producer = make_producer()
        self._loop = asyncio.get_running_loop()
        self._fatal: KafkaError | None = None

    def part(self, name: str = "producer") -> ServicePart:
        return ServicePart(name, self.run)

    def run(self, stop: Stop) -> None:
        """Raises after an error from which this producer does not come back."""
        while not stop.requested:
            self._producer.poll(0.1)
            if self._fatal is not None:
                raise KafkaException(self._fatal)
        left = self._producer.flush(FLUSH_SECONDS_MAX)
        if left:  # not yet acknowledged to any caller
            _log.warning("messages not acknowledged at the stop", messages=left)

    async def send(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        """Waits until the brokers have all of them; gives where each was written.

        Raises `NotWritten` for the first that failed, once the fate of all is known.
        """
        if not outputs:
            return ()
        batch = _Sent(outputs, self._loop)
        for number, output in enumerate(outputs):
            await self._produce(output, batch.reporter(number))
        try:
            return await batch.done
        except NotWritten as failed:
            if is_fatal(failed.error):
                self._fatal = failed.error
            raise

    async def _produce(self, output: Output, report: _Report) -> None:
        topic, value, key, partition, headers = output
        while True:
            try:
                self._producer.produce(
                    topic, value, key, partition, on_delivery=report, headers=headers
                )
            except BufferError:
                await asyncio.sleep(0.005)
            except KafkaException as rejected:  # not even queued: too large, or a lost producer
                report(rejected.args[0], None)
                return
            else:
                return


_Report = Callable[[KafkaError | None, Message | None], None]


class _Sent:
    """One batch on its way: counts the answers, wakes its sender once."""

    def __init__(self, outputs: Sequence[Output], loop: asyncio.AbstractEventLoop) -> None:
        self.done: asyncio.Future[tuple[Position, ...]] = loop.create_future()
        self._outputs = outputs
        self._loop = loop
        self._lock = threading.Lock()
        self._left = len(outputs)
        self._positions: list[Position | None] = [None] * len(outputs)
        self._failure: NotWritten | None = None

    def reporter(self, number: int) -> _Report:
        def report(error: KafkaError | None, message: Message | None) -> None:
            with self._lock:
                if error is None:
                    error = self._note_where(number, message)
                if error is not None and self._failure is None:
                    self._failure = NotWritten(self._outputs[number], error)
                self._left -= 1
                if self._left:
                    return
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._wake)

        return report

    def _note_where(self, number: int, message: Message | None) -> KafkaError | None:
        offset = None if message is None else message.offset()
        if message is None or offset is None:
            return KafkaError(KafkaError._INCONSISTENT, "no broker returned the offset")
        self._positions[number] = Position(message.topic() or "", message.partition() or 0, offset)
        return None

    def _wake(self) -> None:
        if self.done.done():  # the sending task has ended
            return
        if self._failure is not None:
            self.done.set_exception(self._failure)
        else:
            self.done.set_result(
                tuple(position for position in self._positions if position is not None)
            )
