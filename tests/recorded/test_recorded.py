"""Recorded logs settle to the bytes they always settled to.

Where a change of the engine is meant to change them, docs/settlement.md has the steps.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.recorded.record import DIGESTS, FOLDER, SIMULATED, log_of, recordings, settle
from wire import encode_event
from wire.log_file import Span, event_at, spans

KNOWN: dict[str, Any] = json.loads(DIGESTS.read_text())


def test_every_recording_has_its_digests() -> None:
    assert set(recordings()) == set(KNOWN) >= set(SIMULATED)
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 1_500_000


@pytest.mark.parametrize("name", recordings())
def test_a_recorded_log_settles_to_the_same_bytes(name: str) -> None:
    settled = settle(log_of(name))
    differing = [stream for stream in KNOWN[name] if settled.get(stream) != KNOWN[name][stream]]
    assert differing == [], "docs/settlement.md has the steps if that is meant"
    assert set(settled) == set(KNOWN[name])
    assert sum(stream["rounds"]["count"] for stream in KNOWN[name].values()) > 50
    assert sum(stream["findings"]["count"] for stream in KNOWN[name].values()) > 10


@pytest.mark.parametrize("name", recordings())
def test_recorded_events_are_written_to_the_bytes_they_were_read_from(name: str) -> None:
    log = log_of(name)
    frames = [event_at(log, span) for span in spans(log) if isinstance(span, Span)]
    assert len(frames) > 1_000
    for event in frames:
        assert hashlib.sha256(encode_event(event)).digest() == event.digest


def test_a_log_that_is_cut_off_settles_to_something_else() -> None:
    """Digests of different logs differ."""
    log = log_of(recordings()[0])
    assert settle(log[: len(log) * 9 // 10]) != settle(log)
