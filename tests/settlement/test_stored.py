"""Snapshots as their topic holds them: which of a key counts, and what becomes of the others."""

from __future__ import annotations

import msgspec
import pytest

from blackjack.play.table import Table
from blackjack.rulebook.rule_set import FILED
from runtime.kafka.partitioner import partition_of
from settlement.domain.partition_tables import TableEntry
from settlement.kafka.settler import InputMessage, Settler
from settlement.kafka.snapshot_records import (
    RefoldDistance,
    SnapshotEntry,
    SnapshotRecord,
    StoredSnapshots,
    ahead_key,
    collect,
    encode_ahead,
    encode_entry,
    entry_key,
)
from tests.settlement.test_settling import floor
from wire import topics

KEY = entry_key(0, "T1")
END = 100


def entry(at: int) -> bytes:
    return encode_entry(TableEntry(Table.new("T1")), at)


def stored(*messages: tuple[bytes, bytes | None, int]) -> StoredSnapshots:
    found = [SnapshotRecord(0, number, *message) for number, message in enumerate(messages)]
    return collect({0: END}, found, partitions=3)[0]


def test_the_last_that_was_written_counts() -> None:
    assert stored((KEY, entry(10), 9), (KEY, entry(20), 19)).entries["T1"].offset == 20


def test_an_older_one_that_is_written_again_does_not() -> None:
    found = stored((KEY, entry(10), 9), (KEY, entry(20), 19), (KEY, entry(10), 9))
    assert found.entries["T1"].offset == 20
    found = stored((KEY, entry(20), 19), (KEY, entry(10), -1))
    assert found.entries["T1"].offset == 20, "nor one that does not say when it was written"


def test_one_that_is_ahead_of_the_log_gives_way() -> None:
    assert stored((KEY, entry(150), 149), (KEY, entry(10), 9)).entries["T1"].offset == 10


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff",
        entry(30)[:-1],
        b"\x91" * 100_000,
        msgspec.msgpack.encode([30, "QQQQ", b"", 0]).replace(b"QQQQ", b"\xff\xfe\xfd\xfc"),
    ],
)
def test_a_damaged_one_leaves_the_one_before_it_in_force(damaged: bytes) -> None:
    found = stored((KEY, entry(20), 19), (KEY, damaged, 29))
    assert found.entries["T1"].offset == 20
    assert list(found.damaged) == [KEY]
    assert stored((KEY, damaged, 29)).gone == {"T1": "its snapshot cannot be read"}
    healed = stored((KEY, damaged, 29), (KEY, entry(40), 39))
    assert (healed.damaged, healed.gone) == ({}, {})


@pytest.mark.parametrize("value", [b"\xff", msgspec.msgpack.encode([-5])])
def test_how_far_to_refold_is_not_believed_if_it_makes_no_sense(value: bytes) -> None:
    found = stored((ahead_key(0), encode_ahead(5), 1), (ahead_key(0), value, 2))
    assert found.ahead == RefoldDistance(2**62)
    assert list(found.damaged) == [ahead_key(0)]


@pytest.mark.parametrize("key", [b"k", b"\xff\xfe", b"3/T1", b"9" * 5_000, b"0/\xff\xfe", b"-1/T1"])
def test_what_is_nobodys_is_told_until_it_is_deleted(key: bytes) -> None:
    found = stored((key, entry(10), 9))
    assert (found.entries, list(found.damaged)) == ({}, [key])
    assert stored((key, entry(10), 9), (key, None, -1)).damaged == {}


def test_damaged_ones_become_dead_letters_and_are_written_over() -> None:
    found = stored((KEY, entry(20), 19), (KEY, b"\xff", 29), (b"k", b"value", 1))
    settling = Settler(FILED, refold_max=10)
    settling.open(0).tables["T1"] = TableEntry(Table.new("T1"))
    for damaged in found.damaged.values():
        settling.replace_damaged(0, damaged)
    outputs = list(settling.settle(()))
    dead_letters = [output for output in outputs if output.topic == topics.DEAD_LETTERS]
    assert [letter.value for letter in dead_letters] == [b"\xff", b"value"]
    assert [dict(letter.headers or ())["source-offset"] for letter in dead_letters] == [b"1", b"2"]
    written = {
        output.key: output.value for output in outputs if output.topic == topics.TABLE_SNAPSHOTS
    }
    assert written[b"k"] is None
    assert msgspec.msgpack.decode(written[KEY] or b"", type=SnapshotEntry).broken == ""


def test_a_copy_in_another_partition_is_a_dead_letter_and_no_second_table() -> None:
    (event, *_) = floor(1)
    home = partition_of(event.key or b"", 3)
    settling = Settler(FILED, refold_max=10, partitions=3)
    for partition in range(3):
        settling.open(partition)
    batch = [InputMessage(number, 0, event.key, event.value, []) for number in range(3)]
    dead_letters = [
        output for output in settling.settle(batch) if output.topic == topics.DEAD_LETTERS
    ]
    assert {dict(letter.headers or ())["code"] for letter in dead_letters} == {b"misplaced"}
    assert len(dead_letters) == 2
    assert [bool(settling.pits[number].tables) for number in range(3)] == [
        number == home for number in range(3)
    ]
