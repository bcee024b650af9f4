"""How long events waited at their controller: the controller's claim, where it can be true.

A controller that was cut off sends the events that it kept, and states with each batch how long
each event has been there, so that a network outage is not mistaken for a wrong clock. A claim
could also hide a wrong clock. But a controller numbers events as they arrive at it: none arrived
before the one with the number before it did, and the gateway knows that of the events that it
accepted. A claim that contradicts this is not passed on, and the clock is judged as if there were
no claim.
"""

from __future__ import annotations

from typing import Final

SLACK_US: Final = 500_000
"""Two times of receipt differ by as much for other reasons: no clock is judged more finely."""


def credible_wait_us(claimed_us: int, *, received_at: int, arrived_at: int) -> int:
    """The wait that can be true, 0 for none.

    `arrived_at` is when the event before arrived at the controller, by the gateway's clock; 0
    where that is not known.

    >>> (
    ...     credible_wait_us(600, received_at=10_000, arrived_at=9_000),
    ...     credible_wait_us(-1, received_at=9, arrived_at=0),
    ... )
    (600, 0)
    >>> credible_wait_us(600_000_000, received_at=900_000_000, arrived_at=899_000_000)
    0
    """
    earliest = max(arrived_at - SLACK_US, 1)
    return claimed_us if claimed_us > 0 and received_at - claimed_us >= earliest else 0
