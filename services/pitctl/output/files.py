"""Files that commands write: standard output, or a file that is complete or absent."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pitctl.errors import InvalidArgument


@contextmanager
def open_output(output: str) -> Iterator[IO[bytes]]:
    """Open the file for bytes, or standard output where none is named."""
    if not output:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    try:
        if path.exists() and not path.is_file():  # a device or a pipe cannot be put in place
            with path.open("wb") as file:
                yield file
        else:
            with _replacing(path) as file:
                yield file
    except OSError as error:
        raise InvalidArgument(
            f"{output}: {error.strerror}; name a file that can be written"
        ) from None
    print(f"{output} is written", file=sys.stderr)


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write beside the file, and put the result in its place when it is complete."""
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def check_not_a_terminal(output: str, kind: str) -> None:
    """Reject binary output to a terminal."""
    if not output and sys.stdout.isatty():
        name = kind.lower()
        raise InvalidArgument(
            f"a {kind} is not for a terminal; name a file: --output report.{name}"
        )
