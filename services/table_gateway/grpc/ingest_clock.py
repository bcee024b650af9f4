"""When events are received: by the gateway's clock, or in a simulation as the sender says.

A simulated day passes in seconds. The times of its devices are then far from the gateway's
clock, which would find every one of them wrong. A gateway that was started for simulations
takes the times of receipt from the sender, who is the clock of that day
(docs/decisions/0016-simulated-time.md); any other refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from table_gateway.grpc.errors import BadTimes, NoSimulation
from wire import headers

TIME_MAX: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999, where timestamps end."""


class Clock:
    """`now` gives microseconds since 1970."""

    def __init__(self, now: Callable[[], int], *, simulated: bool = False) -> None:
        self._now = now
        self._simulated = simulated

    def times(self, count: int, said: Sequence[int] = ()) -> list[bytes]:
        """When so many events that came together were received, each as a header says it."""
        if not said:
            return [headers.write_ingested_at(self._now())] * count
        if not self._simulated:
            raise NoSimulation
        if len(said) != count:
            raise BadTimes(f"{len(said)} for {count} events")
        for at in said:
            if not 0 < at <= TIME_MAX:
                raise BadTimes(f"{at} is no time")
        return [headers.write_ingested_at(at) for at in said]
