"""Live alerts, and the audit log as it grows.

Alerts come straight from the topic, so a watch goes on while the database is away. The work of
people comes from the audit log, whose numbers become visible in order; while the database is away
no work is done.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Final

import msgspec
from confluent_kafka import Consumer, Message

from alert_desk.grpc.masking import visible_alert
from alert_desk.kafka.decoder import is_suppressed, parse_alert
from alert_desk.postgres.audit_log import AuditLog
from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.alert_pb2 import Alert
from casino.surveillance.v1.service_pb2 import CaughtUp, WatchRequest, WatchResponse
from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.records import InvalidMessage
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery, QueryError, member
from runtime.rpc import page_tokens
from runtime.rpc.live_watch import (
    LiveWatch,
    WatchPosition,
    check_begin,
    first_positions,
    read_bounds,
    resumed_positions,
)
from wire import topics

REMEMBERED_MAX: Final = 10_000
"""Alerts whose revision a watch remembers: a repeat within them is not sent again."""
ENTRIES_MAX: Final = 200
_LOOK_SECONDS: Final = 0.3
_log = logs.logger(__name__)


class AlertStream:
    """The watches of alerts of this instance."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        audit_log: AuditLog,
        *,
        prefix: str = "",
        watches_max: int = 64,
        quiet_seconds: float = 5.0,
        count: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._audit_log = audit_log
        self._topic = prefix + topics.ALERTS
        self._live = LiveWatch(
            bootstrap, watches_max=watches_max, quiet_seconds=quiet_seconds, count=count
        )

    def stop(self) -> None:
        self._live.stop()

    async def watch(
        self, request: WatchRequest, *, with_hidden: bool
    ) -> AsyncIterator[WatchResponse]:
        check_begin(resume_token=request.resume_token, from_beginning=request.from_beginning)
        alert_filter = _AlertFilter(request, with_hidden=with_hidden)
        last = await self._first_entry(request)

        async def respond(
            position: _AlertPosition, messages: Sequence[Message]
        ) -> AsyncIterator[WatchResponse]:
            for message in messages:
                if position.advance(message) and (response := alert_filter.response(message)):
                    response.resume_token = position.token()
                    yield response
            if request.journal:
                async for response in self._new_entries(position):
                    yield response

        async for response in self._live.run(
            partial(_begin, request=request, topic=self._topic, last_entry=last),
            respond,
            caught_up=lambda: WatchResponse(caught_up=CaughtUp()),
            alive=WatchResponse,
        ):
            yield response

    async def _first_entry(self, request: WatchRequest) -> int:
        """After which entry a watch without a token begins."""
        if not request.journal or request.resume_token or request.from_beginning:
            return 0
        return await self._audit_log.last()

    async def _new_entries(self, position: _AlertPosition) -> AsyncIterator[WatchResponse]:
        """The entries since the last look; none while the database is away."""
        if time.monotonic() < position.look_at:
            return
        position.look_at = time.monotonic() + _LOOK_SECONDS
        try:
            entries = await self._audit_log.after(position.last_entry, ENTRIES_MAX)
        except QueryError:
            return
        for entry in entries:
            position.last_entry = entry.number
            yield WatchResponse(entry=entry, resume_token=position.token())


class _AlertResumePoint(msgspec.Struct, frozen=True, array_like=True):
    """The offset of every partition, and the last entry of the audit log."""

    alerts: list[int]
    last_entry: int


class _AlertPosition(WatchPosition):
    """The position of a watch in the topic and in the audit log."""

    def __init__(self, topic: str, positions: dict[Partition, int], last_entry: int) -> None:
        super().__init__(positions)
        self._topic = topic
        self.last_entry = last_entry
        self.look_at = 0.0

    def token(self) -> str:
        return page_tokens.encode(_AlertResumePoint(self.offsets(self._topic), self.last_entry))


class _AlertFilter:
    """Which alerts a watch sends, masked as its caller may see them."""

    def __init__(self, request: WatchRequest, *, with_hidden: bool) -> None:
        self._level = request.level and member("level", request.level, Level.values())
        self._tables = frozenset(request.tables)
        self._kinds = tuple(request.kinds)
        self._with_suppressed = request.with_suppressed
        self._with_hidden = with_hidden
        self._sent: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def response(self, message: Message) -> WatchResponse | None:
        """None for an unreadable message: the status counts it."""
        try:
            alert = parse_alert(message)
        except InvalidMessage:
            return None
        except Exception:  # a watch that ended would begin there again
            _log.error("alert skipped", offset=message.offset(), exc_info=True)
            return None
        if not self._matches(alert) or self._is_repeat(alert):
            return None
        visible, masked = visible_alert(alert, with_hidden=self._with_hidden)
        return WatchResponse(alert=visible, masked=masked)

    def _matches(self, alert: Alert) -> bool:
        """Also true for an alert that was sent before and is suppressed now: clients drop it."""
        if is_suppressed(alert) and not self._with_suppressed and alert.id not in self._sent:
            return False
        return (
            (not self._level or alert.level <= self._level or alert.id in self._sent)
            and (not self._tables or alert.table_id in self._tables)
            and (not self._kinds or alert.kind.startswith(self._kinds))
            and (not self._kinds or self._with_hidden or not alert.tells_hole_card)
        )

    def _is_repeat(self, alert: Alert) -> bool:
        revision = (alert.generation, alert.revision)
        if self._sent.get(alert.id, (-1, -1)) >= revision:
            return True
        self._sent[alert.id] = revision
        self._sent.move_to_end(alert.id)
        if len(self._sent) > REMEMBERED_MAX:
            self._sent.popitem(last=False)
        return False


def _begin(
    consumer: Consumer, *, request: WatchRequest, topic: str, last_entry: int
) -> _AlertPosition:
    """Assign the topic, from the position that the request states."""
    bounds = read_bounds(consumer, [topic])
    positions = first_positions(bounds, from_beginning=request.from_beginning)
    if request.resume_token:
        resume = page_tokens.decode("resume_token", request.resume_token, _AlertResumePoint)
        positions, last_entry = resumed_positions(bounds, {topic: resume.alerts}), resume.last_entry
        if last_entry < 0:
            raise InvalidQuery("resume_token", "it is damaged: watch from the beginning")
    position = _AlertPosition(topic, positions, last_entry)
    position.assign(consumer, bounds, {topic})
    return position
