"""`python -m provisioning topics`, on a real broker."""

from __future__ import annotations

import pytest

from provisioning.__main__ import main
from provisioning.topics import named_topics
from tests.stack.broker import Broker
from wire import topics


def test_topics_are_made_once_and_one_that_differs_is_an_error(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.make_named_topics()
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    assert main(["topics"]) == 0
    assert capsys.readouterr().out == f"topics: 0 made, {len(topics.ALL)} there\n"

    changed = prefix + topics.DEAD_LETTERS
    monkeypatch.setitem(topics.PARTITIONS, topics.DEAD_LETTERS, 2)
    assert main(["topics"]) == 1
    assert f"{changed}: partitions is 1, not 2" in capsys.readouterr().err


def test_a_prefix_without_topics_gets_all_of_them(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.name("made") + "."
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    try:
        assert main(["topics"]) == 0
        assert capsys.readouterr().out == f"topics: {len(topics.ALL)} made, 0 there\n"
        there = set(broker.admin.list_topics(timeout=10).topics)
        assert {prefix + name for name in topics.ALL} <= there
    finally:
        broker.admin.delete_topics([prefix + name for name in topics.ALL])


def test_topics_on_too_few_brokers_are_told_one_by_one(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.make_named_topics()
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    monkeypatch.setenv("TOPIC_REPLICAS", "3")
    assert main(["topics"]) == 1
    told = capsys.readouterr().err
    for name in topics.ALL:
        assert f"{prefix}{name}: replicas is 1, not 3" in told
        assert f"{prefix}{name}: min.insync.replicas is 1, not 2" in told


def test_topics_are_not_made_with_fewer_replicas_than_asked_for(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.name("replicated") + "."
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    monkeypatch.setenv("TOPIC_REPLICAS", "3")
    assert main(["topics"]) == 1
    assert "INVALID_REPLICATION_FACTOR" in capsys.readouterr().err
    assert not [name for name in broker.admin.list_topics(timeout=10).topics if prefix in name]


@pytest.mark.parametrize(("replicas", "acknowledging"), [(1, 1), (2, 1), (3, 2), (5, 4)])
def test_all_replicas_but_one_acknowledge_and_at_least_one(
    replicas: int, acknowledging: int
) -> None:
    for topic in named_topics(replicas=replicas):
        assert topic.replicas == replicas
        assert topic.settings["min.insync.replicas"] == str(acknowledging)


def test_what_is_missing_in_the_environment_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP", raising=False)
    assert main(["topics"]) == 78
    assert "KAFKA_BOOTSTRAP: not set" in capsys.readouterr().err
