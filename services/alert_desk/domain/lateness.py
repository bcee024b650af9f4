"""Whether a service is late: judged each time it is measured, without flapping.

Late is who is further behind than the threshold. Who is late stays so until it has been within
half of the threshold for a while: a reader that is just about as slow as what it reads crosses
the threshold again and again, and one alert is enough for that.
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
    """How far behind it is by now."""
    calm_since: int | None = None

    @property
    def is_late(self) -> bool:
        return self.since is not None


def judge(before: Lateness, seconds: float, *, at: int, threshold: float) -> Lateness:
    """What holds after it was found to be `seconds` behind at a moment."""
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
