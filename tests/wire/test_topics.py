"""The names of the topics are stated once."""

from __future__ import annotations

from runtime.kafka import configuration
from wire import topics


def test_every_topic_is_in_the_list_once() -> None:
    stated = [
        value for name, value in vars(topics).items() if name.isupper() and isinstance(value, str)
    ]
    assert len(stated) == len(set(stated))
    assert set(stated) == topics.ALL


def test_every_topic_has_its_number_of_partitions() -> None:
    assert set(topics.PARTITIONS) == topics.ALL


def test_a_table_is_in_the_same_partition_of_what_is_read_together() -> None:
    together = {topics.TABLE_EVENTS, topics.SETTLED_ROUNDS, topics.FINDINGS}
    assert {topics.PARTITIONS[topic] for topic in together} == {12}


def test_what_is_kept_for_ever_is_never_deleted_by_age_or_size() -> None:
    for topic in topics.KEPT_FOR_EVER:
        configuration = topics.configuration(topic)
        assert configuration["retention.ms"] == configuration["retention.bytes"] == "-1"


def test_snapshots_are_compacted_and_touch_few_partitions() -> None:
    assert topics.configuration(topics.TABLE_SNAPSHOTS)["cleanup.policy"] == "compact"
    assert topics.PARTITIONS[topics.TABLE_SNAPSHOTS] <= 3


def test_no_topic_is_both_kept_for_ever_and_compacted() -> None:
    assert not topics.KEPT_FOR_EVER & topics.COMPACTED


def test_the_brokers_take_what_a_producer_of_ours_writes() -> None:
    assert configuration.MESSAGE_BYTES_MAX == topics.MESSAGE_BYTES_MAX
    for topic in topics.LARGE:
        assert topics.configuration(topic)["max.message.bytes"] == str(topics.MESSAGE_BYTES_MAX)
