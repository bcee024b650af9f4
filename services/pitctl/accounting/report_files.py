"""Where a report or a journal is written: standard output, or a file that is whole or not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pitctl.accounting.client import NotTyped


@contextmanager
def writing(output: str) -> Iterator[IO[bytes]]:
    """Bytes into the file, or to standard output where none is named."""
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
        said = f"{output}: {error.strerror}; name a file that can be written"
        raise NotTyped(said) from None
    print(f"{output} is written", file=sys.stderr)


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Written beside it, and put in its place when it is complete."""
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
    """Bytes that are not text are not for a terminal."""
    if not output and sys.stdout.isatty():
        name = kind.lower()
        raise NotTyped(f"a {kind} is not for a terminal; name a file: --output report.{name}")
