"""The file of an outbox, open for appending: it has a record whole, or not at all.

A disk that fills up takes the first part of a record and fails for the rest. Records after such a
part would never be found again: a reader takes it for the end that a crash cut off. So the part is
cut off at once, and nothing is appended before it is. Nothing is buffered here: a later failure
could not be reported to any caller.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


class RecordFile:
    """Appended to by one thread at a time; whatever is after `end` is cut off."""

    def __init__(self, path: Path, end: int) -> None:
        self.end = end
        """Where the last whole record ends."""
        self._descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._is_torn = True
        try:
            self._cut()
        except BaseException:
            self.close()
            raise

    def append(self, data: bytes) -> None:
        """Raises `OSError` if there is no room: the file is then as it was."""
        self._cut()
        self._is_torn = True
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(self._descriptor, data[written:], self.end + written)
        except BaseException:
            with contextlib.suppress(OSError):  # then it is tried again before the next one
                self._cut()
            raise
        self.end += len(data)
        self._is_torn = False

    def sync(self) -> None:
        os.fsync(self._descriptor)

    def duplicate(self) -> int:
        """A second descriptor for a sync: this file may be closed meanwhile."""
        return os.dup(self._descriptor)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _cut(self) -> None:
        if self._is_torn:
            os.ftruncate(self._descriptor, self.end)
            self._is_torn = False
