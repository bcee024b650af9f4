"""Make the topics that `wire.topics` names, and say where one is not as it is named."""

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
        """How many replicas must have a message before its writer is told.

        All but one: a broker may be away and writing goes on, and what was acknowledged is on
        more than the leader wherever there are three. The broker's own default is one.
        """
        return max(self.replicas - 1, 1)

    @property
    def settings(self) -> dict[str, str]:
        """All that the brokers are told of it by name."""
        return {**self.configuration, "min.insync.replicas": str(self.acknowledging)}


@dataclass(frozen=True, slots=True)
class Difference:
    """A topic that is there, but not as it should be. It is for people to mend: it holds facts."""

    topic: str
    what: str
    wanted: str
    found: str

    def __str__(self) -> str:
        return f"{self.topic}: {self.what} is {self.found}, not {self.wanted}"


@dataclass(frozen=True, slots=True)
class Outcome:
    made: tuple[str, ...]
    found: tuple[str, ...]
    differences: tuple[Difference, ...]


def named_topics(prefix: str = "", *, replicas: int = 1) -> list[Topic]:
    """All of ours; under a prefix, a set of their own."""
    return [
        Topic(prefix + name, named.PARTITIONS[name], named.configuration(name), replicas)
        for name in sorted(named.ALL)
    ]


def ensure_topics(client: AdminClient, wanted: Iterable[Topic]) -> Outcome:
    """Make what is missing, ready to be written to; touch nothing that is there."""
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
    return Outcome(made, found, tuple(differences(client, [topics[name] for name in found])))


def stamp_by_broker(client: AdminClient, topics: list[Topic]) -> None:
    """Have messages stamped as wanted from now on. Unlike every other setting of a topic that is
    there, this one is changed: no message is touched by it, and none is lost."""
    differing = [each for each in differences(client, topics) if each.what in named.STAMPED]
    changes = [
        ConfigResource(
            ResourceType.TOPIC,
            each.topic,
            incremental_configs=[
                ConfigEntry(each.what, each.wanted, incremental_operation=AlterConfigOpType.SET)
            ],
        )
        for each in differing
    ]
    if changes:
        requests = client.incremental_alter_configs(changes, request_timeout=SECONDS_MAX)
        for request in requests.values():
            request.result(SECONDS_MAX)


def was_made(request: Future[None]) -> bool:
    """Not if somebody else was quicker."""
    try:
        request.result(SECONDS_MAX)
    except KafkaException as error:
        if error.args[0].code() == KafkaError.TOPIC_ALREADY_EXISTS:
            return False
        raise
    return True


def wait_until_led(client: AdminClient, names: Iterable[str]) -> None:
    """The controller makes a topic; the broker learns of it a moment later."""
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
    """How many each has; where they differ, each number there is."""
    return " and ".join(map(str, sorted({len(each.replicas) for each in partitions}))) or "0"


def differences(client: AdminClient, topics: list[Topic]) -> Iterable[Difference]:
    if not topics:
        return
    there = client.list_topics(timeout=SECONDS_MAX).topics
    resources = [ConfigResource(ResourceType.TOPIC, topic.name) for topic in topics]
    requests = client.describe_configs(resources, request_timeout=SECONDS_MAX)
    for topic, request in zip(topics, (requests[each] for each in resources), strict=True):
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
