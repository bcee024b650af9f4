"""The frames to send, and when: a day at its own speed, faster, or as fast as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Protocol

from table_simulator.days.event_chain import Frame

AS_FAST_AS_POSSIBLE = 0.0


@dataclass(frozen=True, slots=True)
class DueFrame:
    """A frame, and when it is sent: seconds after the first one of the feed."""

    seconds: float
    frame: Frame


class Feed(Protocol):
    """Frames in the order in which they are sent; those of one stream in the order of its numbers.

    A sender takes the next frame when the last is sent, waits until it is due by its own clock
    (`due.seconds` after it began), and sends it by `frame.stream`. A feed can be iterated again,
    with the same result.
    """

    def __iter__(self) -> Iterator[DueFrame]: ...


@dataclass(frozen=True, slots=True)
class PacedFeed:
    """Frames by the clock of the day, `speed` times as fast; 0 is as fast as possible."""

    frames: tuple[Frame, ...]
    speed: float = 1.0

    def __iter__(self) -> Iterator[DueFrame]:
        if not self.frames:
            return
        begin = latest = self.frames[0].ingested_at
        for frame in self.frames:
            latest = max(latest, frame.ingested_at)
            elapsed = (latest - begin) / 1_000_000
            yield DueFrame(elapsed / self.speed if self.speed else 0.0, frame)


def in_order(streams: Iterable[Iterable[Frame]]) -> Iterator[Frame]:
    """All streams by their ingest times, each in its own order: a late frame stays late."""
    timed = (_timed(stream) for stream in streams)
    for _, frame in merge(*timed, key=lambda each: (each[0], each[1].stream)):
        yield frame


def _timed(stream: Iterable[Frame]) -> Iterator[tuple[int, Frame]]:
    latest = 0
    for frame in stream:
        latest = max(latest, frame.ingested_at)
        yield latest, frame
