"""How a command ends when its reader has gone, or when it cannot do what was asked; and what
it is called in a hint."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

NAME: Final = "pitctl"
REFUSED: Final = 2
"""What was asked for is not filed, cannot be, or cannot be read or written."""

PIPE_CLOSED: Final = 141
"""What a shell reports for a program that SIGPIPE ended."""


@contextmanager
def ending_quietly() -> Iterator[None]:
    """A reader that has seen enough (`| head`) is no error of ours; a full disk is said."""
    if sys.stdout is None:  # a caller may have closed it
        raise typer.Exit(REFUSED)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except OSError as error:
        _drop_output()
        print(f"pitctl: the output could not be written: {error.strerror}", file=sys.stderr)
        raise typer.Exit(REFUSED) from None


def called() -> str:
    """The command as it was typed: in a new clone that is `.venv/bin/pitctl`."""
    typed = sys.argv[0] if sys.argv else ""
    if os.path.basename(typed) != NAME:
        return NAME
    found = shutil.which(NAME)
    return NAME if found and os.path.samefile(found, typed) else typed


def _drop_output() -> None:
    """What is still in the buffer would raise again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """These errors say what is wrong with the question, and end the command."""
    with ending_quietly():
        try:
            yield
        except errors as refused:
            from pitctl.output.text import plain

            print(f"pitctl: {plain(str(refused))}", file=sys.stderr)
            raise typer.Exit(REFUSED) from None
