"""Make the topics that `wire.topics` names, and say where one is not as it is named."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (
    AdminClient,
    ConfigResource,
    NewTopic,
    ResourceType,
    TopicMetadata,
)

from wire import topics as named

SECONDS_MAX = 30.0
REPLICAS = -1  # as many as the brokers think right: one here, more in a cluster
LIMITS = {"operation_timeout": SECONDS_MAX, "request_timeout": SECONDS_MAX}


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    partitions: int
    configuration: Mapping[str, str]


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


def named_topics(prefix: str = "") -> list[Topic]:
    """All of ours; under a prefix, a set of their own."""
    return [
        Topic(prefix + name, named.PARTITIONS[name], named.configuration(name))
        for name in sorted(named.ALL)
    ]


def ensure_topics(client: AdminClient, wanted: Iterable[Topic]) -> Outcome:
    """Make what is missing, ready to be written to; touch nothing that is there."""
    topics = {topic.name: topic for topic in wanted}
    there = client.list_topics(timeout=SECONDS_MAX).topics
    missing = [
        NewTopic(topic.name, topic.partitions, REPLICAS, config=dict(topic.configuration))
        for topic in topics.values()
        if topic.name not in there
    ]
    requests = client.create_topics(missing, **LIMITS) if missing else {}
    made = tuple(name for name, request in sorted(requests.items()) if was_made(request))
    wait_until_led(client, made)
    found = tuple(sorted(set(topics) - set(made)))
    return Outcome(made, found, tuple(differences(client, [topics[name] for name in found])))


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


def differences(client: AdminClient, topics: list[Topic]) -> Iterable[Difference]:
    if not topics:
        return
    partitions = {
        name: str(len(topic.partitions))
        for name, topic in client.list_topics(timeout=SECONDS_MAX).topics.items()
    }
    resources = [ConfigResource(ResourceType.TOPIC, topic.name) for topic in topics]
    requests = client.describe_configs(resources, request_timeout=SECONDS_MAX)
    for topic, request in zip(topics, (requests[each] for each in resources), strict=True):
        entries = request.result(SECONDS_MAX)
        found = {name: entry.value for name, entry in entries.items()}
        wanted = {"partitions": str(topic.partitions), **topic.configuration}
        found["partitions"] = partitions.get(topic.name, "none")
        for what, value in wanted.items():
            if found.get(what) != value:
                yield Difference(topic.name, what, value, str(found.get(what)))
