"""Notices on standard error while a command waits, and progress of long work."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from pitctl.output.progress import progress_meter

PATIENCE_SECONDS: Final = 3.0
"""A service that is up answers sooner."""
STUCK_SECONDS: Final = 10.0
"""Work that has not moved for so long waits for something itself."""
STATUS_HINT: Final = "`make status` shows the state of the stack"


@contextmanager
def wait_notice(awaited: str) -> Iterator[None]:
    """Print one line on standard error if the wait takes long."""

    def notify() -> None:
        print(f"pitctl: waiting for {awaited}; {STATUS_HINT}", file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE_SECONDS, notify)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def work_meter(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Draw a bar, or print lines from time to time, and report where nothing moves any more.

    The function that is given takes how much is done.
    """
    moved_at, last = time.monotonic(), -1

    with progress_meter(title, total) as report:

        def show(done: int) -> None:
            nonlocal moved_at, last
            if done != last:
                moved_at, last = time.monotonic(), done
            still = time.monotonic() - moved_at
            words = (
                f"no progress for {still:.0f} s: {STATUS_HINT}" if still >= STUCK_SECONDS else ""
            )
            report(done, words)

        yield show
