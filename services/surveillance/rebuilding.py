"""Everything that surveillance knows, made anew: `python -m surveillance.rebuilding`.

While no worker runs. The offsets go back to the beginning and then the states are emptied; a
worker that starts reads all that was ever said and tells the same alerts, with the next
generation. The command may be broken off and run again: states that are still there skip what
they have seen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Final
from uuid import uuid4

from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient

from casino.surveillance.v1.settings_pb2 import SettingChange, SurveillanceMadeAnew
from runtime.kafka import reading
from runtime.kafka.brokers import Brokers, KafkaSettings, reaching
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.errors import error_of
from runtime.kafka.records import Output, place_of
from runtime.process import ExitCode
from runtime.settings import BadSettings, print_settings
from surveillance.streams import GROUP, SIEVE
from wire import topics
from wire.vocabulary import write_time

SECONDS_MAX: Final = 30.0


class RebuildSettings(KafkaSettings):
    topic_prefix: str = ""
    """What the names of all topics, and of the consumer groups, begin with."""


class StillRunning(Exception):
    """A worker would write old states over the new ones."""

    def __init__(self, group: str, members: int) -> None:
        self.group = group
        super().__init__(f"{members} workers of {group} are running: stop them first")


class NotEmptied(Exception):
    """Not all of it was taken by the brokers: run the command again."""


def rebuild(brokers: Brokers, prefix: str, *, author: str, reason: str, at: int) -> int:
    """How many states were emptied; `StillRunning` before anything is changed."""
    client = AdminClient(reaching(brokers))
    groups = [prefix + GROUP, f"{prefix}{GROUP}-{SIEVE}"]
    _check_nobody_works(client, groups)
    change = SettingChange(
        change_id=str(uuid4()),
        recorded_at=write_time(at),
        author=author,
        reason=reason,
        made_anew=SurveillanceMadeAnew(),
    )
    settings = prefix + topics.SURVEILLANCE_SETTINGS
    _write(brokers, [Output(settings, change.SerializeToString(), b"made_anew")])
    _begin_again(client, groups)
    _skip(client, groups[0], brokers, prefix + topics.SURVEILLANCE_SIGHTINGS)
    return _forget(brokers, prefix + topics.SURVEILLANCE_STATES)


def _check_nobody_works(client: AdminClient, groups: Sequence[str]) -> None:
    asked = client.describe_consumer_groups(list(groups), request_timeout=SECONDS_MAX)
    for group, answer in asked.items():
        try:
            members = len(answer.result(SECONDS_MAX).members)
        except KafkaException as failed:
            if error_of(failed).code() != KafkaError.GROUP_ID_NOT_FOUND:
                raise
            continue
        if members:
            raise StillRunning(group, members)


def _begin_again(client: AdminClient, groups: Sequence[str]) -> None:
    deleted = client.delete_consumer_groups(list(groups), request_timeout=SECONDS_MAX)
    for answer in deleted.values():
        try:
            answer.result(SECONDS_MAX)
        except KafkaException as failed:
            if error_of(failed).code() != KafkaError.GROUP_ID_NOT_FOUND:
                raise


def _skip(client: AdminClient, group: str, brokers: Brokers, topic: str) -> None:
    """What was sorted before is sorted anew."""
    ends = [
        TopicPartition(topic, each.partition, each.end) for each in reading.whole(brokers, topic)
    ]
    asked = client.alter_consumer_group_offsets(
        [ConsumerGroupTopicPartitions(group, ends)], request_timeout=SECONDS_MAX
    )
    for answer in asked.values():
        answer.result(SECONDS_MAX)


def _forget(brokers: Brokers, changelog: str) -> int:
    left: dict[bytes, int] = {}
    for message in reading.read(brokers, reading.whole(brokers, changelog)):
        key = message.key()
        if not isinstance(key, bytes):
            continue
        if message.value() is None:
            left.pop(key, None)
        else:
            left[key] = place_of(message).partition
    _write(brokers, (Output(changelog, None, key, where) for key, where in left.items()))
    return len(left)


def _write(brokers: Brokers, outputs: Iterable[Output]) -> None:
    producer = make_producer(producer_configuration(brokers))
    failed: list[KafkaError] = []
    for topic, value, key, partition, _ in outputs:
        producer.produce(
            topic,
            value,
            key,
            partition,
            on_delivery=lambda error, _: failed.append(error) if error else None,
        )
        producer.poll(0)
    if producer.flush(SECONDS_MAX) or failed:
        raise NotEmptied("; ".join(each.str() for each in failed) or "the brokers do not answer")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m surveillance.rebuilding",
        description="Forget all that surveillance knows. Workers, which must be stopped, make it "
        "anew from the topics when they start, and tell the same alerts again.",
    )
    parser.add_argument("--author", help="who wants it; it is recorded")
    parser.add_argument("--reason", help="why; it is recorded")
    parser.add_argument("--settings", action="store_true", help="list the variables, and end")
    asked = parser.parse_args(arguments)
    if asked.settings:
        print(print_settings(RebuildSettings))
        return 0
    if not (asked.author and asked.reason):
        parser.error("--author and --reason are needed")
    try:
        told = RebuildSettings.from_environment()
        now = time.time_ns() // 1_000
        count = rebuild(
            told.brokers, told.topic_prefix, author=asked.author, reason=asked.reason, at=now
        )
    except BadSettings as bad:
        print(f"rebuilding: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (StillRunning, NotEmptied, KafkaException, reading.NoSuchTopic) as error:
        print(f"rebuilding: {error}", file=sys.stderr)
        return ExitCode.FAILED
    print(f"{count} states forgotten: start the workers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
