"""Create the topics of `wire.topics`, and report existing ones with other settings."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
    PartitionMetadata,
    ResourceType,
    TopicMetadata,
)

from wire import topics as named

SECONDS_MAX = 30.0
LIMITS = {"operation_timeout": SECONDS_MAX, "request_timeout": SECONDS_MAX}


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    partitions: int
    configuration: Mapping[str, str]
    replicas: int = 1

    @property
    def acknowledging(self) -> int:
        """How many replicas must have a message before it is acknowledged.

        All but one: a broker may be away and writing goes on, and with three replicas every
        acknowledged message is on more than the leader. The broker's own default is one.
        """
        return max(self.replicas - 1, 1)

    @property
    def settings(self) -> dict[str, str]:
        """All settings that are sent to the brokers."""
        return {**self.configuration, "min.insync.replicas": str(self.acknowledging)}


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting of an existing topic that is wrong. It is for people to fix: it holds facts."""

    topic: str
    what: str
    wanted: str
    found: str

    def __str__(self) -> str:
        return f"{self.topic}: {self.what} is {self.found}, not {self.wanted}"


@dataclass(frozen=True, slots=True)
class TopicsOutcome:
    created: tuple[str, ...]
    existing: tuple[str, ...]
    differences: tuple[Difference, ...]


def named_topics(prefix: str = "", *, replicas: int = 1) -> list[Topic]:
    """The topics of the product; each prefix has a set of its own."""
    return [
        Topic(prefix + name, named.PARTITIONS[name], named.configuration(name), replicas)
        for name in sorted(named.ALL)
    ]


def ensure_topics(client: AdminClient, wanted: Iterable[Topic]) -> TopicsOutcome:
    """Create missing topics, ready to be written to; existing ones stay as they are."""
    topics = {topic.name: topic for topic in wanted}
    there = client.list_topics(timeout=SECONDS_MAX).topics
    missing = [
        NewTopic(topic.name, topic.partitions, topic.replicas, config=topic.settings)
        for topic in topics.values()
        if topic.name not in there
    ]
    requests = client.create_topics(missing, **LIMITS) if missing else {}
    made = tuple(name for name, request in sorted(requests.items()) if was_made(request))
    wait_until_led(client, made)
    found = tuple(sorted(set(topics) - set(made)))
    stamp_by_broker(client, [topics[name] for name in found])
    return TopicsOutcome(made, found, tuple(differences(client, [topics[name] for name in found])))


def stamp_by_broker(client: AdminClient, topics: list[Topic]) -> None:
    """Set how messages are stamped from now on. Unlike every other setting of an existing topic,
    this one is changed: it affects no existing message, and loses none."""
    found = differences(client, topics)
    differing = [difference for difference in found if difference.what in named.STAMPED]
    changes = [
        ConfigResource(
            ResourceType.TOPIC,
            difference.topic,
            incremental_configs=[
                ConfigEntry(
                    difference.what,
                    difference.wanted,
                    incremental_operation=AlterConfigOpType.SET,
                )
            ],
        )
        for difference in differing
    ]
    if changes:
        requests = client.incremental_alter_configs(changes, request_timeout=SECONDS_MAX)
        for request in requests.values():
            request.result(SECONDS_MAX)


def was_made(request: Future[None]) -> bool:
    """Whether this call created the topic; false if another process was quicker."""
    try:
        request.result(SECONDS_MAX)
    except KafkaException as error:
        if error.args[0].code() == KafkaError.TOPIC_ALREADY_EXISTS:
            return False
        raise
    return True


def wait_until_led(client: AdminClient, names: Iterable[str]) -> None:
    """Wait for leaders: the controller creates a topic, and the broker learns of it later."""
    waiting, deadline = set(names), time.monotonic() + SECONDS_MAX
    while waiting and time.monotonic() < deadline:
        there = client.list_topics(timeout=SECONDS_MAX).topics
        waiting -= {name for name in waiting & set(there) if has_leaders(there[name])}
        if waiting:
            time.sleep(0.05)


def has_leaders(topic: TopicMetadata) -> bool:
    partitions = topic.partitions.values()
    return bool(partitions) and all(partition.leader >= 0 for partition in partitions)


def replicas_of(partitions: Collection[PartitionMetadata]) -> str:
    """The number of replicas of each partition; where they differ, all numbers."""
    counts = {len(partition.replicas) for partition in partitions}
    return " and ".join(map(str, sorted(counts))) or "0"


def differences(client: AdminClient, topics: list[Topic]) -> Iterable[Difference]:
    if not topics:
        return
    there = client.list_topics(timeout=SECONDS_MAX).topics
    resources = [ConfigResource(ResourceType.TOPIC, topic.name) for topic in topics]
    requests = client.describe_configs(resources, request_timeout=SECONDS_MAX)
    for topic, request in zip(topics, (requests[resource] for resource in resources), strict=True):
        entries = request.result(SECONDS_MAX)
        found = {name: entry.value for name, entry in entries.items()}
        wanted = {
            "partitions": str(topic.partitions),
            "replicas": str(topic.replicas),
            **topic.settings,
        }
        partitions = there[topic.name].partitions.values() if topic.name in there else ()
        found["partitions"] = str(len(partitions))
        found["replicas"] = replicas_of(partitions)
        for what, value in wanted.items():
            if found.get(what) != value:
                yield Difference(topic.name, what, value, str(found.get(what)))
