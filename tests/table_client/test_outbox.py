"""The journal: what was synced survives whatever cuts the file off."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import RoundOpened
from table_client.backoff import Backoff
from table_client.errors import OutboxDamaged, OutboxForeign
from table_client.outbox import Outbox
from wire import decode_event
from wire.chain import digest, verify

AT = 1_772_396_100_000_000


def append_events(outbox: Outbox, count: int) -> None:
    for _ in range(count):
        number = outbox.last_seq + 1
        assert outbox.append(RoundOpened(f"R-{number}"), at=AT + number) == number


def all_events(outbox: Outbox) -> list[bytes]:
    return outbox.after(0, weight_max=1 << 30, overhead=0)


def test_events_are_numbered_chained_and_read_back_as_they_were_written(tmp_path: Path) -> None:
    with Outbox(tmp_path / "journal", "BJ-07") as outbox:
        append_events(outbox, 5)
        written = all_events(outbox)
        outbox.acknowledge(3)
    assert verify(written) == ()
    with Outbox(tmp_path / "journal", "BJ-07") as outbox:
        assert all_events(outbox) == written
        assert (outbox.last_seq, outbox.acknowledged_seq) == (5, 3)
        append_events(outbox, 1)
        assert decode_event(all_events(outbox)[-1]).previous == digest(written[-1])


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 2**16))
def test_a_file_cut_off_anywhere_after_a_sync_has_all_that_was_synced(
    synced: int, more: int, cut: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        outbox = Outbox(path, "BJ-07")
        append_events(outbox, synced)
        outbox.sync()
        safe = path.stat().st_size
        append_events(outbox, more)
        written = all_events(outbox)
        outbox.close()
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.truncate(safe + cut % (size - safe + 1))
        with Outbox(path, "BJ-07") as again:
            found = all_events(again)
            assert synced <= len(found) <= synced + more
            assert found == written[: len(found)]
            append_events(again, 1)
        with Outbox(path, "BJ-07") as at_last:
            assert verify(all_events(at_last)) == ()
            assert at_last.last_seq == len(found) + 1


def test_damage_before_the_end_is_told_and_not_mended(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Outbox(path, "BJ-07") as outbox:
        append_events(outbox, 5)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(OutboxDamaged):
        Outbox(path, "BJ-07")


def test_a_journal_belongs_to_one_table(tmp_path: Path) -> None:
    Outbox(tmp_path / "journal", "BJ-07").close()
    with pytest.raises(OutboxForeign, match="of table BJ-07, not of table BJ-08"):
        Outbox(tmp_path / "journal", "BJ-08")


def test_a_journal_that_is_acknowledged_and_large_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Outbox(path, "BJ-07", compact_bytes=500) as outbox:
        append_events(outbox, 20)
        last = all_events(outbox)[-1]
        outbox.acknowledge(20)
        outbox.compact()
        assert path.stat().st_size < 100
        append_events(outbox, 1)
    with Outbox(path, "BJ-07") as outbox:
        assert (outbox.base_seq, outbox.last_seq, outbox.acknowledged_seq) == (20, 21, 20)
        assert decode_event(all_events(outbox)[0]).previous == digest(last)


def test_a_batch_is_no_heavier_than_allowed_and_never_empty(tmp_path: Path) -> None:
    with Outbox(tmp_path / "journal", "BJ-07") as outbox:
        append_events(outbox, 10)
        frames = all_events(outbox)
        two = len(frames[3]) + len(frames[4]) + 20
        assert outbox.after(3, weight_max=two, overhead=10) == frames[3:5]
        assert outbox.after(3, weight_max=1, overhead=10) == frames[3:4]
        assert outbox.after(10, weight_max=1, overhead=10) == []


def test_waiting_grows_to_a_bound_and_comes_from_the_given_chance() -> None:
    first, second = (Backoff(Random(7), seconds_max=1.0) for _ in range(2))
    waits = [first.next_seconds() for _ in range(50)]
    assert waits == [second.next_seconds() for _ in range(50)]
    assert waits[0] <= 0.1
    assert 0.5 < max(waits) <= 1.0
    first.reset()
    assert first.next_seconds() <= 0.1


def test_events_made_elsewhere_are_kept_as_they_are_with_the_numbers_that_are_lost(
    tmp_path: Path,
) -> None:
    with Outbox(tmp_path / "journal", "BJ-07") as outbox:
        outbox.append_frame(1, b"first")
        outbox.append_frame(4, b"fourth")
        outbox.append_frame(4, b"another fourth")
        assert outbox.last_digest == digest(b"fourth")
    with Outbox(tmp_path / "journal", "BJ-07") as outbox:
        assert outbox.last_seq == 4
        assert all_events(outbox) == [b"first", b"fourth"]
        assert outbox.after(1, weight_max=1, overhead=0) == [b"fourth"]
        assert outbox.after(0, weight_max=1 << 30, overhead=0, through=3) == [b"first"]
