"""Delete all state of settlement: `python -m settlement.kafka.rebuild`.

For a log that was lost and whose loss is accepted. Tables are settled again from the beginning of
the log that is there; rounds that were settled before stay in their topics, and one that comes out
the same again is a repeat, which every reader ignores.

A worker that rejects the log may run meanwhile, and resumes by itself; one that reads may not.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from confluent_kafka.admin import AdminClient

from runtime.kafka.brokers import reaching
from runtime.kafka.group_reset import check_stopped, delete_groups, empty_topic
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.rebuild_command import RebuildSettings, run_rebuild
from wire import topics

NAME: Final = "settlement"


def rebuild(settings: RebuildSettings, _: Namespace) -> str:
    """Delete snapshots, positions and topic ids; `StillRunning` before anything is changed."""
    brokers, prefix = settings.brokers, settings.topic_prefix
    client = AdminClient(reaching(brokers))
    groups = [prefix + NAME]
    check_stopped(client, groups)
    delete_groups(client, groups)
    count = empty_topic(brokers, prefix + topics.TABLE_SNAPSHOTS)
    # Last: a worker that waits begins as soon as these are gone.
    MarkWriter(brokers, prefix + topics.READ_LOGS, NAME).forget()
    return f"{count} snapshots deleted: settlement begins again with the log that is there"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m settlement.kafka.rebuild",
        description="Delete the state of every table, the positions in table-events, and the ids "
        "of the topics that were read. Workers settle the log that is there from its beginning.",
    )
    return run_rebuild(parser, rebuild, arguments)


if __name__ == "__main__":
    sys.exit(main())
