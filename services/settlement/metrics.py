"""What settlement counts: findings by level, tables set aside, and the last event it settled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blackjack.findings import Finding, Level
from runtime.metrics import Metrics
from settlement.domain.partition_tables import PartitionTables

MICROSECONDS = 1_000_000


class SettlementMetrics:
    """Counted when a batch is settled; one that is set back counts again, as its log lines do."""

    def __init__(self, metrics: Metrics) -> None:
        self._findings = metrics.counter("findings", "Findings said, by level.", ["level"])
        for level in Level:
            self._findings.labels(level.name)  # there from the start, so that the first is a rise
        self._quarantined = metrics.gauge(
            "quarantined_tables", "Tables that are set aside, of the partitions of this worker."
        )
        self._dead_letters = metrics.counter(
            "dead_letters", "Messages that were set aside, by code.", ["code"]
        )
        self._last_event = metrics.gauge(
            "last_event_timestamp_seconds",
            "When the gateway received the last event that was settled; 0: none yet.",
        )

    def found(self, finding: Finding) -> None:
        self._findings.labels(finding.level.name).inc()

    def rejected_messages(self, code: str) -> None:
        self._dead_letters.labels(code).inc()

    def settled(self, received_at: int | None) -> None:
        """By the gateway's clock, in microseconds."""
        if received_at:
            self._last_event.set(received_at / MICROSECONDS)

    def hold(self, pits: Iterable[PartitionTables[Any]]) -> None:
        held = (held for pit in pits for held in pit.tables.values())
        self._quarantined.set(sum(1 for table in held if table.broken))
