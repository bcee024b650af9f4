"""How the broker is set up."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

import pytest

from deploy.stack.java import command, memory_of
from deploy.stack.kafka import LOGGING, Kafka, cluster_id, properties
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker

BEGINS_WITH_A_HYPHEN = uuid.UUID("f8000000-0000-4000-8000-000000000000")


def test_a_cluster_whose_name_begins_with_a_hyphen_is_formatted(
    own_stack: StackMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in 64 does; `--cluster-id -AAA` was taken for two options."""
    assert cluster_id(BEGINS_WITH_A_HYPHEN).startswith("-")
    monkeypatch.setattr(uuid, "uuid4", lambda: BEGINS_WITH_A_HYPHEN)
    own = own_stack()
    own.settings.folder.mkdir()
    kafka = Kafka(own.settings)
    kafka.prepare(own.state)
    kept = (kafka.folder / "data" / "meta.properties").read_text()
    assert f"cluster.id={cluster_id(BEGINS_WITH_A_HYPHEN)}" in kept


def test_nothing_but_the_ports_and_the_folder_depends_on_the_stack() -> None:
    one = properties(port=1, controller_port=2, data="a")
    other = properties(port=3, controller_port=4, data="b")
    lines = zip(one.splitlines(), other.splitlines(), strict=True)
    assert [a.partition(" ")[0] for a, b in lines if a != b] == [
        "controller.quorum.voters",
        "listeners",
        "advertised.listeners",
        "log.dirs",
    ]


def test_no_line_of_the_logging_is_said_twice() -> None:
    names = [line.partition(" ")[0] for line in LOGGING.splitlines()]
    assert len(names) == len(set(names))


def test_what_java_remembers_is_of_these_very_jars(tmp_path: Path) -> None:
    jar = tmp_path / "bells.jar"
    jar.write_bytes(b"ding")
    before = memory_of([jar], tmp_path)
    assert memory_of([jar], tmp_path) == before
    os.utime(jar, ns=(0, 0))
    assert memory_of([jar], tmp_path) != before


def test_java_is_asked_to_remember_only_what_there_is(tmp_path: Path) -> None:
    memory = tmp_path / "kafka.aot"
    assert f"-XX:AOTCache={memory}" in command([], heap_mb=128, memory=memory)
    assert not [word for word in command([], heap_mb=128) if "AOT" in str(word)]


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_the_broker_knows_every_codec(codec: str, broker: Broker) -> None:
    """Native codecs are unpacked from their jars at first use; here the broker must recode."""
    topic = broker.make_topic(configuration={"compression.type": codec})
    broker.write(topic, [b"clubs " * 100])
    assert [message.value() for message in broker.read(topic)] == [b"clubs " * 100]
