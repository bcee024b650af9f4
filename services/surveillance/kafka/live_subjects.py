"""Subjects that were watched lately, decoded: a state is read again only when it has changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from surveillance.domain.detection import LiveSubject, SubjectState

BYTES_MAX: Final = 32 * 1024 * 1024
"""Of the stored states whose subjects are kept decoded."""
_DECODE: Final = msgspec.msgpack.Decoder(SubjectState).decode


class _Kept(NamedTuple):
    live: LiveSubject
    stored: bytes | None
    """The state that the subject was made from, or is stored as."""


class LiveSubjects:
    """`read` returns the stored state of a subject; what is kept holds only while it is the same,
    since partitions come and go."""

    def __init__(
        self, read: Callable[[bytes], bytes | None], *, bytes_max: int = BYTES_MAX
    ) -> None:
        self._read = read
        self._bytes_max = bytes_max
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._bytes = 0

    def get(self, subject: bytes) -> LiveSubject:
        """As it was stored last. Raises what the decoder raises."""
        stored = self._read(subject)
        kept = self._kept.get(subject)
        if kept is not None and kept.stored == stored:
            self._kept.move_to_end(subject)
            return kept.live
        self.forget(subject)
        return LiveSubject(subject.decode(), None if stored is None else _DECODE(stored))

    def keep(self, subject: bytes, live: LiveSubject, stored: bytes) -> None:
        """A subject whose state is stored; those not watched for longest make room."""
        self.forget(subject)
        self._kept[subject] = _Kept(live, stored)
        self._bytes += len(stored)
        while self._bytes > self._bytes_max:
            self.forget(next(iter(self._kept)))

    def forget(self, subject: bytes) -> None:
        kept = self._kept.pop(subject, None)
        if kept is not None and kept.stored is not None:
            self._bytes -= len(kept.stored)
