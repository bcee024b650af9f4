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
from table_client.outbox import Journal
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


def tell(journal: Journal, device: str) -> int:
    """An event as large as wanted: chained and kept as it is, since no text may be so long."""
    seq = journal.last_seq + 1
    message = TableEvent.FromString(
        encode_event(Event(TABLE, seq, AT + seq, BetsClosed(), previous=journal.last_digest))
    )
    message.device_id = device
    journal.keep(seq, message.SerializeToString(deterministic=True))
    return seq


def tell_until_full(journal: Journal, size: int) -> None:
    with pytest.raises(OSError, match=FULL):
        forever(tell, journal, "x" * size)


def forever(call: Callable[..., object], *arguments: object) -> None:
    while True:
        call(*arguments)


def everything(journal: Journal) -> list[bytes]:
    return journal.after(0, weight_max=1 << 30, overhead=0)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_told_after_room_was_made_survives(tmp_path: Path, size: int) -> None:
    path = tmp_path / "journal"
    with Journal(path, TABLE) as journal:
        with room_for(3 * size + 500):
            tell_until_full(journal, size)
            full = journal.last_seq
            assert full in (2, 3, 4, 5)
            tell_until_full(journal, size)
            journal.sync()
        whole = path.stat().st_size
        assert [tell(journal, f"after {each}") for each in range(5)] == [*range(full + 1, full + 6)]
        journal.sync()
        told = everything(journal)
    assert whole < path.stat().st_size
    with Journal(path, TABLE) as journal:
        assert everything(journal) == told
        assert [TableEvent.FromString(each).table_seq for each in told] == [*range(1, full + 6)]


@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk_leaves_a_file_that_ends_with_a_whole_record(tmp_path: Path, size: int) -> None:
    path = tmp_path / "journal"
    journal = Journal(path, TABLE)
    with room_for(3 * size + 500):
        tell_until_full(journal, size)
        told = everything(journal)
        length = path.stat().st_size
        with Journal(path, TABLE) as again:  # as after a crash, with the disk still full
            assert everything(again) == told
            assert path.stat().st_size == length
            tell_until_full(again, size)
            assert path.stat().st_size == length
    journal.close()


def test_what_a_full_disk_does_not_take_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, TABLE) as journal:
        for _ in range(4):
            tell(journal, "")
        journal.acknowledge(1)
        journal.set_aside(2, code="malformed", reason="no event")
        before = journal.last_seq, journal.acknowledged_seq, journal.late
        with room_for(path.stat().st_size + 5):
            refused: tuple[Callable[[], None], ...] = (
                lambda: journal.acknowledge(5),
                lambda: journal.late_arrived(3),
                lambda: journal.keep(9, b"ninth"),
            )
            for each in refused:
                with pytest.raises(OSError, match=FULL):
                    each()
                assert (journal.last_seq, journal.acknowledged_seq, journal.late) == before
    with Journal(path, TABLE) as journal:
        assert (journal.last_seq, journal.acknowledged_seq, journal.late) == before


def test_a_refused_event_for_which_there_was_no_room_does_not_spoil_the_next(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "journal", TABLE) as journal:
        for _ in range(3):
            tell(journal, "")
        journal.set_aside(1, code="malformed", reason="no event")
        room = journal.aside_path.stat().st_size + 20
        with room_for(room), pytest.raises(OSError, match=FULL):
            journal.set_aside(2, code="malformed", reason="no event")
        assert not journal.is_aside(2)
        journal.set_aside(2, code="malformed", reason="no event")
        assert [each.seq for each in journal.set_aside_before()] == [1, 2]


def test_a_journal_that_finds_no_room_to_begin_anew_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, TABLE, compact_bytes=100) as journal:
        for _ in range(5):
            tell(journal, "")
        journal.acknowledge(5)
        with room_for(10), pytest.raises(OSError, match=FULL):
            journal.begin_anew()
        assert tell(journal, "") == 6
    with Journal(path, TABLE) as journal:
        assert (journal.base_seq, journal.last_seq, journal.acknowledged_seq) == (0, 6, 5)
