"""Alerts and the journal as they come.

Alerts come straight from the topic: each watch has a consumer of its own and is read only as fast
as its client takes, so a watch goes on while the database is away. What people do comes from the
journal, whose numbers become visible in order; while the database is away nobody does anything.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
from confluent_kafka import Consumer, Message, TopicPartition

from alert_desk.grpc.errors import Stopping, TooManyWatches
from alert_desk.grpc.masking import shown
from alert_desk.kafka.decoder import NotReadable, is_suppressed, read_alert
from alert_desk.postgres.audit_log import AuditLog
from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.alert_pb2 import Alert
from casino.surveillance.v1.service_pb2 import CaughtUp, WatchRequest, WatchResponse
from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.topic_reader import partitions_of
from runtime.kafka.topic_watch import Watches, WatchPlace, take
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery, QueryError, member
from runtime.rpc import page_tokens
from wire import topics

REMEMBERED_MAX: Final = 10_000
"""Alerts whose revision a watch remembers: a repeat within them is not told again."""
ENTRIES_MAX: Final = 200
_LOOK_SECONDS: Final = 0.3
_ANSWER_SECONDS: Final = 10.0
_log = logs.logger(__name__)


class _AlertResumePoint(msgspec.Struct, frozen=True, array_like=True):
    """Where to go on in every partition, and the last entry of the journal."""

    alerts: list[int]
    journal: int


class AlertStream:
    """All watches of this instance."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        journal: AuditLog,
        *,
        prefix: str = "",
        watches_max: int = 64,
        quiet_seconds: float = 5.0,
        count: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._topic = prefix + topics.ALERTS
        self._quiet_seconds = quiet_seconds
        self._stopping = False
        self._watches = Watches(
            bootstrap, watches_max=watches_max, too_many=TooManyWatches, count=count
        )

    def stop(self) -> None:
        """Every watch ends soon, and is told to go on elsewhere."""
        self._stopping = True

    async def watch(
        self, request: WatchRequest, *, with_hidden: bool
    ) -> AsyncIterator[WatchResponse]:
        if request.resume_token and request.from_beginning:
            raise InvalidQuery("from_beginning", "with a resume_token the watch goes on from there")
        wanted = _AlertFilter(request, with_hidden=with_hidden)
        async with self._watches.opened() as (consumer, thread):
            async for answer in self._answers(request, wanted, consumer, thread):
                yield answer

    async def _answers(
        self,
        request: WatchRequest,
        wanted: _AlertFilter,
        consumer: Consumer,
        thread: ThreadPoolExecutor,
    ) -> AsyncIterator[WatchResponse]:
        loop = asyncio.get_running_loop()
        last = await self._first_entry(request)
        place = await loop.run_in_executor(thread, _begin, consumer, request, self._topic)
        place.journal = last if place.journal is None else place.journal
        behind = True
        told_at = time.monotonic()
        while True:
            if self._stopping:
                raise Stopping
            for message in await loop.run_in_executor(thread, take, consumer):
                if place.take(message) and (answer := wanted.answer(message)):
                    answer.resume_token = place.token()
                    yield answer
                    told_at = time.monotonic()
            async for answer in self._entries(request, place):
                yield answer
                told_at = time.monotonic()
            if behind and place.is_caught_up():
                behind = False
                yield WatchResponse(caught_up=CaughtUp(), resume_token=place.token())
                told_at = time.monotonic()
            if time.monotonic() - told_at >= self._quiet_seconds:
                yield WatchResponse(resume_token=place.token())
                told_at = time.monotonic()

    async def _first_entry(self, request: WatchRequest) -> int:
        """After which entry a watch without a token begins."""
        if not request.journal or request.resume_token or request.from_beginning:
            return 0
        return await self._journal.last()

    async def _entries(
        self, request: WatchRequest, place: _AlertPosition
    ) -> AsyncIterator[WatchResponse]:
        """What was done since; nothing while the database is away."""
        if not request.journal or place.journal is None or time.monotonic() < place.look_at:
            return
        place.look_at = time.monotonic() + _LOOK_SECONDS
        try:
            entries = await self._journal.after(place.journal, ENTRIES_MAX)
        except QueryError:
            return
        for entry in entries:
            place.journal = entry.number
            yield WatchResponse(entry=entry, resume_token=place.token())


class _AlertPosition(WatchPlace):
    """Where a watch is, and where the topic ended when it began."""

    def __init__(self, topic: str, positions: dict[Partition, int], journal: int | None) -> None:
        super().__init__(positions)
        self._topic = topic
        self.journal = journal
        self.look_at = 0.0

    def token(self) -> str:
        return page_tokens.encode(_AlertResumePoint(self.offsets(self._topic), self.journal or 0))


class _AlertFilter:
    """Which alerts a watch is for, as its caller may see them."""

    def __init__(self, request: WatchRequest, *, with_hidden: bool) -> None:
        self._level = request.level and member("level", request.level, Level.values())
        self._tables = frozenset(request.tables)
        self._kinds = tuple(request.kinds)
        self._with_suppressed = request.with_suppressed
        self._with_hidden = with_hidden
        self._told: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def answer(self, message: Message) -> WatchResponse | None:
        """Nothing of what no codec reads: the status tells of that."""
        try:
            alert = read_alert(message)
        except NotReadable:
            return None
        except Exception:  # a watch that ended would begin there again
            _log.error("alert not told", offset=message.offset(), exc_info=True)
            return None
        if not self._is_wanted(alert) or self._is_repeat(alert):
            return None
        seen, masked = shown(alert, with_hidden=self._with_hidden)
        return WatchResponse(alert=seen, masked=masked)

    def _is_wanted(self, alert: Alert) -> bool:
        """An alert that was told is told on when it is suppressed: it is seen to go."""
        if is_suppressed(alert) and not self._with_suppressed and alert.id not in self._told:
            return False
        return (
            (not self._level or alert.level <= self._level or alert.id in self._told)
            and (not self._tables or alert.table_id in self._tables)
            and (not self._kinds or alert.kind.startswith(self._kinds))
            and (not self._kinds or self._with_hidden or not alert.tells_hole_card)
        )

    def _is_repeat(self, alert: Alert) -> bool:
        said = (alert.generation, alert.revision)
        if self._told.get(alert.id, (-1, -1)) >= said:
            return True
        self._told[alert.id] = said
        self._told.move_to_end(alert.id)
        if len(self._told) > REMEMBERED_MAX:
            self._told.popitem(last=False)
        return False


def _begin(consumer: Consumer, request: WatchRequest, topic: str) -> _AlertPosition:
    """Assigns the topic, from where the request says."""
    bounds: dict[Partition, tuple[int, int]] = {}
    for number in range(partitions_of(consumer, topic)):
        at = TopicPartition(topic, number)
        bounds[Partition(topic, number)] = consumer.get_watermark_offsets(
            at, timeout=_ANSWER_SECONDS
        )
    begun = {at: begin if request.from_beginning else end for at, (begin, end) in bounds.items()}
    place = _AlertPosition(topic, begun, None)
    if request.resume_token:
        place = _resumed(topic, request.resume_token, bounds)
    place.left = {
        at: bounds[at][1] for at, offset in place.positions.items() if offset < bounds[at][1]
    }
    consumer.assign([TopicPartition(*at, offset) for at, offset in place.positions.items()])
    return place


def _resumed(topic: str, token: str, bounds: dict[Partition, tuple[int, int]]) -> _AlertPosition:
    resume = page_tokens.decode("resume_token", token, _AlertResumePoint)
    places = sorted(bounds)
    fits = len(resume.alerts) == len(places) and all(
        0 <= offset <= bounds[at][1] for at, offset in zip(places, resume.alerts, strict=False)
    )
    if not fits or resume.journal < 0:
        raise InvalidQuery("resume_token", "it is of another log: watch from the beginning")
    return _AlertPosition(topic, dict(zip(places, resume.alerts, strict=True)), resume.journal)
