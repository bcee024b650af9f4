"""Delete all state of surveillance: `python -m surveillance.kafka.rebuild`.

While no worker runs. The offsets go back to the beginning and then the states are emptied; a
worker that starts reads the topics from their beginning and publishes the same alerts, with the
next generation. Which logs were read is deleted last: those that are there are accepted. The
command may be interrupted and run again: states that are still there skip what they have seen.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from uuid import uuid4

from confluent_kafka import ConsumerGroupTopicPartitions, TopicPartition
from confluent_kafka.admin import AdminClient

from casino.surveillance.v1.settings_pb2 import SettingChange, SurveillanceMadeAnew
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Brokers, reaching
from runtime.kafka.group_reset import (
    SECONDS_MAX,
    check_stopped,
    delete_groups,
    empty_topic,
    write,
)
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.rebuild_command import RebuildSettings, run_rebuild
from runtime.kafka.records import Output
from surveillance.kafka.faust_app import GROUP, SIEVE
from wire import topics
from wire.vocabulary import write_time


def rebuild(settings: RebuildSettings, arguments: Namespace) -> str:
    """Delete states, positions and topic ids; `StillRunning` before anything is changed."""
    brokers, prefix = settings.brokers, settings.topic_prefix
    client = AdminClient(reaching(brokers))
    groups = [prefix + GROUP, f"{prefix}{GROUP}-{SIEVE}"]
    check_stopped(client, groups)
    change = SettingChange(
        change_id=str(uuid4()),
        recorded_at=write_time(time.time_ns() // 1_000),
        author=arguments.author,
        reason=arguments.reason,
        made_anew=SurveillanceMadeAnew(),
    )
    changes = prefix + topics.SURVEILLANCE_SETTINGS
    write(brokers, [Output(changes, change.SerializeToString(), b"made_anew")])
    delete_groups(client, groups)
    _skip(client, groups[0], brokers, prefix + topics.SURVEILLANCE_SIGHTINGS)
    count = empty_topic(brokers, prefix + topics.SURVEILLANCE_STATES)
    # Last: from here on workers take the logs that are there for those they have read.
    MarkWriter(brokers, prefix + topics.READ_LOGS, GROUP).forget()
    return f"{count} states deleted: start the workers"


def _skip(client: AdminClient, group: str, brokers: Brokers, topic: str) -> None:
    """Skip the sightings that exist: they are routed again from the topics."""
    ends = [
        TopicPartition(topic, unread.partition, unread.end)
        for unread in topic_reader.whole(brokers, topic)
    ]
    requests = client.alter_consumer_group_offsets(
        [ConsumerGroupTopicPartitions(group, ends)], request_timeout=SECONDS_MAX
    )
    for request in requests.values():
        request.result(SECONDS_MAX)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m surveillance.kafka.rebuild",
        description="Delete all state of surveillance. Workers, which must be stopped, rebuild it "
        "from the topics when they start, and publish the same alerts again.",
    )
    parser.add_argument("--author", help="your name, for the record")
    parser.add_argument("--reason", help="the reason, for the record")
    return run_rebuild(parser, rebuild, arguments, required=("author", "reason"))


if __name__ == "__main__":
    sys.exit(main())
