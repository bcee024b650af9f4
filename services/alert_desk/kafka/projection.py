"""The topics into the tables: the changes of each message, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from confluent_kafka import Message
from psycopg import Connection
from psycopg.rows import dict_row

from alert_desk.delivery.payload import (
    ESCALATED,
    RAISED,
    REOPENED,
    WITHDRAWN,
    AlertEvent,
    WebhookFilter,
    render_body,
    webhooks_for,
)
from alert_desk.domain.workflow import AlertVersion, grow, growth
from alert_desk.kafka.decoder import (
    alert_columns,
    change_columns,
    is_suppressed,
    parse_alert,
    parse_change,
)
from alert_desk.postgres import alert_work, audit_log
from casino.surveillance.v1.alert_pb2 import Alert
from runtime import logs
from runtime.database.positions import advance_sync
from runtime.kafka.records import InvalidMessage, offset_of, place_of
from runtime.kafka.rejections import Rejections
from runtime.metrics import Metrics
from runtime.positions import OffsetRange, Partition
from wire import topics
from wire.dead_letters import UNREADABLE

CONSUMER: Final = "alerts"
AUTHOR: Final = "service/alert_desk"
READ: Final = (topics.ALERTS, topics.SURVEILLANCE_SETTINGS)
_log = logs.logger(__name__)

_ALERT_COLUMNS: Final = tuple(alert_columns(Alert()))
_ALERT: Final = f"""
INSERT INTO alerts ({", ".join(_ALERT_COLUMNS)})
VALUES ({", ".join(f"%({name})s" for name in _ALERT_COLUMNS)})
ON CONFLICT (id) DO UPDATE
SET {", ".join(f"{name} = excluded.{name}" for name in _ALERT_COLUMNS if name != "id")}
"""
_KNOWN: Final = """
SELECT id, generation, revision, level, stands, suppressed FROM alerts WHERE id = ANY(%s)
"""
_CHANGE: Final = """
INSERT INTO setting_changes ("offset", change_id, what, about, valid_from, valid_until, change)
VALUES (%(offset)s, %(change_id)s, %(what)s, %(about)s, %(valid_from)s, %(valid_until)s, %(change)s)
ON CONFLICT DO NOTHING
"""
_UNREADABLE: Final = """
INSERT INTO unreadable (topic, partition, "offset", reason) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_WEBHOOKS: Final = "SELECT name, level, kinds FROM webhooks WHERE NOT paused ORDER BY name"
_DELIVERY: Final = """
INSERT INTO deliveries (webhook, alert_id, event, generation, revision, body, queued_at, due_at)
VALUES (%(webhook)s, %(alert_id)s, %(event)s, %(generation)s, %(revision)s, %(body)s, %(now)s,
    %(now)s)
ON CONFLICT DO NOTHING
"""


@dataclass(slots=True)
class StoredAlert:
    """An alert as the tables have it."""

    generation: int
    revision: int
    level: int
    stands: bool
    is_open: bool
    """Whether it stands and is not suppressed."""

    def is_older_than(self, alert: Alert) -> bool:
        return (self.generation, self.revision) < (alert.generation, alert.revision)


@dataclass(slots=True)
class AlertBatch:
    alerts: dict[str, Alert] = field(default_factory=dict)
    """The last revision of each."""
    fresh: set[str] = field(default_factory=set)
    """The ids of those that are news."""
    events: list[AlertEvent] = field(default_factory=list)
    withdrawn: list[Alert] = field(default_factory=list)
    """Those that stood until now."""


class AlertProjection:
    """A projection (`runtime.projector`): alerts, settings, and messages for webhooks."""

    def __init__(
        self,
        metrics: Metrics,
        clock: Callable[[], int],
        *,
        prefix: str = "",
        fresh_seconds: float = 300.0,
        simulated_time: bool = False,
        rejections: Rejections | None = None,
    ) -> None:
        """`rejections` writes dead letters of unreadable alerts: no other service reads alerts."""
        self._prefix = prefix
        self._rejections = rejections
        self._clock = clock
        self._fresh = round(fresh_seconds * 1_000_000)
        self._simulated_time = simulated_time
        self._projected = metrics.counter("projected", "Messages projected.", ["topic"])
        self._unreadable = metrics.counter("unreadable", "Unreadable messages.", ["topic"])

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self._prefix + name for name in READ)

    @property
    def keyed(self) -> dict[str, bool]:
        """Alerts outside the partition of their id are rejected here, and by no other service."""
        return {self._prefix + topics.ALERTS: True}

    def reject(
        self,
        connection: Connection[Any],
        message: Message,
        reason: str,
        readings: Sequence[OffsetRange],
    ) -> None:
        topic = place_of(message).topic.removeprefix(self._prefix)
        self._unreadable.labels(topic).inc()
        with connection.transaction():
            where = (topic, message.partition(), offset_of(message))
            connection.execute(_UNREADABLE, [*where, reason])
            for reading in readings:
                advance_sync(connection, CONSUMER, reading)

    def take(
        self,
        connection: Connection[Any],
        messages: Sequence[Message],
        readings: Sequence[OffsetRange],
    ) -> None:
        with connection.transaction():
            alerts = self._parse(connection, messages)
            if alerts:
                # Before any row is read: a decision of a person is complete by now, or waits.
                connection.execute(audit_log.LOCK)
                self._write(connection, alerts)
            for reading in readings:
                advance_sync(connection, CONSUMER, reading)

    def _parse(
        self, connection: Connection[Any], messages: Sequence[Message]
    ) -> list[tuple[Alert, Message]]:
        """The alerts; settings and unreadable messages are written at once."""
        alerts: list[tuple[Alert, Message]] = []
        for message in messages:
            topic = place_of(message).topic.removeprefix(self._prefix)
            try:
                if topic == topics.ALERTS:
                    alerts.append((parse_alert(message), message))
                else:
                    connection.execute(_CHANGE, change_columns(parse_change(message), message))
                self._projected.labels(topic).inc()
            except InvalidMessage as error:
                self._unreadable.labels(topic).inc()
                where = (topic, message.partition(), offset_of(message))
                connection.execute(_UNREADABLE, [*where, error.reason])
                _log.error("message skipped", at=where, reason=error.reason)
                if self._rejections is not None and topic == topics.ALERTS:
                    self._rejections.write(message, code=UNREADABLE, reason=error.reason)
        return alerts

    def _write(self, connection: Connection[Any], alerts: Sequence[tuple[Alert, Message]]) -> None:
        now = self._clock()
        known = _stored(connection, [alert.id for alert, _ in alerts])
        read_before = _read_before(connection)
        batch = AlertBatch()
        for alert, message in alerts:
            before = known.get(alert.id)
            if before is not None and not before.is_older_than(alert):
                continue  # a repeat, or overtaken
            after = _after(alert)
            is_news = offset_of(message) >= read_before.get(place_of(message), 0)
            if is_news and self._is_fresh(alert, message, now):
                batch.fresh.add(alert.id)
                if event := _event(before, after):
                    batch.events.append(AlertEvent(event, alert))
            if is_news and before is not None and before.stands and not after.stands:
                batch.withdrawn.append(alert)
            known[alert.id] = after
            batch.alerts[alert.id] = alert
        with connection.cursor() as cursor:
            cursor.executemany(_ALERT, [alert_columns(alert) for alert in batch.alerts.values()])
        _note_withdrawn(connection, batch.withdrawn, now)
        self._reopen(connection, batch, now)
        _queue(connection, batch.events, now)

    def _reopen(self, connection: Connection[Any], batch: AlertBatch, now: int) -> None:
        """Reopen closed alerts that have grown since."""
        closed = alert_work.read_closed(connection, list(batch.alerts))
        for alert_id, work in closed.items():
            alert = batch.alerts[alert_id]
            reason = growth(work, alert_version(alert))
            if not reason:
                continue
            again = grow(work, by=AUTHOR)
            alert_work.write_sync(connection, alert_id, again, now)
            audit_log.append_sync(
                connection,
                audit_log.AuditRecord(
                    AUTHOR,
                    "grew",
                    alert_id=alert_id,
                    revision=alert.revision,
                    text=reason,
                    state=int(again.state),
                ),
                now,
            )
            if alert_id in batch.fresh:
                batch.events.append(AlertEvent(REOPENED, alert))

    def _is_fresh(self, alert: Alert, message: Message, now: int) -> bool:
        """Whether it is news: published just now, about facts of just now."""
        _, published_ms = message.timestamp()
        if now - published_ms * 1_000 > self._fresh:
            return False
        happened_at = alert.changed_at.seconds * 1_000_000
        return self._simulated_time or now - happened_at <= self._fresh


def _note_withdrawn(connection: Connection[Any], withdrawn: Sequence[Alert], now: int) -> None:
    """Record why an alert is not open any more, for the people who work on it."""
    for alert in withdrawn:
        entry = audit_log.AuditRecord(
            AUTHOR,
            "withdrawn",
            alert_id=alert.id,
            revision=alert.revision,
            text=alert.withdrawn_because,
        )
        audit_log.append_sync(connection, entry, now)


def alert_version(alert: Alert) -> AlertVersion:
    columns = alert_columns(alert)
    return AlertVersion(
        generation=alert.generation,
        revision=alert.revision,
        evidence_count=columns["evidence_count"],
        level=alert.level,
        stands=columns["stands"],
        label=alert.label,
    )


def _stored(connection: Connection[Any], ids: Sequence[str]) -> dict[str, StoredAlert]:
    with connection.cursor(row_factory=dict_row) as cursor:
        cursor.execute(_KNOWN, [sorted(set(ids))])
        return {
            row["id"]: StoredAlert(
                row["generation"],
                row["revision"],
                row["level"],
                row["stands"],
                row["stands"] and not row["suppressed"],
            )
            for row in cursor
        }


def _read_before(connection: Connection[Any]) -> dict[Partition, int]:
    """The positions in the topics before the tables were last emptied."""
    rows = connection.execute("SELECT topic, partition, read_offset FROM rebuilds").fetchall()
    return {Partition(topic, partition): offset for topic, partition, offset in rows}


def _after(alert: Alert) -> StoredAlert:
    stands: bool = alert_columns(alert)["stands"]
    is_open = stands and not is_suppressed(alert)
    return StoredAlert(alert.generation, alert.revision, alert.level, stands, is_open)


def _event(before: StoredAlert | None, after: StoredAlert) -> str:
    """The event for webhooks; empty where an alert only grows at the same level."""
    if after.is_open and (before is None or not before.is_open):
        return RAISED
    if before is not None and before.is_open and not after.is_open:
        return WITHDRAWN
    if before is not None and after.is_open and after.level < before.level:
        return ESCALATED
    return ""


def _queue(connection: Connection[Any], events: Sequence[AlertEvent], now: int) -> None:
    if not events:
        return
    rows = connection.execute(_WEBHOOKS).fetchall()
    webhooks = [WebhookFilter(name, level, tuple(kinds)) for name, level, kinds in rows]
    with connection.cursor() as cursor:
        cursor.executemany(
            _DELIVERY,
            [
                {
                    "webhook": webhook,
                    "alert_id": event.alert.id,
                    "event": event.event,
                    "generation": event.alert.generation,
                    "revision": event.alert.revision,
                    "body": render_body(event.event, event.alert, queued_at=now),
                    "now": now,
                }
                for event in events
                for webhook in webhooks_for(webhooks, event)
            ],
        )
