"""How long to wait before the next try: longer each time, and never in step with others."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(slots=True)
class Backoff:
    """Full jitter: after a power cut a whole floor comes back, but not all at the same moment."""

    random: Random
    first_seconds: float = 0.1
    seconds_max: float = 5.0
    tries: int = 0

    def next_seconds(self) -> float:
        """Anything up to twice the bound of the time before."""
        bound = min(self.first_seconds * 2.0 ** min(self.tries, 30), self.seconds_max)
        self.tries += 1
        return self.random.uniform(0, bound)

    def reset(self) -> None:
        self.tries = 0
