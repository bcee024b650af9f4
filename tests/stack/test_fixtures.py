"""What the fixtures promise to other tests."""

from __future__ import annotations

import psycopg

from deploy.stack.process import is_alive
from deploy.stack.stack import Stack
from tests.stack.broker import Broker
from tests.stack.databases import Database, Databases
from tests.stack.plugin import StackMaker
from tests.stack.shared_floor import SharedFloor
from wire import topics


def test_what_is_written_to_the_broker_is_read_back(broker: Broker) -> None:
    topic = broker.make_topic(partitions=3)
    written = [b"%d" % number for number in range(100)]
    broker.write(topic, written)
    assert sorted(message.value() or b"" for message in broker.read(topic)) == sorted(written)


def test_no_two_tests_share_a_name(broker: Broker) -> None:
    other = Broker(broker.bootstrap)
    assert broker.make_topic() != other.name("topic")


def test_every_named_topic_can_be_had_under_a_prefix(broker: Broker) -> None:
    prefix = broker.make_named_topics()
    there = broker.admin.list_topics(timeout=30).topics
    found = {name: len(there[prefix + name].partitions) for name in topics.ALL}
    assert found == topics.PARTITIONS


def test_a_topic_that_nobody_made_is_not_made_by_writing_to_it(broker: Broker) -> None:
    broker.admin.list_topics(broker.name("typo"), timeout=30)
    assert broker.name("typo") not in broker.admin.list_topics(timeout=30).topics


def test_a_test_has_an_empty_database_of_its_own(database: Database) -> None:
    with database.connect() as connection:
        connection.execute("CREATE TABLE round (id bigint)")
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(tables).fetchone() == (1,)


def test_a_template_is_made_once_and_copied_with_what_it_holds(databases: Databases) -> None:
    prepared = []

    def prepare(draft: Database) -> None:
        prepared.append(draft)
        with draft.connect() as connection:
            connection.execute("CREATE TABLE house AS SELECT 'Lucky Dragonfly' AS name")

    for _ in range(2):
        copy = databases.make(databases.make_template("test_template_house", prepare))
        with copy.connect() as connection:
            assert connection.execute("SELECT name FROM house").fetchone() == ("Lucky Dragonfly",)
        databases.drop(copy)
    assert len(prepared) == 1


def test_a_database_is_dropped_under_its_clients(databases: Databases) -> None:
    made = databases.make()
    client = made.connect()
    databases.drop(made)
    try:
        client.execute("SELECT 1")
    except psycopg.OperationalError:
        return
    finally:
        client.close()
    raise AssertionError("the client was not thrown out")


def test_a_floor_ends_with_the_last_who_needs_it_and_can_be_had_again(
    stack: Stack, own_stack: StackMaker
) -> None:
    whole = own_stack(KAFKA_BOOTSTRAP=stack.kafka_bootstrap)
    first, second = SharedFloor(whole), SharedFloor(whole)
    first.enter()
    second.enter()
    first.leave()
    assert is_alive(whole.state.processes["postgres"])
    second.leave()
    assert whole.state.processes == {}
    first.enter()
    assert is_alive(whole.state.processes["postgres"])
