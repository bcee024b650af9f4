"""The log of settlement, for tests that read it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from runtime import logs


@pytest.fixture
def written() -> Iterator[StringIO]:
    stream, root = StringIO(), logging.getLogger()
    before = (list(root.handlers), root.level)
    logs.configure("settlement", stream=stream)
    yield stream
    root.handlers[:], level = before
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
