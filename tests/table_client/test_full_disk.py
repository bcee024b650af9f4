"""A disk that is full: what raised was not appended, and what did not is there for good.

The limit is that of the process on the size of its files, which the kernel keeps as it keeps
that of a disk: it writes the part for which there is room, and refuses the rest.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from blackjack.facts import BetsClosed, Event
from casino.table.v1.event_pb2 import TableEvent
from table_client.outbox import Outbox
from wire import encode_event

AT = 1_772_396_100_000_000
FULL = "File too large"
SIZES = [100, 4_000, 20_000, 60_000]
TABLE = "BJ-07"


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)


def report(outbox: Outbox, device: str) -> int:
    """An event as large as wanted: chained and kept as it is, since no text may be so long."""
    seq = outbox.last_seq + 1
    message = TableEvent.FromString(
        encode_event(Event(TABLE, seq, AT + seq, BetsClosed(), previous=outbox.last_digest))
    )
    message.device_id = device
    outbox.append_frame(seq, message.SerializeToString(deterministic=True))
    return seq


def fill_outbox(outbox: Outbox, size: int) -> None:
    with pytest.raises(OSError, match=FULL):
        repeat(report, outbox, "x" * size)


def repeat(call: Callable[..., object], *arguments: object) -> None:
    while True:
        call(*arguments)


def all_events(outbox: Outbox) -> list[bytes]:
    return outbox.after(0, weight_max=1 << 30, overhead=0)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_told_after_room_was_made_survives(tmp_path: Path, size: int) -> None:
    path = tmp_path / "journal"
    with Outbox(path, TABLE) as outbox:
        with room_for(3 * size + 500):
            fill_outbox(outbox, size)
            full = outbox.last_seq
            assert full in (2, 3, 4, 5)
            fill_outbox(outbox, size)
            outbox.sync()
        whole = path.stat().st_size
        assert [report(outbox, f"after {each}") for each in range(5)] == [
            *range(full + 1, full + 6)
        ]
        outbox.sync()
        reported = all_events(outbox)
    assert whole < path.stat().st_size
    with Outbox(path, TABLE) as outbox:
        assert all_events(outbox) == reported
        assert [TableEvent.FromString(each).table_seq for each in reported] == [*range(1, full + 6)]


@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk_leaves_a_file_that_ends_with_a_whole_record(tmp_path: Path, size: int) -> None:
    path = tmp_path / "journal"
    outbox = Outbox(path, TABLE)
    with room_for(3 * size + 500):
        fill_outbox(outbox, size)
        reported = all_events(outbox)
        length = path.stat().st_size
        with Outbox(path, TABLE) as again:  # as after a crash, with the disk still full
            assert all_events(again) == reported
            assert path.stat().st_size == length
            fill_outbox(again, size)
            assert path.stat().st_size == length
    outbox.close()


def test_what_a_full_disk_does_not_take_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Outbox(path, TABLE) as outbox:
        for _ in range(4):
            report(outbox, "")
        outbox.acknowledge(1)
        outbox.reject(2, code="malformed", reason="no event")
        before = outbox.last_seq, outbox.acknowledged_seq, outbox.late
        with room_for(path.stat().st_size + 5):
            refused: tuple[Callable[[], None], ...] = (
                lambda: outbox.acknowledge(5),
                lambda: outbox.acknowledge_late(3),
                lambda: outbox.append_frame(9, b"ninth"),
            )
            for each in refused:
                with pytest.raises(OSError, match=FULL):
                    each()
                assert (outbox.last_seq, outbox.acknowledged_seq, outbox.late) == before
    with Outbox(path, TABLE) as outbox:
        assert (outbox.last_seq, outbox.acknowledged_seq, outbox.late) == before


def test_a_refused_event_for_which_there_was_no_room_does_not_spoil_the_next(
    tmp_path: Path,
) -> None:
    with Outbox(tmp_path / "journal", TABLE) as outbox:
        for _ in range(3):
            report(outbox, "")
        outbox.reject(1, code="malformed", reason="no event")
        room = outbox.rejected_path.stat().st_size + 20
        with room_for(room), pytest.raises(OSError, match=FULL):
            outbox.reject(2, code="malformed", reason="no event")
        assert not outbox.is_rejected(2)
        outbox.reject(2, code="malformed", reason="no event")
        assert [each.seq for each in outbox.rejected_events()] == [1, 2]


def test_a_journal_that_finds_no_room_to_begin_anew_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Outbox(path, TABLE, compact_bytes=100) as outbox:
        for _ in range(5):
            report(outbox, "")
        outbox.acknowledge(5)
        with room_for(10), pytest.raises(OSError, match=FULL):
            outbox.compact()
        assert report(outbox, "") == 6
    with Outbox(path, TABLE) as outbox:
        assert (outbox.base_seq, outbox.last_seq, outbox.acknowledged_seq) == (0, 6, 5)
