"""`python -m provisioning topics`, on a real broker."""

from __future__ import annotations

import pytest

from provisioning.__main__ import main
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


def test_what_is_missing_in_the_environment_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP", raising=False)
    assert main(["topics"]) == 78
    assert "KAFKA_BOOTSTRAP: not set" in capsys.readouterr().err
