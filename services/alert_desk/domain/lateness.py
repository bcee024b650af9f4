"""Whether a service is late, decided at each measurement of its lag, without flapping.

A service is late when its lag is above the threshold, and stays late until the lag has been within
half of the threshold for a while: a reader that is just about as fast as its topic crosses the
threshold again and again, and one alert is enough for that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

CALM_US: Final = 10_000_000
"""How long it must have caught up before it is not late any more."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """`since` is None while the service is not late. Times are microseconds since 1970."""

    since: int | None = None
    seconds: float = 0.0
    """The current lag."""
    calm_since: int | None = None

    @property
    def is_late(self) -> bool:
        return self.since is not None


def judge(before: Lateness, seconds: float, *, at: int, threshold: float) -> Lateness:
    """The lateness after a lag of `seconds` was measured at a moment."""
    if not before.is_late:
        if seconds > threshold:
            return Lateness(at, seconds)
        return Lateness(seconds=seconds)
    after = replace(before, seconds=seconds, calm_since=None)
    if seconds > threshold / 2:
        return after
    calm_since = at if before.calm_since is None else before.calm_since
    if at - calm_since >= CALM_US:
        return Lateness(seconds=seconds)
    return replace(after, calm_since=calm_since)
