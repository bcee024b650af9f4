"""Places in a log: a partition, a position in it, and a stretch that was read."""

from __future__ import annotations

from typing import NamedTuple


class Partition(NamedTuple):
    topic: str
    partition: int


class Position(NamedTuple):
    """The next message to be read of a partition is the one at `offset`, or the first after."""

    topic: str
    partition: int
    offset: int

    @property
    def place(self) -> Partition:
        return Partition(self.topic, self.partition)


class OffsetRange(NamedTuple):
    """The messages of a partition from `begin` up to, and without, `end`."""

    topic: str
    partition: int
    begin: int
    end: int
