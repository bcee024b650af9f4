"""Everything that settlement keeps, forgotten: `python -m settlement.kafka.rebuild`.

For a log that was lost and whose loss is accepted. Tables are settled again from the beginning of
the log that is there; rounds that were settled before stay in their topics, and one that comes out
the same again is a repeat, which every reader ignores.

A worker that refuses the log may run meanwhile, and goes on by itself; one that reads may not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from runtime.kafka.brokers import Bootstrap, KafkaSettings, reaching
from runtime.kafka.group_reset import (
    NotEmptied,
    StillRunning,
    check_stopped,
    delete_groups,
    empty_topic,
)
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.process import ExitCode
from runtime.settings import BadSettings, print_settings
from wire import topics

NAME = "settlement"


class RebuildSettings(KafkaSettings):
    topic_prefix: str = ""
    """What the names of all topics, and of the consumer group, begin with."""


def rebuild(brokers: Bootstrap, prefix: str) -> int:
    """How many snapshots were forgotten; `StillRunning` before anything is changed."""
    client = AdminClient(reaching(brokers))
    groups = [prefix + NAME]
    check_stopped(client, groups)
    delete_groups(client, groups)
    count = empty_topic(brokers, prefix + topics.TABLE_SNAPSHOTS)
    # Last: a worker that waits begins as soon as these are gone.
    MarkWriter(brokers, prefix + topics.READ_LOGS, NAME).forget()
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m settlement.kafka.rebuild",
        description="Forget the state of every table, how far its events are settled, and which "
        "log that was. Workers settle the log that is there from its beginning.",
    )
    parser.add_argument("--settings", action="store_true", help="list the variables and exit")
    if parser.parse_args(arguments).settings:
        print(print_settings(RebuildSettings))
        return 0
    try:
        settings = RebuildSettings.from_environment()
        count = rebuild(settings.brokers, settings.topic_prefix)
    except BadSettings as bad:
        print(f"rebuilding: {bad}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (StillRunning, NotEmptied, KafkaException, NoSuchTopic) as error:
        print(f"rebuilding: {error}", file=sys.stderr)
        return ExitCode.FAILED
    print(f"{count} snapshots forgotten: settlement begins again with the log that is there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
