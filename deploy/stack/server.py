"""What the servers of a stack have in common: how they are awaited."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from deploy.stack.errors import ServerDied, ServerNotReady
from deploy.stack.process import ProcessId, Record, is_alive, tail
from deploy.stack.state import State

POLL_SECONDS = 0.05


class Server(Protocol):
    """A server that a stack can start, or use where it already runs."""

    @property
    def name(self) -> str: ...

    @property
    def given(self) -> bool:
        """Somebody else's: it is used, and neither started nor ended."""

    @property
    def log(self) -> Path: ...

    @property
    def stop_signal(self) -> signal.Signals:
        """What asks it to end in good order."""

    def address(self, state: State) -> str:
        """host:port, for people and for clients."""

    def prepare(self, state: State) -> None:
        """Make what it needs, and choose its ports. To do so twice does no harm."""

    def spawn(self, state: State, record: Record) -> ProcessId:
        """Start it, recorded before it begins."""

    def is_ready(self, state: State) -> bool:
        """It answers as its clients need it to, not merely listens."""

    def rejection(self) -> str | None:
        """Why it runs and refuses to work until an operator decides; None if it does not."""

    def can_try_again(self, tail: str) -> bool:
        """It died of something that passes, as the end of its log says."""


def wait_until_ready(
    ready: Callable[[], bool],
    process: ProcessId | None,
    *,
    name: str,
    log: Path,
    seconds_max: float,
) -> None:
    """Return once it is ready; a server that died or takes too long is told with its log."""
    deadline = time.monotonic() + seconds_max
    while True:
        alive = process is None or is_alive(process)
        if alive and ready():
            return
        if not alive:
            raise ServerDied(name, log, tail(log))
        if time.monotonic() > deadline:
            raise ServerNotReady(name, seconds_max, log, tail(log))
        time.sleep(POLL_SECONDS)
