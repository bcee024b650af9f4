"""A stack that several workers need for a while: it ends when the last of them leaves."""

from __future__ import annotations

import fcntl
import os

from deploy.stack.stack import Stack

LOCK = "floor.lock"


class SharedFloor:
    """The floor as one worker has it: it holds a lock that it shares with those who need it too."""

    def __init__(self, whole: Stack) -> None:
        self.whole = whole
        run = whole.settings.folder.parent
        run.mkdir(parents=True, exist_ok=True)
        self._lock = os.open(run / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._is_in = False

    def enter(self) -> None:
        if not self._is_in:
            fcntl.flock(self._lock, fcntl.LOCK_SH)
            self.whole.up()
            self._is_in = True

    def leave(self) -> None:
        """Ends it, if nobody else is there."""
        if not self._is_in:
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            self.whole.down()
        fcntl.flock(self._lock, fcntl.LOCK_UN)
        self._is_in = False
