"""Sightings on their way to whom they are about: the messages of `surveillance-sightings`.

A message is all that one batch tells one subject, so that catching up takes few messages. Each
sighting has the trace of the message that it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from runtime.kafka.records import Output
from surveillance.domain.sightings import Placed
from wire.errors import NotARecord

MESSAGE_SIGHTINGS_MAX: Final = 50
"""A state is written once for all of them, and a worker that is to stop waits for all of them."""


class Sighted(Struct, frozen=True, array_like=True):
    placed: Placed
    trace: str = ""
    """The `traceparent` that came along."""


_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(list[Sighted]).decode


def messages(topic: str, sighted: Iterable[Sighted]) -> Iterator[Output]:
    """As few as there can be, in order for each subject."""
    by_subject: dict[str, list[Sighted]] = {}
    for each in sighted:
        by_subject.setdefault(each.placed.seen.subject, []).append(each)
    for subject, all_of_it in by_subject.items():
        for begin in range(0, len(all_of_it), MESSAGE_SIGHTINGS_MAX):
            some = all_of_it[begin : begin + MESSAGE_SIGHTINGS_MAX]
            yield Output(topic, _ENCODE(some), subject.encode())


def decode(value: bytes) -> Sequence[Sighted]:
    try:
        return _DECODE(value)
    except msgspec.MsgspecError as error:
        raise NotARecord(f"the bytes are no sightings: {error}") from None
