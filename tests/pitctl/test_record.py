"""The log of a running Kafka, copied into a file: the same bytes, the same verdict."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from confluent_kafka import Producer

from table_simulator.days.event_chain import Frame
from tests.pitctl.command import pitctl
from tests.stack.broker import Broker
from tests.table_simulator.days import a_day
from wire import headers, topics
from wire.log_file import write_log

TABLES = 3


@pytest.fixture
def frames(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """A day with faults in it, in a log of the test's own."""
    prefix = broker.make_named_topics()
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    day = a_day(5, tables=TABLES, rounds=6, every=1)
    found = [each for each in day.frames if each.stream in day.tables]
    producer = Producer({"bootstrap.servers": broker.bootstrap})
    for each in found:
        when = headers.write_ingested_at(each.ingested_at)
        producer.produce(
            prefix + topics.TABLE_EVENTS,
            each.data,
            each.stream.encode(),
            headers=[(headers.INGESTED_AT, when)],
        )
    assert producer.flush(30) == 0
    return found


def audited(log: Path) -> tuple[bytes, bytes]:
    rounds, findings = log.with_suffix(".rounds"), log.with_suffix(".findings")
    assert pitctl("audit", log, "--rounds", rounds, "--findings", findings).exit_code == 1
    return rounds.read_bytes(), findings.read_bytes()


def test_what_is_recorded_is_judged_as_the_day_itself(frames: list[Frame], tmp_path: Path) -> None:
    told, recorded = tmp_path / "told.log", tmp_path / "recorded.log"
    with told.open("wb") as file:
        write_log(file, ((each.data, each.ingested_at) for each in frames))
    result = pitctl("record", recorded, "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {"file": str(recorded), "events": len(frames)}
    assert audited(recorded) == audited(told)


def test_one_table_alone_can_be_recorded(frames: list[Frame], tmp_path: Path) -> None:
    table = frames[0].stream
    own = [each for each in frames if each.stream == table]
    result = pitctl("record", tmp_path / "one.log", "--table", table)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{len(own):,} events in ")


def test_a_broker_that_is_not_there_leaves_no_file(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        result = pitctl("record", tmp_path / "none.log", "--kafka", f"127.0.0.1:{port}")
    assert result.exit_code == 2
    assert "could not be read" in result.stderr
    assert "pitctl up" in result.stderr
    assert list(tmp_path.iterdir()) == []
