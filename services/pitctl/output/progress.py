"""A bar on standard error while something takes long; none where it is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

Advance = Callable[[int], None]


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Advance]:
    """Draw a bar; the function that is given takes how much more is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn(title), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, **_options()) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.advance(task, done)


ReportProgress = Callable[[int, str], None]

LINE_SECONDS: Final = 10.0
"""How often a line is written where no bar can be drawn."""


@contextmanager
def progress_meter(title: str, total: int) -> Iterator[ReportProgress]:
    """Draw a bar; the function that is given takes how much is done, and a remark.

    Where standard error is not a terminal, a line is printed from time to time.
    """
    if not sys.stderr.isatty():
        printed_at = time.monotonic()

        def report(done: int, words: str) -> None:
            nonlocal printed_at
            if time.monotonic() - printed_at >= LINE_SECONDS:
                printed_at = time.monotonic()
                line = f"{title}: {done:,} of {total:,}"
                print(f"{line}, {words}" if words else line, file=sys.stderr, flush=True)

        yield report
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

    A stream that rich has taken over waits for its lock: a thread that logs while the bar is drawn,
    and the bar's own thread where it collects an object that logs, would wait for each other.
    """
    from rich.console import Console

    console = Console(stderr=True)
    return {
        "console": console,
        "transient": True,
        "redirect_stdout": False,
        "redirect_stderr": False,
    }
