"""Topics are made once, and told when they are not as they should be."""

from __future__ import annotations

from provisioning.kafka.topics import Difference, Topic, ensure_topics, named_topics
from tests.stack.broker import Broker


def test_topics_are_made_once_as_they_are_named(broker: Broker) -> None:
    wanted = named_topics(broker.make_named_topics())
    again = ensure_topics(broker.admin, wanted)
    assert again.created == ()
    assert again.existing == tuple(sorted(topic.name for topic in wanted))
    assert again.differences == ()


def test_a_topic_that_differs_is_told_and_left_alone(broker: Broker) -> None:
    kept = {"cleanup.policy": "delete", "retention.ms": "-1"}
    name = broker.make_topic(partitions=2, configuration={**kept, "retention.ms": "1000"})
    partitions = Difference(name, "partitions", "3", "2")
    retention = Difference(name, "retention.ms", "-1", "1000")
    for _ in range(2):
        outcome = ensure_topics(broker.admin, [Topic(name, 3, kept)])
        assert outcome.differences == (partitions, retention)
    assert str(partitions) == f"{name}: partitions is 2, not 3"
