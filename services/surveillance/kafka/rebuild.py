"""Everything that surveillance knows, made anew: `python -m surveillance.kafka.rebuild`.

While no worker runs. The offsets go back to the beginning and then the states are emptied; a
worker that starts reads all that was ever said and tells the same alerts, with the next
generation. Which logs were read is forgotten last: those that are there are accepted. The command
may be broken off and run again: states that are still there skip what they have seen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from uuid import uuid4

from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient

from casino.surveillance.v1.settings_pb2 import SettingChange, SurveillanceMadeAnew
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Brokers, KafkaSettings, reaching
from runtime.kafka.group_reset import (
    SECONDS_MAX,
    NotEmptied,
    StillRunning,
    check_stopped,
    delete_groups,
    empty_topic,
    write,
)
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.records import Output
from runtime.process import ExitCode
from runtime.settings import BadSettings, print_settings
from surveillance.kafka.faust_app import GROUP, SIEVE
from wire import topics
from wire.vocabulary import write_time


class RebuildSettings(KafkaSettings):
    topic_prefix: str = ""
    """What the names of all topics, and of the consumer groups, begin with."""


def rebuild(brokers: Brokers, prefix: str, *, author: str, reason: str, at: int) -> int:
    """How many states were emptied; `StillRunning` before anything is changed."""
    client = AdminClient(reaching(brokers))
    groups = [prefix + GROUP, f"{prefix}{GROUP}-{SIEVE}"]
    check_stopped(client, groups)
    change = SettingChange(
        change_id=str(uuid4()),
        recorded_at=write_time(at),
        author=author,
        reason=reason,
        made_anew=SurveillanceMadeAnew(),
    )
    settings = prefix + topics.SURVEILLANCE_SETTINGS
    write(brokers, [Output(settings, change.SerializeToString(), b"made_anew")])
    delete_groups(client, groups)
    _skip(client, groups[0], brokers, prefix + topics.SURVEILLANCE_SIGHTINGS)
    count = empty_topic(brokers, prefix + topics.SURVEILLANCE_STATES)
    # Last: from here on workers take the logs that are there for those they have read.
    MarkWriter(brokers, prefix + topics.READ_LOGS, GROUP).forget()
    return count


def _skip(client: AdminClient, group: str, brokers: Brokers, topic: str) -> None:
    """What was sorted before is sorted anew."""
    ends = [
        TopicPartition(topic, each.partition, each.end)
        for each in topic_reader.whole(brokers, topic)
    ]
    asked = client.alter_consumer_group_offsets(
        [ConsumerGroupTopicPartitions(group, ends)], request_timeout=SECONDS_MAX
    )
    for answer in asked.values():
        answer.result(SECONDS_MAX)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m surveillance.kafka.rebuild",
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
    except (StillRunning, NotEmptied, KafkaException, topic_reader.NoSuchTopic) as error:
        print(f"rebuilding: {error}", file=sys.stderr)
        return ExitCode.FAILED
    print(f"{count} states forgotten: start the workers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
