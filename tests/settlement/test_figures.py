"""What settlement tells of itself is what the topics hold."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import version

import pytest

from blackjack.findings import Finding, Level
from runtime.metrics import Metrics
from runtime.positions import Partition, Position
from settlement.kafka.worker import SettlementWorker
from settlement.metrics import SettlementMetrics
from tests.scraping import scrape
from tests.settlement.floor import Floor, eventually
from tests.settlement.test_settling import broken_at
from tests.settlement.test_takeover import one_table, work
from tests.settlement.test_worker import day
from tests.stack.broker import Broker
from wire import topics
from wire.settlement import decode_record


def test_findings_lag_and_the_last_event_are_told(broker: Broker) -> None:
    floor = Floor(broker, partitions=2)
    frames = day(1, tables=4, rounds=6)
    floor.send(frames)
    with floor.worker() as worker:
        address = json.loads(worker.wait_for("starting"))["metrics"]
        floor.settles()
        found: Counter[str] = Counter()
        for message in floor.read(topics.FINDINGS):
            record = decode_record(message.value() or b"")
            if isinstance(record, Finding):
                found[record.level.name] += 1
        assert found
        eventually(lambda: scrape(address).values_of("reader_unread_messages") == [0, 0])
        told = scrape(address)
        for level in Level:
            assert told.value("settlement_findings_total", level=level.name) == found[level.name]
        assert told.value("settlement_messages_total") == len(frames)
        lasts = {at / 1e6 for _, _, at in frames}
        assert told.value("settlement_last_event_timestamp_seconds") in lasts
        assert told.value("settlement_quarantined_tables") == 0
        assert told.value("service_info", service="settlement", version=version("pitledger")) == 1
        assert worker.stop() == 0


def test_quarantined_tables_are_counted_where_they_are(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, _ = one_table(broker)
    messages = floor.read(topics.TABLE_EVENTS)
    registered = Metrics("settlement")

    def told() -> float | None:
        return registered.registry.get_sample_value("settlement_quarantined_tables")

    metrics = SettlementMetrics(registered)
    worker = SettlementWorker(
        floor.broker.bootstrap, refold_max=30, prefix=floor.prefix, metrics=metrics
    )
    place = Partition(floor.topic(topics.TABLE_EVENTS), 0)
    broken_at("BJ-01", 40, monkeypatch)
    worker.assigned([Position(*place, 0)])
    assert told() == 0
    work(floor, worker, messages[:100])
    assert told() == 1
    worker.revoked([place])
    assert told() == 0
    worker.assigned([Position(*place, 100)])
    assert told() == 1, "it still breaks"
    worker.revoked([place])
    monkeypatch.undo()
    worker.assigned([Position(*place, 100)])
    assert told() == 0, "the engine can fold the event now"
