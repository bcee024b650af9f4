"""A journal's file, open for appending: a record is in it whole, or not at all.

A disk that fills up takes the first part of a record and refuses the rest. What comes after
such a part would never be found again: whoever reads the file takes it for the end that a
crash cut off. So the part is cut off at once, and nothing is appended before it is. Nothing is
buffered here, for what fails later fails without anybody to tell.
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
        """A descriptor of its own for who waits for the disk: this file may be closed meanwhile."""
        return os.dup(self._descriptor)

    def close(self) -> None:
        """To do so twice does no harm."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _cut(self) -> None:
        if self._is_torn:
            os.ftruncate(self._descriptor, self.end)
            self._is_torn = False
