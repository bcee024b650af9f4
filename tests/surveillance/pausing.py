"""Surveillance that is stopped with states in hand: `python -m tests.surveillance.pausing`.

`PAUSE` says where: `begin`, when it is about to begin a transaction of states, or `commit`, when
the broker has all of one that is still open. It logs `paused` and sends itself SIGSTOP, so
that nothing of it goes on, heartbeats included, until somebody sends SIGCONT; once in its life.
A signal to a process stops its threads one after the other: the one that sent it waits.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import surveillance.kafka.fencing
from runtime import logs
from runtime.kafka.records import Output
from runtime.kafka.transactions import Transactions
from runtime.positions import Position
from runtime.service import run_service
from surveillance.__main__ import main
from surveillance.config import Settings
from surveillance.kafka.faust_app import SIEVE
from surveillance.kafka.worker import KAFKA

WRITES_BEFORE: Final = 5
_log = logs.logger(__name__)
_lock = threading.Lock()
_writes = 0
_woken = threading.Event()


class Pausing(Transactions):
    def write(self, outputs: Sequence[Output]) -> tuple[Position, ...]:
        if os.environ["PAUSE"] == "begin":
            _count()
        return super().write(outputs)

    def _insist(self, operation: Callable[..., None], *arguments: Any) -> None:
        if os.environ["PAUSE"] == "commit" and operation.__name__ == "commit_transaction":
            _count()
        super()._insist(operation, *arguments)


def _count() -> None:
    global _writes
    with _lock:
        _writes += 1
        if _writes == WRITES_BEFORE:
            _log.info("paused")
            os.kill(os.getpid(), signal.SIGSTOP)
            _woken.wait()


if __name__ == "__main__":
    signal.signal(signal.SIGCONT, lambda *_: _woken.set())
    vars(surveillance.kafka.fencing)["Transactions"] = Pausing
    run_service("surveillance", Settings, main, conditions=[KAFKA, SIEVE])
