"""Metrics of surveillance."""

from __future__ import annotations

import time

from alerting.alert import Alert, AlertState
from blackjack.findings import Level
from runtime.metrics import Metrics


class Figures:
    """Counted when it happens; messages processed again after a crash count again."""

    def __init__(self, metrics: Metrics) -> None:
        self._sorted = metrics.counter("sorted_messages", "Messages routed, by topic.", ["topic"])
        self._sightings = metrics.counter("sightings", "Sightings processed.")
        self._alerts = metrics.counter(
            "alerts", "Alerts published, by level and state.", ["level", "state"]
        )
        for level in Level:
            for state in AlertState:
                self._alerts.labels(level.name, state.value)  # there from the start
        self._set_aside = metrics.counter(
            "set_aside_messages", "Messages that could not be processed, by topic.", ["topic"]
        )
        self._last = metrics.gauge(
            "last_watched_timestamp_seconds", "Time when sightings were last processed; 0: not yet."
        )
        self._remaining = metrics.gauge(
            "recovery_remaining_messages", "Messages of states still to be read before work begins."
        )

    def sorted(self, topic: str, messages: int) -> None:
        self._sorted.labels(topic).inc(messages)

    def watched(self, sightings: int) -> None:
        self._sightings.inc(sightings)
        self._last.set(time.time())

    def told(self, alert: Alert) -> None:
        self._alerts.labels(alert.level.name, alert.state.value).inc()

    def set_aside(self, topic: str) -> None:
        self._set_aside.labels(topic).inc()

    def recovering(self, remaining: int) -> None:
        self._remaining.set(remaining)
