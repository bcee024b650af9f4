"""A table in quarantine is tried again at every assignment: lifted whole, or left as it was."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import StringIO

import pytest
from confluent_kafka import Message

import settlement.domain.partition_tables
from blackjack.findings import Finding
from blackjack.outcomes import Step
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.rule_set import FILED, Catalogue
from runtime.kafka.records import Output, header
from settlement.kafka.settler import records_of
from settlement.kafka.snapshot_records import SnapshotEntry
from tests.settlement.floor import Floor, eventually, stored_in
from tests.settlement.streams import decoded
from tests.settlement.test_settling import broken_at
from tests.settlement.test_takeover import RULES, one_table, publish_rules, records, started, work
from tests.settlement.test_takeover import write as write_down
from tests.settlement.test_worker import day
from tests.stack.broker import Broker
from wire import topics
from wire.headers import CODE, REASON, TABLE
from wire.settlement import decode_record

BREAK = 40
Told = list[tuple[str, bytes | None]]


def told(steps: Iterable[Step]) -> Told:
    return [record[:2] for step in steps for record in records_of(step)]


def entry_of(floor: Floor) -> SnapshotEntry:
    stored = stored_in(floor.read(topics.TABLE_SNAPSHOTS))
    return stored.entries["BJ-01"]


def quarantined(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, *, defined: bool = True
) -> tuple[Floor, list[bytes], list[Message], Told]:
    """A table whose event 40 broke the fold, a hundred messages in."""
    floor, frames = one_table(broker, defined=defined)
    messages = floor.read(topics.TABLE_EVENTS)
    broken_at("BJ-01", BREAK, monkeypatch)
    said = records(floor, work(floor, started(floor, 0), messages[:100]))
    monkeypatch.undo()
    return floor, frames, messages, said


def dead_letters_of(outputs: Iterable[Output]) -> list[bytes | None]:
    return [output.value for output in outputs if output.topic.endswith(topics.DEAD_LETTERS)]


def test_an_engine_that_can_fold_the_event_says_what_was_withheld_once(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, frames, messages, before = quarantined(broker, monkeypatch)
    first = next(at for at, event in enumerate(decoded(frames)) if event.seq == BREAK)
    entry = entry_of(floor)
    assert (entry.offset, entry.withheld_from) == (first, first)
    outputs = work(floor, started(floor, 100), messages[100:])
    assert dead_letters_of(outputs) == []
    expected = told(fold(Table.new("BJ-01"), decoded(frames))[1])
    assert before + records(floor, outputs) == expected
    assert before == expected[: len(before)] != expected
    for output in outputs:
        if output.topic.endswith((topics.FINDINGS, topics.SETTLED_ROUNDS)):
            assert first <= int(dict(output.headers or [])["source-offset"] or 0)
    assert not entry_of(floor).broken
    # Whoever comes next has nothing to lift and repeats nothing.
    assert records(floor, started(floor, len(messages)).idle()) == []


def test_what_was_withheld_does_not_wait_for_an_event(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, written: StringIO
) -> None:
    floor, frames, _, before = quarantined(broker, monkeypatch)
    worker = started(floor, 100)
    written.seek(written.truncate(0))
    outputs = worker.idle()
    assert before + records(floor, outputs) == told(
        fold(Table.new("BJ-01"), decoded(frames[:100]))[1]
    )
    found = [
        record.id
        for output in outputs
        if output.topic == floor.topic(topics.FINDINGS)
        and isinstance(record := decode_record(output.value or b""), Finding)
    ]
    said = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [line["finding"] for line in said if line["event"] == "found"] == found != []
    assert worker.idle() == ()


def test_an_engine_that_still_breaks_leaves_everything_as_it_was(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, frames, messages, before = quarantined(broker, monkeypatch)
    entry, written = entry_of(floor), len(floor.read(topics.TABLE_SNAPSHOTS))
    broken_at("BJ-01", BREAK, monkeypatch)
    outputs = work(floor, started(floor, 100), messages[100:200])
    assert dead_letters_of(outputs) == frames[100:200]
    assert records(floor, outputs) == []
    # It breaks elsewhere: no better.
    monkeypatch.undo()
    broken_at("BJ-01", BREAK + 30, monkeypatch)
    outputs += work(floor, started(floor, 200), messages[200:])
    assert records(floor, outputs) == []
    assert entry_of(floor) == entry
    of_table = [m for m in floor.read(topics.TABLE_SNAPSHOTS)[written:] if m.key() == b"0/BJ-01"]
    assert of_table == []
    # The cure still comes, and finds all that was withheld by then.
    monkeypatch.undo()
    lifted = records(floor, started(floor, len(messages)).idle())
    assert before + lifted == told(fold(Table.new("BJ-01"), decoded(frames))[1])


def test_a_worker_that_dies_before_its_first_transaction_has_lifted_nothing(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, frames, messages, before = quarantined(broker, monkeypatch)
    lost = started(floor, 100).idle()
    assert records(floor, lost)
    assert entry_of(floor).broken
    again = work(floor, started(floor, 100), messages[100:])
    assert before + records(floor, again) == told(fold(Table.new("BJ-01"), decoded(frames))[1])


def test_a_snapshot_of_another_engine_is_no_obstacle(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cure may well give tables other fields: then all is folded, and the same is said."""
    floor, frames, messages, before = quarantined(broker, monkeypatch)
    spoiled = [
        Output(
            floor.topic(topics.TABLE_SNAPSHOTS),
            (message.value() or b"").replace(b"pitledger table 2", b"pitledger table 0"),
            message.key(),
        )
        for message in floor.read(topics.TABLE_SNAPSHOTS)
    ]
    write_down(floor, spoiled)
    after = work(floor, started(floor, 100), messages[100:])
    assert before + records(floor, after) == told(fold(Table.new("BJ-01"), decoded(frames))[1])


def test_an_engine_that_cannot_fold_what_was_said_already_does_not_say_it_again(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worse engine breaks on an event of before; the cure says only what came after."""
    floor, frames = one_table(broker)
    messages = floor.read(topics.TABLE_EVENTS)
    said = records(floor, work(floor, started(floor, 0), messages[:100]))
    write_down(floor, [Output(floor.topic(topics.TABLE_SNAPSHOTS), None, b"0/BJ-01")])
    broken_at("BJ-01", BREAK, monkeypatch)
    broken = work(floor, started(floor, 100), messages[100:150])
    assert records(floor, broken) == []
    assert dead_letters_of(broken) == frames[100:150]
    monkeypatch.undo()
    said += records(floor, work(floor, started(floor, 150), messages[150:]))
    assert said == told(fold(Table.new("BJ-01"), decoded(frames))[1])


def test_a_definition_that_broke_the_fold_is_tried_again_too(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor, frames = one_table(broker, defined=False)
    messages = floor.read(topics.TABLE_EVENTS)
    said = records(floor, work(floor, started(floor, 0), messages[:100]))
    publish_rules(floor)

    def breaks(_: Table, __: Catalogue) -> tuple[Table, Step]:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(settlement.domain.partition_tables, "publish", breaks)
    broken = work(floor, started(floor, 100), messages[100:150])
    assert records(floor, broken) == []
    assert "a definition broke the fold" in entry_of(floor).broken
    monkeypatch.undo()
    said += records(floor, work(floor, started(floor, 150), messages[150:]))
    table, steps = fold(Table.new("BJ-01"), decoded(frames[:100]))
    table, published = publish(table, FILED.with_(RULES))
    assert said == told([*steps, published, *fold(table, decoded(frames[100:]))[1]])


def test_a_fact_that_breaks_the_fold_sets_one_table_aside_until_an_engine_can(
    broker: Broker,
) -> None:
    """As processes, the second killed while it lifts: the same bytes, each once."""
    floor = Floor(broker, partitions=2)
    frames = day(12, tables=4, rounds=8)
    half = len(frames) // 2
    floor.send(frames[:half])
    everything = floor.expected()
    mine = {at: said for at, said in everything.items() if at[1] != b"BJ-00"}
    with floor.worker(
        module="tests.settlement.breaking", BREAKS="BJ-00:30", REFOLD_MAX="40"
    ) as bad:
        bad.wait_for("table is quarantined")
        eventually(lambda: mine.items() <= floor.said().items())
        eventually(lambda: len(floor.read(topics.DEAD_LETTERS)) > 0)
        assert bad.stop() == 0
    dead_letters = floor.read(topics.DEAD_LETTERS)
    assert {(m.key(), header(m, CODE), header(m, TABLE)) for m in dead_letters} == {
        (b"BJ-00", b"quarantined", b"BJ-00")
    }
    assert (header(dead_letters[0], REASON) or b"").startswith(
        b"quarantined: event 30 broke the fold"
    )
    floor.send(frames[half:])
    with floor.worker(
        module="tests.settlement.breaking", BREAKS="BJ-00:30", REFOLD_MAX="40"
    ) as bad:
        assert json.loads(bad.wait_for("quarantine stays"))["table"] == "BJ-00"
        bad.kill()
    with floor.worker(REFOLD_MAX="40") as good:
        good.wait_for("quarantine lifted")
        good.kill()
    with floor.worker(REFOLD_MAX="40"):
        floor.settles()
