"""A log line is JSON, has its service and trace, and is never lost."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from runtime import logs
from runtime.tracing import current_trace_id, new_trace


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    logs.configure("example", stream=written)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_what_when_where_and_in_which_trace(stream: io.StringIO) -> None:
    with new_trace("example"):
        trace_id = current_trace_id()
        logs.logger("example.door").info("guest came", guest="Ada", number=3)
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "guest came",
        "guest": "Ada",
        "number": 3,
        "level": "info",
        "logger": "example.door",
        "service": "example",
        "trace_id": trace_id,
    }


def test_what_libraries_log_takes_the_same_way(stream: io.StringIO) -> None:
    logging.getLogger("some.library").warning("lost %d of %s", 2, "them", extra={"host": "h"})
    (line,) = lines(stream)
    assert line["event"] == "lost 2 of them"
    assert line["service"] == "example"
    assert line["host"] == "h"
    assert "trace_id" not in line


def test_an_error_is_logged_with_its_stack_on_one_line(stream: io.StringIO) -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        logs.logger("example").exception("failed")
    (line,) = lines(stream)
    assert "ValueError: broken" in line["exception"]


def test_a_strange_field_does_not_lose_the_line(stream: io.StringIO) -> None:
    logs.logger("example").info("odd", value=object, raw=b"\xff", names={"a"})
    (line,) = lines(stream)
    assert line["raw"] == "\ufffd"


def test_what_is_below_the_level_is_not_written(stream: io.StringIO) -> None:
    logs.logger("example").debug("whisper")
    assert lines(stream) == []


def test_on_a_terminal_the_lines_are_for_the_eye() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("example", stream=terminal)
        logs.logger("example").info("guest came")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
        structlog.reset_defaults()
    assert "guest came" in terminal.getvalue()
    assert not terminal.getvalue().startswith("{")
