"""What is remembered of each subject: a Faust table whose store is never ahead of its changelog.

Faust writes a table's store at once and its changelog some time later, and commits an offset
after a flush that gives up when a broker is slow for a tenth of a second. After a crash the store
can then hold what the changelog never gets, or the offset can be past what the changelog has; the
next owner of the partition knows nothing of it. So a batch is written the other way round: the
changelog, committed, then the store as recovery itself would write it, then the offset. Of what
changes several times in a batch only the last is written; and only the owner of a partition can
write to it (`surveillance.kafka.fencing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import faust
from faust.types import TP

from runtime.kafka.records import Output
from surveillance.kafka.changelog import Record, apply
from surveillance.kafka.faust_app import STATES
from surveillance.kafka.fencing import Fences


class StateWrite(NamedTuple):
    """A new state, and the partition in which the sightings of its subject are."""

    partition: int
    state: bytes


class States:
    def __init__(self, app: faust.App, fences: Fences) -> None:
        table: Any = app.Table(STATES, key_type=bytes, value_type=bytes)
        self._table = table
        self._fences = fences
        self._changelog: str = table.changelog_topic_name

    def get(self, subject: bytes) -> bytes | None:
        found: bytes | None = self._table.data.get(subject)
        return found

    async def write(self, changes: Mapping[bytes, StateWrite]) -> None:
        """Of partitions that are ours; `Fenced` where they are not any more."""
        if not changes:
            return
        outputs: dict[int, list[Output]] = {}
        for subject, (partition, state) in changes.items():
            output = Output(self._changelog, state, subject, partition)
            outputs.setdefault(partition, []).append(output)
        written = await self._fences.write(outputs)
        for partition, some in outputs.items():
            records = [
                Record(output.key or b"", output.value, TP(topic, place), offset)
                for output, (topic, place, offset) in zip(some, written[partition], strict=True)
            ]
            apply(self._table.data, records)
