"""How long events waited at their controller: what it says, as far as that can be true.

A controller that was cut off sends what it kept, and says with each sending how long each event
has been there, so that nobody takes a network that was down for a clock that is wrong. Who
claims to have waited could also hide such a clock. But a controller gives out numbers as events
come to it: none came before the one with the number before it did, and that is known here of
what was taken before. A claim that says otherwise is not passed on, and the clock is judged as
if nothing had been said.
"""

from __future__ import annotations

from typing import Final

SLACK_US: Final = 500_000
"""Two times of receipt differ by as much for other reasons: no clock is judged more finely."""


def believed_us(claimed_us: int, *, received_at: int, came_at: int) -> int:
    """The wait that is believed, 0 for none.

    `came_at` is when the event before came to the controller, by the gateway's clock; 0 where
    that is not known.

    >>> (
    ...     believed_us(600, received_at=10_000, came_at=9_000),
    ...     believed_us(-1, received_at=9, came_at=0),
    ... )
    (600, 0)
    >>> believed_us(600_000_000, received_at=900_000_000, came_at=899_000_000)
    0
    """
    earliest = max(came_at - SLACK_US, 1)
    return claimed_us if claimed_us > 0 and received_at - claimed_us >= earliest else 0
