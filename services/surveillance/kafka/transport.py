"""Faust's way to Kafka, corrected in eleven places that the library offers no setting for.

- It reads what is committed only: rounds and findings are written in transactions.
- A fetch waits a little and not a second and a half: a partition whose messages were just taken is
  not in the fetch under way, and would wait for that one to end.
- Topics can be held back until others are read.
- A partition is read when its place in it was set since it was assigned, not before, and no place
  is set while messages are handed out. The library reads on while it seeks: what it had read by
  then it threw away, or took for read what it had not given to anybody.
- Messages that came together are handed out together. The library makes four tasks for each, and
  every other task has its turn in between: where those are busy, a hundred messages a second.
- Nothing is done but what an agent says is done. The library itself also acknowledges messages
  that it threw away because partitions were moving, and what an agent had in hand when it ended.
- What may be committed of a partition is the last that is done: an inbox does them in order. The
  library keeps a tree of the offsets between messages, which in topics of transactions are many.
- Before states are read their partitions are taken (`surveillance.kafka.fencing`): what an earlier
  owner writes from then on is refused.
- A coordinator that is still loading is asked again, whatever it was asked. To the library this is
  no answer to a heartbeat: it ends the heartbeats, and with them the membership, without joining
  again. And where committed offsets were asked for it takes it for none: all is read anew.
- Topics are never made here: provisioning makes them, with their partitions and their policy.
- A header whose name is not UTF-8 costs that name only (`surveillance.kafka.record_batches`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, cast

from confluent_kafka import KafkaError
from faust.transport.drivers import aiokafka as driver
from faust.types import TP, Message

from surveillance.kafka.record_batches import install

FETCH_WAIT_MS_MAX: Final = 50
FETCH_BYTES_MIN: Final = 64 * 1024
"""Unless that wait is over: a fetch names every partition, and one for each message is dear."""
FETCH_SECONDS: Final = 0.2
"""Without a message: whoever wants to set a place waits no longer."""
HELD_SECONDS: Final = 0.1
LOADING_SECONDS: Final = 0.1
_LOADING: Final = KafkaError.COORDINATOR_LOAD_IN_PROGRESS  # a code of the protocol
install()
_ENDS: Final[tuple[type[BaseException], ...]] = (
    asyncio.CancelledError,
    *driver.Consumer.consumer_stopped_errors,
)


class CommittedConsumerThread(driver.AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: driver.Transport) -> Any:
        made = super()._create_worker_consumer(transport)
        made._isolation_level = "read_committed"
        made._fetch_max_wait_ms = FETCH_WAIT_MS_MAX
        made._fetch_min_bytes = FETCH_BYTES_MIN
        made._client.send = partial(_ask_until_loaded, made._client.send)
        return made

    @property
    def knows_coordinator(self) -> bool:
        """Whether there is a broker to look after the group, as far as is known here."""
        coordinator = None if self._consumer is None else self._consumer._coordinator
        return coordinator is not None and coordinator.coordinator_id is not None

    async def join_again(self) -> None:
        await self.call_thread(self._join_again)

    async def _join_again(self) -> None:
        consumer = self._ensure_consumer()
        await consumer._client.force_metadata_update()
        consumer._coordinator.request_rejoin()


class Consumer(driver.Consumer):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._still = asyncio.Lock()
        """Held while messages are handed out, and while places are set."""
        self._placed: set[TP] = set()
        """Partitions whose place was set since they were assigned."""
        self._positions: dict[TP, int] = {}

    @property
    def thread(self) -> CommittedConsumerThread:
        return cast(CommittedConsumerThread, self._thread)

    def _new_consumer_thread(self) -> CommittedConsumerThread:
        return CommittedConsumerThread(self, loop=self.loop, beacon=self.beacon)

    held: frozenset[str] = frozenset()
    """Topics of which nothing is read for now."""

    take: Callable[[set[TP]], Awaitable[None]]
    """Makes what was assigned ours alone."""

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        self._placed = set()
        await super().on_partitions_revoked(revoked)

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        self._placed = set()
        await self.take(assigned)
        await super().on_partitions_assigned(assigned, generation_id)

    async def seek_wait(self, partitions: Mapping[TP, int]) -> None:
        async with self._still:
            placed = self._placed
            await super().seek_wait(partitions)
            placed.update(partitions)

    async def perform_seek(self) -> None:
        async with self._still:
            placed = self._placed
            await super().perform_seek()
            placed.update(each for each in self.assignment() if not self._is_changelog_tp(each))

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """Those of which nothing was ever committed the library leaves where they are."""
        found = await super().seek_to_committed()
        self._positions |= {
            each: at for each, at in found.items() if at and not self._is_changelog_tp(each)
        }
        never = [each for each, at in found.items() if not at and not self._is_changelog_tp(each)]
        if never:
            await self._thread.seek_to_beginning(*never)
        return found

    async def _drain_messages(self, fetcher: Any) -> None:
        try:
            await self._hand_out_until(fetcher)
        except _ENDS:
            if not self.transport.app.should_stop:
                raise

    async def _hand_out_until(self, fetcher: Any) -> None:
        while not (self.should_stop or fetcher.should_stop):
            if not self.flow_active:
                await self.wait(self.can_resume_flow)  # type: ignore[arg-type]
                continue
            async with self._still:
                handed = await self._hand_out()
            await self.sleep(0 if handed else HELD_SECONDS)

    async def _hand_out(self) -> bool:
        """What there is, to the agents; whether there is anything to read from.

        When partitions move, the rest is left: it is read again from where its place is set."""
        active = self._get_active_partitions() & self._placed
        active = {each for each in active if each.topic not in self.held}
        if not active:
            return False
        placed = self._placed
        if records := await self._getmany(active, FETCH_SECONDS):
            await self.wait_first(self._hand_all(records, placed), self.suspend_flow.wait())
        return True

    async def _hand_all(self, records: Any, placed: set[TP]) -> None:
        for place, record in self.scheduler.iterate(records):
            if not self.flow_active or self._placed is not placed:
                return
            if place in self._get_active_partitions() or place in self._buffered_partitions:
                message = self._to_message(place, record)
                await self.callback(message)
                self._read_offset[place] = message.offset
                if not self._is_changelog_tp(place):
                    self._positions[place] = message.offset + 1

    def read_positions(self) -> list[tuple[TP, int]]:
        """The next offset of each partition that was ever read, but of states."""
        return list(self._positions.items())

    def ack(self, message: Message) -> bool:  # noqa: ARG002
        """What the library thinks is done, which is not enough to go by."""
        return False

    def finish(self, message: Message) -> bool:
        """All that this message brings about is written: its offset may be committed."""
        return super().ack(message)

    def _new_offset(self, tp: TP) -> int | None:
        """Behind the last message that is done."""
        done = self._acked[tp]
        if not done:
            return None
        behind = max(done) + 1
        done.clear()
        self._acked_index[tp].clear()
        return behind


async def _ask_until_loaded(send: Callable[..., Awaitable[Any]], *request: Any, **how: Any) -> Any:
    while True:
        answer = await send(*request, **how)
        if getattr(answer, "error_code", 0) != _LOADING:
            return answer
        await asyncio.sleep(LOADING_SECONDS)


class Transport(driver.Transport):
    Consumer = Consumer
