"""When events are received: by the gateway's clock, or in a simulation by the sender's.

A simulated day passes in seconds. The times of its devices are then far from the gateway's
clock, which would report a wrong clock for every one of them. A gateway that was started for
simulations takes the times of receipt from the sender, which is the clock of that day
(docs/decisions/0016-simulated-time.md); any other rejects them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from table_gateway.grpc.errors import InvalidIngestTimes, SimulationDisabled
from wire import headers

TIME_MAX: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999, where timestamps end."""


class IngestClock:
    """`now` returns microseconds since 1970."""

    def __init__(self, now: Callable[[], int], *, simulated: bool = False) -> None:
        self._now = now
        self._simulated = simulated

    def times(self, count: int, simulated: Sequence[int] = ()) -> list[bytes]:
        """The times of receipt of the events of one batch, each as the value of its header."""
        if not simulated:
            return [headers.write_ingested_at(self._now())] * count
        if not self._simulated:
            raise SimulationDisabled
        if len(simulated) != count:
            raise InvalidIngestTimes(f"{len(simulated)} times for {count} events")
        for at in simulated:
            if not 0 < at <= TIME_MAX:
                raise InvalidIngestTimes(f"{at} is not a time in microseconds since 1970")
        return [headers.write_ingested_at(at) for at in simulated]
