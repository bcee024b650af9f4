"""A bar on standard error while something takes long; nothing where nobody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

Advance = Callable[[int], None]


@contextmanager
def bar(title: str, total: int) -> Iterator[Advance]:
    """Call what is given with how much more is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn(title), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, **_options()) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.advance(task, done)


Tell = Callable[[int, str], None]

LINE_SECONDS: Final = 10.0
"""How often a line is written where no bar can be drawn."""


@contextmanager
def meter(title: str, total: int) -> Iterator[Tell]:
    """Call what is given with how much is done, and how it goes in words.

    Where nobody watches, a line from time to time says that it goes on.
    """
    if not sys.stderr.isatty():
        said_at = time.monotonic()

        def say(done: int, words: str) -> None:
            nonlocal said_at
            if time.monotonic() - said_at >= LINE_SECONDS:
                said_at = time.monotonic()
                said = f"{title}: {done:,} of {total:,}"
                print(f"{said}, {words}" if words else said, file=sys.stderr, flush=True)

        yield say
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn(title),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        TextColumn("{task.fields[words]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, **_options()) as progress:
        task = progress.add_task(title, total=total, words="")
        yield lambda done, words: progress.update(task, completed=done, words=words)


def _options() -> dict[str, Any]:
    """On standard error, which stays itself.

    A stream that rich has taken over waits for its lock; whoever logs while the bar is drawn, and
    the bar's own thread where it collects what logs when it dies, would wait for each other.
    """
    from rich.console import Console

    console = Console(stderr=True)
    return {
        "console": console,
        "transient": True,
        "redirect_stdout": False,
        "redirect_stderr": False,
    }
