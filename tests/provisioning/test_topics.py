"""`python -m provisioning topics`, on a real broker."""

from __future__ import annotations

import pytest
from confluent_kafka import TIMESTAMP_LOG_APPEND_TIME

from provisioning.__main__ import main
from provisioning.kafka.topics import named_topics
from runtime.kafka.log_identity import LogMark
from runtime.kafka.log_marks import MarkWriter
from tests.stack.broker import Broker
from tests.stack.databases import Database
from wire import topics


@pytest.fixture(autouse=True)
def stores(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """The database in which services would remember what they have read: an empty one."""
    monkeypatch.setenv("DATABASE_ADMINISTRATOR_URL", database.url)
    return database


def read_by_accounting(stores: Database, topic: str, *, topic_id: str = "") -> None:
    """As that service remembers it; without an id, as an earlier version did."""
    with stores.connect() as connection:
        connection.execute("CREATE SCHEMA accounting")
        connection.execute("SET search_path = accounting")
        connection.execute(
            "CREATE TABLE consumed_positions"
            " (consumer text, topic text, partition integer, next_offset bigint)"
        )
        connection.execute("INSERT INTO consumed_positions VALUES ('ledger', %s, 3, 7)", [topic])
        if topic_id:
            connection.execute("CREATE TABLE read_logs (consumer text, topic text, topic_id text)")
            connection.execute("INSERT INTO read_logs VALUES ('ledger', %s, %s)", [topic, topic_id])


@pytest.mark.parametrize("topic_id", ["", "uBPW1YCrQNmAF6l1DXm5Lw"])
def test_a_topic_that_stores_have_read_is_not_made_again_unless_its_loss_is_accepted(
    broker: Broker,
    stores: Database,
    topic_id: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    prefix = broker.make_named_topics()
    events = prefix + topics.TABLE_EVENTS
    read_by_accounting(stores, events, topic_id=topic_id)
    marks = MarkWriter(broker.bootstrap, prefix + topics.READ_LOGS, "settlement")
    marks.write(
        [LogMark(events, "a", {0: 5}), LogMark(prefix + topics.TABLE_SNAPSHOTS, "b", {0: 5})]
    )
    for name in (topics.TABLE_EVENTS, topics.TABLE_SNAPSHOTS, topics.FINDINGS):
        broker.delete_topic(prefix + name)
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    try:
        assert main(["topics"]) == 1
        told = capsys.readouterr().err
        assert f"{events} (read by accounting, settlement)" in told
        assert f"--accept-loss {events}" in told
        there = broker.admin.list_topics(timeout=10).topics
        assert not {events, prefix + topics.FINDINGS} & set(there), "nothing is made"

        assert main(["topics", "--accept-loss", topics.TABLE_EVENTS]) == 0
        assert "topics: 3 created" in capsys.readouterr().out
        assert events in broker.admin.list_topics(timeout=10).topics

        # It is there, and still not the one that was read: the services will say what to do.
        assert main(["topics"]) == 0
        assert f"settlement will reject {events}: expected topic id a" in capsys.readouterr().err
    finally:
        for name in (topics.TABLE_EVENTS, topics.TABLE_SNAPSHOTS, topics.FINDINGS):
            broker.admin.delete_topics([prefix + name])


def test_a_kafka_that_was_lost_as_a_whole_is_remembered_by_the_database(
    broker: Broker,
    stores: Database,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    prefix = broker.name("lost") + "."
    read_by_accounting(stores, prefix + topics.SETTLED_ROUNDS)
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    assert main(["topics"]) == 1
    assert f"{prefix}{topics.SETTLED_ROUNDS} (read by accounting)" in capsys.readouterr().err
    assert not [name for name in broker.admin.list_topics(timeout=10).topics if prefix in name]


def test_topics_are_not_made_where_no_store_can_be_asked(
    broker: Broker,
    stores: Database,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with stores.connect() as connection:
        connection.execute("CREATE SCHEMA other")
        connection.execute("CREATE TABLE other.consumed_positions (topic text)")
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", broker.name("asked") + ".")
    assert main(["topics"]) == 1
    assert "the topics that were read cannot be queried" in capsys.readouterr().err


def test_topics_are_made_once_and_one_that_differs_is_an_error(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.make_named_topics()
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    assert main(["topics"]) == 0
    assert capsys.readouterr().out == f"topics: 0 created, {len(topics.ALL)} exist\n"

    changed = prefix + topics.DEAD_LETTERS
    monkeypatch.setitem(topics.PARTITIONS, topics.DEAD_LETTERS, 2)
    assert main(["topics"]) == 1
    assert f"{changed}: partitions is 1, not 2" in capsys.readouterr().err


def test_a_topic_that_is_there_is_stamped_by_the_broker_from_now_on(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Topics of earlier versions were stamped by whoever wrote."""
    named = named_topics(broker.prefix)
    for topic in named:
        configuration = dict(topic.configuration) | {"message.timestamp.type": "CreateTime"}
        broker.make_topic(
            topic.name.removeprefix(broker.prefix),
            partitions=topic.partitions,
            configuration=configuration,
        )
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", broker.prefix)
    assert main(["topics"]) == 0
    assert capsys.readouterr().out == f"topics: 0 created, {len(topics.ALL)} exist\n"
    broker.write(named[0].name, [b"x"])
    assert broker.read(named[0].name)[0].timestamp()[0] == TIMESTAMP_LOG_APPEND_TIME


def test_a_prefix_without_topics_gets_all_of_them(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefix = broker.name("made") + "."
    monkeypatch.setenv("KAFKA_BOOTSTRAP", broker.bootstrap)
    monkeypatch.setenv("TOPIC_PREFIX", prefix)
    try:
        assert main(["topics"]) == 0
        assert capsys.readouterr().out == f"topics: {len(topics.ALL)} created, 0 exist\n"
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
