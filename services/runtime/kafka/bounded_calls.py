"""Calls into a library that may never return, though they were given a limit.

librdkafka's `send_offsets_to_transaction` waits without end for a group coordinator whose broker
was restarted, whatever its limit (its issues 5456 and 5511). Nothing can end such a call from
outside; so it is made in a thread of its own, and a caller that waits for it can go on without it.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

Answers = SimpleQueue[BaseException | None]
Call = tuple[Callable[..., None], tuple[Any, ...], Answers]
_NO_MORE = None


class CallOverdue(Exception):
    """A call has not returned long after its own limit: whatever it works with is lost."""

    def __init__(self, operation: str, seconds: float) -> None:
        self.operation = operation
        self.seconds = seconds
        super().__init__(f"{operation} has not returned after {seconds:.0f} s")


class BoundedClient:
    """Makes calls in one thread, which is replaced when it is lost in one. For one caller."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Call | None] | None = None

    def call(self, seconds_max: float, operation: Callable[..., None], *arguments: Any) -> None:
        """Raises what the operation raises, or `CallOverdue`; the call itself then goes on."""
        if self._calls is None:
            self._calls = SimpleQueue()
            # A daemon: one that never returns must not keep the process from ending.
            Thread(target=_serve, args=[self._calls], name="bounded calls", daemon=True).start()
        answers: Answers = SimpleQueue()
        self._calls.put((operation, arguments, answers))
        try:
            raised = answers.get(timeout=seconds_max)
        except Empty:
            self._calls.put(_NO_MORE)  # should it ever return, its thread ends
            self._calls = None
            raise CallOverdue(operation.__name__, seconds_max) from None
        if raised is not None:
            raise raised


def _serve(calls: SimpleQueue[Call | None]) -> None:
    while (call := calls.get()) is not _NO_MORE:
        operation, arguments, answers = call
        try:
            operation(*arguments)
        except BaseException as error:
            answers.put(error)
        else:
            answers.put(None)
        # What it worked with may be thrown away now; nothing here keeps it until the next call.
        del call, operation, arguments, answers
