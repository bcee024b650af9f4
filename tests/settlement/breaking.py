"""Settlement with an engine that cannot fold one event: `python -m tests.settlement.breaking`.

`BREAKS` names it as `<table>:<number>`; everything else is the service as it is.
"""

from __future__ import annotations

import os

import settlement.domain.partition_tables
from blackjack.facts import Event
from blackjack.outcomes import Step
from blackjack.play.table import Table, fold
from runtime.service import run_service
from settlement.__main__ import KAFKA, main
from settlement.config import Settings

TABLE, _, SEQ = os.environ["BREAKS"].partition(":") if "BREAKS" in os.environ else ("", "", "0")


def breaking_fold(held: Table, events: list[Event]) -> tuple[Table, list[Step]]:
    if any(event.table == TABLE and event.seq == int(SEQ) for event in events):
        raise ZeroDivisionError("a fault")
    return fold(held, events)


if __name__ == "__main__":
    vars(settlement.domain.partition_tables)["fold"] = breaking_fold
    run_service("settlement", Settings, main, conditions=[KAFKA])
