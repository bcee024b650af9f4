"""What a gateway keeps of the log, forgotten: `python -m table_gateway.kafka.rebuild`.

For a log that was lost and whose loss is accepted. The last event of every table is learnt again
from the log that is there. Controllers find that it lacks events: they send those that they still
have, and declare the rest as a gap.

Gateways may run meanwhile: those that refuse the log go on by themselves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from confluent_kafka import KafkaException

from runtime.kafka.brokers import Bootstrap, KafkaSettings
from runtime.kafka.group_reset import NotEmptied, empty_topic
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.process import ExitCode
from runtime.settings import BadSettings, print_settings
from wire import topics

NAME = "table_gateway"


class RebuildSettings(KafkaSettings):
    topic_prefix: str = ""
    """Before the name of every topic: for several floors, or tests, on one Kafka."""


def rebuild(brokers: Bootstrap, prefix: str) -> int:
    """How many checkpoints of partitions were forgotten."""
    count = empty_topic(brokers, prefix + topics.TABLE_HEADS)
    # Last: a gateway that waits begins as soon as these are gone.
    MarkWriter(brokers, prefix + topics.READ_LOGS, NAME).forget()
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m table_gateway.kafka.rebuild",
        description="Forget the last event of every table, and which log that was. Gateways learn "
        "both again from the log that is there.",
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
    except (NotEmptied, KafkaException, NoSuchTopic) as error:
        print(f"rebuilding: {error}", file=sys.stderr)
        return ExitCode.FAILED
    print(f"{count} checkpoints forgotten: gateways read the log that is there from its beginning")
    return 0


if __name__ == "__main__":
    sys.exit(main())
