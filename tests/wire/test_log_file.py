"""Log files: what was written is read, and damage is read around."""

from __future__ import annotations

import gzip
import lzma
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import Event
from table_simulator.days.randomness import play_day
from wire.errors import NotAnEvent
from wire.events import encode_event
from wire.log_file import (
    HEADER,
    BadBytes,
    NotALogFile,
    Span,
    event_at,
    frame,
    spans,
    table_of,
    write_log,
)

EVENTS = play_day(seed=4, tables=3, rounds=2)
FRAMES = [(encode_event(event), event.ingested_at or 1_000_000) for event in EVENTS]


def a_file() -> bytes:
    file = BytesIO()
    assert write_log(file, FRAMES) == len(FRAMES)
    return file.getvalue()


FILE = a_file()


def read(data: bytes) -> tuple[list[Event], list[BadBytes]]:
    events, bad = [], []
    for found in spans(data):
        if isinstance(found, BadBytes):
            bad.append(found)
            continue
        try:
            events.append(event_at(data, found))
        except NotAnEvent as error:
            bad.append(BadBytes(found.offset, found.length, error.reason))
    return events, bad


def numbers(events: list[Event]) -> list[tuple[str, int]]:
    return [(event.table, event.seq) for event in events]


def test_how_long_an_event_waited_is_kept_where_it_did() -> None:
    waits = [0, 600_000_000, 1, 2**49]
    file = BytesIO()
    write_log(file, ((*frame, wait) for frame, wait in zip(FRAMES[:4], waits, strict=True)))
    events, bad = read(file.getvalue())
    assert ([event.waited_us for event in events], bad) == (waits, [])


def test_what_was_written_is_read_in_its_order() -> None:
    events, bad = read(FILE)
    assert bad == []
    assert numbers(events) == numbers(EVENTS)
    assert [event.ingested_at for event in events] == [at for _, at in FRAMES]


def test_a_frame_tells_its_table_without_being_decoded() -> None:
    told = [table_of(FILE, found) for found in spans(FILE) if isinstance(found, Span)]
    assert told == [event.table for event in EVENTS]


def test_a_file_of_another_kind_or_version_is_refused() -> None:
    for data, reason in (
        (b'{"tableId":"T-1"}', "no log file"),
        (b"", "no log file"),
        (gzip.compress(FILE), "packed by gzip: unpack it first \\(gunzip\\)"),
        (lzma.compress(FILE)[:40], "packed by xz"),
        (HEADER[:-1] + b"\x02" + FILE[len(HEADER) :], "version 2"),
    ):
        with pytest.raises(NotALogFile, match=reason):
            list(spans(data))


def test_an_empty_log_file_has_no_frames() -> None:
    assert list(spans(HEADER)) == []


def test_a_frame_that_is_no_event_is_passed_over_alone() -> None:
    odd = frame(b"\xff\xff no event", ingested_at=1_000_000)
    middle = next(iter(spans(FILE)))
    at = middle.offset + middle.length
    events, bad = read(FILE[:at] + odd + FILE[at:])
    assert numbers(events) == numbers(EVENTS)
    assert [damage.reason for damage in bad] == ["the bytes are no TableEvent, or were cut off"]


def test_a_file_that_was_cut_off_gives_all_but_its_last_frame() -> None:
    events, bad = read(FILE[:-3])
    assert numbers(events) == numbers(EVENTS)[:-1]
    (end,) = bad
    assert end.offset + end.length == len(FILE) - 3
    assert end.reason == "no frame begins here, to the end"


def test_bytes_that_were_put_in_between_are_reported_with_their_offset() -> None:
    places = [found for found in spans(FILE) if isinstance(found, Span)]
    at = places[9].offset + places[9].length
    events, bad = read(FILE[:at] + b"\x00" * 7 + FILE[at:])
    assert numbers(events) == numbers(EVENTS)
    assert bad == [BadBytes(at, 7, "no frame begins here")]


@given(st.integers(0, 2**32))
def test_damage_costs_the_frames_it_hits_and_no_others(seed: int) -> None:
    """Some bytes anywhere after the header are overwritten: nearly all events are still read."""
    rng = Random(seed)
    data = bytearray(FILE)
    at = rng.randrange(len(HEADER), len(data) - 8)
    length = rng.randint(1, 8)
    data[at : at + length] = rng.randbytes(length)
    events, _ = read(bytes(data))
    lost = set(numbers(EVENTS)) - set(numbers(events))
    assert len(lost) <= 4


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    found = list(spans(HEADER + data))
    assert sum(span.length for span in found if isinstance(span, BadBytes)) <= len(data)
