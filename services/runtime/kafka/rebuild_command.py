"""The command line of `python -m SERVICE.kafka.rebuild`: settings, arguments, exit codes."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence

from confluent_kafka import KafkaException

from runtime.kafka.brokers import KafkaSettings
from runtime.kafka.group_reset import NotEmptied, StillRunning
from runtime.kafka.topic_reader import NoSuchTopic
from runtime.process import ExitCode
from runtime.settings import BadSettings, print_settings


class RebuildSettings(KafkaSettings):
    topic_prefix: str = ""
    """Prefix of the names of all topics and consumer groups."""


Rebuild = Callable[[RebuildSettings, Namespace], str]
"""Deletes what a service keeps in Kafka, and returns a sentence about the result."""


def run_rebuild(
    parser: ArgumentParser,
    rebuild: Rebuild,
    arguments: Sequence[str] | None = None,
    *,
    required: Sequence[str] = (),
) -> int:
    """Parse the arguments, run `rebuild`, print its result, and return the exit code.

    `required` are options without which nothing is rebuilt, unless the settings are listed.
    """
    parser.add_argument("--settings", action="store_true", help="list the variables and exit")
    parsed = parser.parse_args(arguments)
    if parsed.settings:
        print(print_settings(RebuildSettings))
        return 0
    missing = [f"--{name}" for name in required if not getattr(parsed, name)]
    if missing:
        parser.error(f"the following arguments are required: {', '.join(missing)}")
    try:
        print(rebuild(RebuildSettings.from_environment(), parsed))
    except BadSettings as error:
        print(f"rebuild: {error}", file=sys.stderr)
        return ExitCode.BAD_SETTINGS
    except (StillRunning, NotEmptied, KafkaException, NoSuchTopic) as error:
        print(f"rebuild: {error}", file=sys.stderr)
        return ExitCode.FAILED
    return 0
