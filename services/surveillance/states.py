"""What is remembered of each subject: a Faust table whose store is never ahead of its changelog.

Faust writes a table's store at once and its changelog some time later, and commits an offset
after a flush that gives up when a broker is slow for a tenth of a second. After a crash the store
can then hold what the changelog never gets, or the offset can be past what the changelog has; the
next owner of the partition knows nothing of it. So a batch is written the other way round: the
changelog, committed, then the store as recovery itself would write it, then the offset. Of what
changes several times in a batch only the last is written; and only the owner of a partition can
write to it (`surveillance.fencing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import faust
from faust.types import TP

from runtime.kafka.partitioning import partition_of
from runtime.kafka.records import Output
from surveillance.fencing import Fences
from surveillance.streams import STATES
from wire import topics


class Change(NamedTuple):
    """A new state, and the partition in which the sightings of its subject are."""

    partition: int
    state: bytes


class States:
    def __init__(self, app: faust.App, fences: Fences) -> None:
        table: Any = app.Table(STATES, key_type=bytes, value_type=bytes)
        restore = table.apply_changelog_batch
        table.apply_changelog_batch = lambda batch: restore(
            [each for each in batch if _is_in_place(each.message)]
        )
        self._table = table
        self._fences = fences
        self._changelog: str = table.changelog_topic_name

    def get(self, subject: bytes) -> bytes | None:
        found: bytes | None = self._table.data.get(subject)
        return found

    async def write(self, changes: Mapping[bytes, Change]) -> None:
        """Of partitions that are ours; `Fenced` where they are not any more."""
        if not changes:
            return
        outputs: dict[int, list[Output]] = {}
        for subject, (partition, state) in changes.items():
            output = Output(self._changelog, state, subject, partition)
            outputs.setdefault(partition, []).append(output)
        written = await self._fences.write(outputs)
        self._table.data.apply_changelog_batch(
            [
                _Written(_Record(output.key or b"", output.value or b"", TP(topic, place), offset))
                for partition, some in outputs.items()
                for output, (topic, place, offset) in zip(some, written[partition], strict=True)
            ],
            to_key=bytes,
            to_value=bytes,
        )


def _is_in_place(message: Any) -> bool:
    """Whether a message of the changelog is in the partition of its subject: a copy elsewhere is
    nobody's state, and could be an older one."""
    partitions = topics.PARTITIONS[topics.SURVEILLANCE_STATES]
    return bool(message.key) and partition_of(message.key, partitions) == message.partition


@dataclass(frozen=True, slots=True)
class _Record:
    """A message of the changelog, as a store looks at it."""

    key: bytes
    value: bytes
    tp: TP
    offset: int

    @property
    def partition(self) -> int:
        return self.tp.partition


@dataclass(frozen=True, slots=True)
class _Written:
    message: _Record

    @property
    def key(self) -> bytes:
        return self.message.key

    @property
    def value(self) -> bytes:
        return self.message.value
