"""How a command ends: exit statuses, errors on standard error, closed pipes."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

from pitctl.errors import CommandError, RequestRejected

NAME: Final = "pitctl"

OK: Final = 0
NEGATIVE: Final = 1
"""The command ran, and the answer is no: nothing matches, findings stand, a request is rejected."""
ERROR: Final = 2
"""Invalid arguments, an unreadable file, or a service that is unavailable."""

PIPE_CLOSED: Final = 141
"""The status that a shell reports for a program that SIGPIPE ended."""


@contextmanager
def exit_quietly() -> Iterator[None]:
    """End without an error where the reader has seen enough (`| head`); report a full disk."""
    if sys.stdout is None:  # a caller may have closed it
        raise typer.Exit(ERROR)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        raise typer.Exit(PIPE_CLOSED) from None
    except OSError as error:
        _drop_output()
        print_error(f"the output could not be written: {error.strerror}")
        raise typer.Exit(ERROR) from None


@contextmanager
def report_errors(*errors: type[Exception]) -> Iterator[None]:
    """Print a command error, or one of these, and end with status 2."""
    reported: tuple[type[Exception], ...] = (CommandError, *errors)
    with exit_quietly():
        try:
            yield
        except reported as error:
            print_error(str(error))
            raise typer.Exit(ERROR) from None


@contextmanager
def report_rejections(*errors: type[Exception], as_json: bool = False) -> Iterator[None]:
    """Report errors with status 2, and a rejected request, with its code, with status 1."""
    with report_errors(*errors):
        try:
            yield
        except RequestRejected as rejected:
            reason = str(rejected)
            if as_json:
                fields = {"rejected": {"code": rejected.code, "reason": reason}}
                print(json.dumps(fields, ensure_ascii=False))
            print_error(f"rejected: {rejected.code}: {reason}")
            raise typer.Exit(NEGATIVE) from None


def print_error(text: str) -> None:
    """One line on standard error, with control characters escaped."""
    from pitctl.output.text import escape

    print(f"{NAME}: {escape(text)}", file=sys.stderr)


def command_name() -> str:
    """The command as it was typed: in a new clone that is `.venv/bin/pitctl`."""
    typed = sys.argv[0] if sys.argv else ""
    if os.path.basename(typed) != NAME:
        return NAME
    found = shutil.which(NAME)
    return NAME if found and os.path.samefile(found, typed) else typed


def _drop_output() -> None:
    """Drop the buffer: it would raise again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
