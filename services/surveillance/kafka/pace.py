"""Topics that are caught up on are read side by side: none runs far ahead of the others.

Detectors forget by the time of events. If all events of a week were read before its first round,
what a round needs would be forgotten when it comes. So whoever is hours ahead waits for those that
are behind and come on; who stands at the end of its topic comes on no more, and holds up nobody.
Times are those of the messages, which no device can set.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final

APART_SECONDS_MAX: Final = 6 * 3600.0
STILL_SECONDS: Final = 5.0
"""Who has made no progress for so long is at its end, or cannot come on."""
WAIT_SECONDS_MAX: Final = 60.0
LOOK_SECONDS: Final = 0.1


class Pace:
    """How far each source is. Shared by agents and the thread of the sieve."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._reached: dict[str, tuple[float, float]] = {}
        """The time of the last message of a source, and when that was read."""

    def must_wait(self, source: str, at: float) -> bool:
        """Whether a message of that time is too far ahead; if not, the source has come to it."""
        now = self._clock()
        with self._lock:
            for other, (reached, moved_at) in self._reached.items():
                behind = at - reached > APART_SECONDS_MAX
                if other != source and behind and now - moved_at < STILL_SECONDS:
                    return True
            self._reached[source] = (at, now)
            return False

    async def keep(self, source: str, at: float) -> None:
        """In an agent: waits for its turn."""
        until = self._clock() + WAIT_SECONDS_MAX
        while self.must_wait(source, at) and self._clock() < until:
            await asyncio.sleep(LOOK_SECONDS)

    def keep_in_thread(self, source: str, at: float) -> None:
        until = self._clock() + WAIT_SECONDS_MAX
        while self.must_wait(source, at) and self._clock() < until:
            time.sleep(LOOK_SECONDS)
