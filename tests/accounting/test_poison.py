"""No message stops the ledger: what it cannot post is rejected alone, and the rest is posted."""

from __future__ import annotations

from collections.abc import Callable

from casino.settlement.v1.finding_pb2 import Finding, Level
from casino.settlement.v1.record_pb2 import SettlementRecord
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import Output, header
from tests.accounting.house import House
from tests.stack.service_house import PARTITIONS
from tests.table_simulator.days import a_day
from wire import headers, topics
from wire.vocabulary import write_time

AT = 1_772_416_800_000_000
TABLE = "BJ-01"
HOME = partition_of(TABLE.encode(), PARTITIONS)
ELSEWHERE = (HOME + 1) % PARTITIONS


def finding(name: str, *, level: int = 2) -> bytes:
    found = Finding(id=name, table_id=TABLE, kind="payout.overpaid", seq=1, at=write_time(AT))
    found.level = Level.ValueType(level)
    return SettlementRecord(finding=found).SerializeToString()


def say(house: House, *values: bytes, partition: int = HOME) -> None:
    topic = house.topic(topics.FINDINGS)
    house.write(Output(topic, value, TABLE.encode(), partition) for value in values)


def ids(house: House) -> list[str]:
    return sorted(str(row[1]) for row in house.rows_of("findings")["findings"])


def test_a_finding_copied_to_another_partition_is_left_out(house: House) -> None:
    say(house, finding("one"))
    house.caught_up()
    say(house, finding("one"), finding("stray"), partition=ELSEWHERE)
    say(house, finding("two"))
    house.caught_up()
    assert ids(house) == ["one", "two"]
    assert house.stop() == 0


def test_a_message_that_no_table_takes_is_rejected_and_its_batch_posted(
    make_house: Callable[..., House],
) -> None:
    house = make_house()
    house.play(a_day(7, tables=2, rounds=3))
    poison = finding("poison", level=70_000)
    say(house, finding("before"), poison, finding("behind"))
    house.start()
    house.caught_up()
    assert {"before", "behind"} <= set(ids(house))
    assert "poison" not in ids(house)
    rejected = [row for row in house.rows_of("refusals")["refusals"] if row[4] == "not_posted"]
    assert [(row[0], row[1]) for row in rejected] == [(topics.FINDINGS, HOME)]
    (letter,) = house.broker.read(house.topic(topics.DEAD_LETTERS))
    assert letter.value() == poison
    assert header(letter, headers.CODE) == b"not_posted"
    assert header(letter, headers.SOURCE_TOPIC) == house.topic(topics.FINDINGS).encode()
    assert b"out of range" in (header(letter, headers.REASON) or b"")
    house.kill()
    house.start()
    house.caught_up()
    assert len(house.broker.read(house.topic(topics.DEAD_LETTERS))) == 1
