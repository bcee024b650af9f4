"""Sightings on their way to whom they are about: the messages of `surveillance-sightings`.

A message is all that one batch tells the subjects of one partition: to bring a message to its agent
costs several times as much as to watch what it holds, and a round alone is about seven subjects.
Its key is the first of them. Each sighting has the trace of the message that it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Output
from surveillance.domain.sightings import SourcedSighting
from wire import topics
from wire.errors import Misplaced, NotARecord

MESSAGE_SIGHTINGS_MAX: Final = 50
"""A worker that is to stop waits for all of them, and others of its tasks do."""


class Sighted(Struct, frozen=True, array_like=True):
    placed: SourcedSighting
    trace: str = ""
    """The `traceparent` that came along."""


_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(list[Sighted]).decode


def messages(topic: str, sighted: Iterable[Sighted]) -> Iterator[Output]:
    """As few as there can be, in order for each subject."""
    by_partition: dict[int, list[Sighted]] = {}
    for each in sighted:
        by_partition.setdefault(_partition(each.placed.seen.subject), []).append(each)
    for partition, all_of_it in by_partition.items():
        for begin in range(0, len(all_of_it), MESSAGE_SIGHTINGS_MAX):
            some = all_of_it[begin : begin + MESSAGE_SIGHTINGS_MAX]
            yield Output(topic, _ENCODE(some), some[0].placed.seen.subject.encode(), partition)


@lru_cache(maxsize=100_000)
def _partition(subject: str) -> int:
    return partition_of(subject.encode(), topics.PARTITIONS[topics.SURVEILLANCE_SIGHTINGS])


def decode(value: bytes, partition: int) -> Sequence[Sighted]:
    """The sightings of a message, all of subjects of its partition. Raises `NotARecord`, and
    `Misplaced` for a copy: the states of its subjects are elsewhere."""
    try:
        sighted = _DECODE(value)
        homes = {_partition(each.placed.seen.subject) for each in sighted}
    except Exception as error:  # the library raises more than its own errors: of text, of depth
        raise NotARecord(f"the bytes are no sightings: {error!r}") from None
    for home in homes - {partition}:
        raise Misplaced(partition, home)
    return sighted
