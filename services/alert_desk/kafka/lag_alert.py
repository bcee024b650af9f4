"""The alert desk's own alert: surveillance is behind, and its alerts may be late.

Surveillance cannot publish this itself, because it may be stuck. The alert goes through the topic
as all others do, under one id. The stored alert is compared with the measured lag regularly, and
the next revision is published where the two differ: a lost message or a killed process is
corrected by the next comparison.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from alert_desk.domain.lateness import Lateness, judge
from alert_desk.grpc.setting_queries import SettingQueries
from alerting.alert import Alert, AlertState, Evidence, alert_id
from alerting.kinds import KINDS
from alerting.thresholds import THRESHOLDS
from blackjack.findings import Level
from casino.surveillance.v1 import service_pb2 as pb
from runtime import logs
from runtime.database.query import Database
from runtime.kafka.lag import LagMonitor
from runtime.kafka.producer import AcknowledgedProducer, NotWritten
from runtime.kafka.records import Output
from runtime.process import ServicePart, Stop
from runtime.query_errors import QueryError
from wire.alerts import encode_alert
from wire.vocabulary import LEVELS

KIND: Final = "surveillance.behind"
THRESHOLD: Final = "surveillance_behind_seconds"
WATCHED: Final = "surveillance"
ID: Final = alert_id(KIND, WATCHED)
LOOK_SECONDS: Final = 1.0
SETTLE_SECONDS: Final = 5.0
"""A revision is read back within this time, or published again; settings are read as often."""
REPEAT_FACTOR: Final = 2.0
"""The alert is published again when the lag is this many times the last published one."""
_KNOWN: Final = "SELECT revision, stands, evidence_count, raised_at FROM alerts WHERE id = %s"
_log = logs.logger(__name__)


class LagAlertSettings(NamedTuple):
    """The settings in force for this alert."""

    threshold: float = THRESHOLDS[THRESHOLD].default
    level: Level = KINDS[KIND].level
    suppressed_by: str = ""


class PublishedLagAlert(NamedTuple):
    """The last revision of the alert, as stored or as just published."""

    revision: int = 0
    stands: bool = False
    incidents: int = 0
    raised_at: int = 0
    seconds: float = 0.0


class LagAlert:
    """`leads`: whether this instance projects the topics, and so publishes the alert."""

    def __init__(
        self,
        lag: LagMonitor,
        database: Database,
        settings: SettingQueries,
        producer: AcknowledgedProducer,
        *,
        topic: str,
        leads: Callable[[], bool],
        clock: Callable[[], int],
    ) -> None:
        self._lag = lag
        self._database = database
        self._settings = settings
        self._producer = producer
        self._topic = topic
        self._leads = leads
        self._clock = clock
        self._lateness = Lateness()
        self._in_force = LagAlertSettings()
        self._published: PublishedLagAlert | None = None
        self._looked_at = 0.0

    def late_services(self) -> Mapping[str, float]:
        """For the warning on every page of the console."""
        return {WATCHED: self._lateness.seconds} if self._lateness.is_late else {}

    def part(self) -> ServicePart:
        return ServicePart("lag alert", self._run)

    async def _run(self, stop: Stop) -> None:
        while not await stop.wait(LOOK_SECONDS):
            seconds = self._lag.seconds_behind(WATCHED)
            if seconds is None:
                continue  # unknown: the last measurement stands
            try:
                await self._look()
                self._judge(seconds)
                await self._publish()
            except (QueryError, NotWritten) as failed:
                self._published = None
                _log.warning("lag alert not published", reason=str(failed))
                self._judge(seconds)

    def _judge(self, seconds: float) -> None:
        threshold = self._in_force.threshold
        self._lateness = judge(self._lateness, seconds, at=self._clock(), threshold=threshold)

    async def _look(self) -> None:
        """Read the settings in force and the stored alert."""
        if self._published is not None and time.monotonic() - self._looked_at < SETTLE_SECONDS:
            return
        found = await self._settings.in_force(pb.ListSettingsRequest())
        self._in_force = _in_force(found)
        rows = await self._database.fetch(_KNOWN, [ID])
        stored = PublishedLagAlert(*rows[0].values()) if rows else PublishedLagAlert()
        if self._published is None and stored.stands:
            # After a start, go on with the alert that an earlier process raised.
            self._lateness = Lateness(since=stored.raised_at, seconds=0.0)
        if self._published is None or stored[:2] != self._published[:2]:
            self._published = stored
        self._looked_at = time.monotonic()

    async def _publish(self) -> None:
        last, late = self._published, self._lateness
        if last is None or not self._leads():
            return
        grew = late.is_late and last.stands and 0 < last.seconds * REPEAT_FACTOR <= late.seconds
        if late.is_late != last.stands or grew:
            await self._write(last, late)

    async def _write(self, last: PublishedLagAlert, late: Lateness) -> None:
        now = self._clock()
        incidents = last.incidents + (late.is_late and not last.stands)
        raised_at = late.since or last.raised_at or now
        alert = self._alert(last.revision + 1, late, incidents, raised_at=raised_at, now=now)
        self._looked_at = time.monotonic()
        await self._producer.send([Output(self._topic, encode_alert(alert), ID.encode())])
        self._published = PublishedLagAlert(
            alert.revision, late.is_late, incidents, raised_at, late.seconds
        )
        _log.info("lag alert", late=late.is_late, seconds=late.seconds, revision=alert.revision)

    def _alert(
        self, revision: int, late: Lateness, incidents: int, *, raised_at: int, now: int
    ) -> Alert:
        whole = max(round(late.seconds), 1)
        behind = f"Surveillance is {whole} second{'s' * (whole > 1)} behind. Alerts may be late."
        caught_up = f"Surveillance caught up at {_clock(now)}."
        evidence = Evidence(at=raised_at, words=self._oldest() or behind, kind=KIND)
        return Alert(
            id=ID,
            revision=revision,
            state=AlertState.STANDING if late.is_late else AlertState.WITHDRAWN,
            kind=KIND,
            level=self._in_force.level,
            sentence=behind if late.is_late else caught_up,
            rule=f"more than {self._in_force.threshold:g} seconds behind its topics",
            raised_at=raised_at,
            changed_at=now,
            evidence=(evidence,) if late.is_late else (),
            evidence_count=incidents,
            suppressed_by=self._in_force.suppressed_by,
            withdrawn_because="" if late.is_late else caught_up,
        )

    def _oldest(self) -> str:
        """The reader with the oldest unread message."""
        lags = [lag for lag in self._lag.by_topic() if lag.service == WATCHED and lag.oldest_at]
        if not lags:
            return ""
        worst = min(lags, key=lambda lag: lag.oldest_at or 0.0)
        since = _clock(round((worst.oldest_at or 0.0) * 1_000_000))
        return (
            f"{worst.reader} has {worst.unread:,} unread in {worst.topic},"
            f" the oldest appended at {since}"
        )


def _in_force(found: pb.ListSettingsResponse) -> LagAlertSettings:
    threshold = next(item.value for item in found.thresholds if item.name == THRESHOLD)
    level = next(kind.level for kind in found.kinds if kind.kind == KIND)
    suppressions = [
        change.change_id
        for change in found.suppressions
        if change.alerts_suppressed.kind == KIND
        and not change.alerts_suppressed.table_id
        and not change.alerts_suppressed.dealer
        and not change.alerts_suppressed.patron
    ]
    return LagAlertSettings(
        float(threshold), LEVELS[level], suppressions[0] if suppressions else ""
    )


def _clock(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1_000_000, UTC):%H:%M:%S} UTC"
