"""Whoever waits is told for what: at once where that is known, else after a few seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from pitctl.output.progress import meter

PATIENCE_SECONDS: Final = 3.0
"""What is there answers sooner."""
STUCK_SECONDS: Final = 10.0
"""Work that has not moved for so long waits for something itself."""
LOOK: Final = "`make status` says how the stack stands"


@contextmanager
def telling_wait(what: str) -> Iterator[None]:
    """One line on standard error if it takes long."""

    def tell() -> None:
        print(f"pitctl: waiting for {what}; {LOOK}", file=sys.stderr, flush=True)

    telling = threading.Timer(PATIENCE_SECONDS, tell)
    telling.daemon = True
    telling.start()
    try:
        yield
    finally:
        telling.cancel()


@contextmanager
def showing_work(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Call what is given with how much is done.

    A bar, or lines from time to time; it says so where nothing moves any more."""
    moved_at, last = time.monotonic(), -1

    with meter(title, total) as tell:

        def show(done: int) -> None:
            nonlocal moved_at, last
            if done != last:
                moved_at, last = time.monotonic(), done
            still = time.monotonic() - moved_at
            words = f"nothing was read for {still:.0f} s: {LOOK}" if still >= STUCK_SECONDS else ""
            tell(done, words)

        yield show
