"""Delete a gateway's checkpoints: `python -m table_gateway.kafka.rebuild`.

For a log that was lost and whose loss is accepted. Gateways read the last event of every table
again, from the log that is there. Controllers find that it is missing events: they send those that
they still have, and declare the rest as a gap.

Gateways may run meanwhile: those that reject the log resume by themselves.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from runtime.kafka.group_reset import empty_topic
from runtime.kafka.log_marks import MarkWriter
from runtime.kafka.rebuild_command import RebuildSettings, run_rebuild
from wire import topics

NAME: Final = "table_gateway"


def rebuild(settings: RebuildSettings, _: Namespace) -> str:
    """Delete the checkpoints of all partitions, and the ids of the topics that were read."""
    brokers, prefix = settings.brokers, settings.topic_prefix
    count = empty_topic(brokers, prefix + topics.TABLE_HEADS)
    # Last: a gateway that waits begins as soon as these are gone.
    MarkWriter(brokers, prefix + topics.READ_LOGS, NAME).forget()
    return f"{count} checkpoints deleted: gateways read the log that is there from its beginning"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m table_gateway.kafka.rebuild",
        description="Delete the checkpoints of all tables and the ids of the topics that were "
        "read. Gateways read both again from the log that is there.",
    )
    return run_rebuild(parser, rebuild, arguments)


if __name__ == "__main__":
    sys.exit(main())
