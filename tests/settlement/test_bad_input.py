"""Nothing that comes in stops a worker: it is set aside or found, and the other tables go on."""

from __future__ import annotations

import hashlib
import os

from msgspec.structs import replace

from blackjack.facts import (
    Event,
    RoundOpened,
    RuleSetActivated,
    TableClosed,
    TableOpened,
    WagerPlaced,
)
from blackjack.findings import Kind
from blackjack.outcomes import RoundStatus
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import header, headers_of
from table_simulator.days.randomness import play
from tests.settlement.floor import Floor, Frame, eventually, stored_in
from tests.settlement.streams import decoded, frames_of
from tests.settlement.test_takeover import SPEC
from tests.settlement.test_worker import day
from tests.stack.broker import Broker
from tests.stack.foreign import write_with_a_bad_header
from wire import topics
from wire.events import write_event
from wire.headers import CODE, DIGEST, LENGTH, REASON, SOURCE_OFFSET, TABLE
from wire.settlement import decode_record, decode_round


def others() -> list[Frame]:
    return [frame for frame in day(4, tables=3, rounds=3) if frame[0] != "BJ-00"]


def kinds(floor: Floor, table: bytes) -> list[object]:
    said = floor.said().get((topics.FINDINGS, table), [])
    return [getattr(decode_record(message), "kind", None) for message in said]


def test_what_is_no_event_is_set_aside_with_a_code(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    frames = others()
    floor.send(frames[:100])
    topic = floor.topic(topics.TABLE_EVENTS)
    broker.write(topic, [b"nonsense", b""], key=b"BJ-01")
    broker.write(topic, [frames[0][1]], key=None)
    broker.write(topic, [frames[0][1]], key=b"\xff")
    floor.send(frames[100:])
    with floor.worker():
        floor.settles()
        eventually(lambda: len(floor.read(topics.DEAD_LETTERS)) == 4)
    dead_letters = floor.read(topics.DEAD_LETTERS)
    assert {header(letter, CODE) for letter in dead_letters} == {b"unreadable"}
    assert [header(letter, TABLE) for letter in dead_letters] == [b"BJ-01", b"BJ-01", None, None]
    assert [header(letter, SOURCE_OFFSET) for letter in dead_letters] == [
        b"100",
        b"101",
        b"102",
        b"103",
    ]
    for letter in dead_letters:
        assert (header(letter, REASON) or b"").startswith(b"unreadable: ")


def test_headers_that_nobody_can_read_stop_no_worker(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    frames = others()
    floor.send(frames[:100])
    table, event, _ = frames[100]
    topic = floor.topic(topics.TABLE_EVENTS)
    write_with_a_bad_header(broker.bootstrap, topic, b"no event", key=b"BJ-01")
    write_with_a_bad_header(broker.bootstrap, topic, event, key=table.encode())
    floor.sent.append((table, event, 0))  # it counts, as one that passed no gateway
    floor.send(frames[101:])
    with floor.worker():
        floor.settles()
    with floor.worker() as another:  # reads the same stretch again
        another.wait_for("tables restored")
        floor.send([frame for frame in day(4, tables=4, rounds=3) if frame[0] == "BJ-03"])
        floor.settles()
        assert another.is_alive
    assert [header(message, SOURCE_OFFSET) for message in floor.read(topics.DEAD_LETTERS)] == [
        b"100"
    ]


def test_messages_as_large_as_a_broker_takes_stop_no_worker(broker: Broker) -> None:
    """Each as large as a topic's default: value, key, headers."""
    floor = Floor(broker, partitions=1)
    frames = others()
    floor.send(frames[:100])
    event = frames[100]
    many = 1_000_000
    producer = make_producer(producer_configuration(broker.bootstrap))
    topic = floor.topic(topics.TABLE_EVENTS)
    large = os.urandom(many)
    producer.produce(topic, large, b"BJ-01")
    producer.produce(topic, b"x", b"k" * many)
    producer.produce(topic, b"x", b"BJ-01", headers=[("traceparent", large)])
    producer.produce(topic, b"x", b"BJ-01", headers=[("h", large[:10_000])] * 90)
    producer.produce(topic, event[1], event[0].encode(), headers=[("traceparent", large)])
    assert producer.flush(30) == 0
    producer.close()
    floor.sent.append((event[0], event[1], 0))
    floor.send(frames[101:])
    with floor.worker() as worker:
        floor.settles()
        eventually(lambda: len(floor.read(topics.DEAD_LETTERS)) == 4)
        assert worker.is_alive
    dead_letters = floor.read(topics.DEAD_LETTERS)
    assert (dead_letters[0].value(), header(dead_letters[0], LENGTH)) == (
        large[:65_536],
        b"%d" % many,
    )
    assert header(dead_letters[0], DIGEST) == hashlib.sha256(large).hexdigest().encode()
    assert header(dead_letters[1], TABLE) is None
    assert b"too long" in (header(dead_letters[1], REASON) or b"")
    for letter in dead_letters:
        assert len(letter.key() or b"") <= 1024
        assert sum(len(value or b"") for _, value in headers_of(letter)) < 20_000


def test_a_text_without_end_is_no_event(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    floor.send(others())
    events = play(seed=5, table_id="BJ-00", spec=SPEC, rounds=2).events
    message = write_event(events[0])
    message.device_id = "d" * 257
    broker.write(floor.topic(topics.TABLE_EVENTS), [message.SerializeToString()] * 30, key=b"BJ-00")
    with floor.worker():
        floor.settles()
        eventually(lambda: len(floor.read(topics.DEAD_LETTERS)) == 30)
    reason = header(floor.read(topics.DEAD_LETTERS)[0], REASON)
    assert reason == b"unreadable: device_id has 257 characters, more than 256"


def test_a_table_too_large_to_be_written_down_is_set_aside_alone(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    floor.send(others())
    # Without a round nothing is forgotten: every event stays in the state, with its texts.
    signed = TableOpened((), "slip", tuple(f"{number:0250}" for number in range(240)))
    at = 1_790_000_000_000_000
    frames = frames_of([Event("BJ-00", seq, at + seq, signed) for seq in range(1, 102)])
    topic = floor.topic(topics.TABLE_EVENTS)
    broker.write(topic, frames[:-1], key=b"BJ-00")
    expected = sum(map(len, floor.expected().values()))

    def outputs_of_others() -> bool:
        said = floor.said()
        return (
            sum(len(message) for (_, name), message in said.items() if name != b"BJ-00") >= expected
        )

    with floor.worker(REFOLD_MAX="50") as worker:
        eventually(outputs_of_others)
        worker.wait_for("table is quarantined")
    later = [frame for frame in day(4, tables=4, rounds=3) if frame[0] == "BJ-03"]
    floor.send(later)
    broker.write(topic, frames[-1:], key=b"BJ-00")
    expected = sum(map(len, floor.expected().values()))
    with floor.worker(REFOLD_MAX="50") as worker:
        assert "more than the" in worker.wait_for("quarantine stays")
        eventually(outputs_of_others)
        eventually(
            lambda: any(
                header(message, CODE) == b"quarantined"
                for message in floor.read(topics.DEAD_LETTERS)
            )
        )
        assert worker.is_alive
    entries = stored_in(floor.read(topics.TABLE_SNAPSHOTS))
    entry = entries.entries["BJ-00"]
    assert entry.broken.startswith("its state has ")
    assert entry.state == b""


def test_a_rule_set_that_nobody_knows_leaves_its_rounds_unresolved(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    events = [
        replace(event, fact=RuleSetActivated("00" * 32))
        if isinstance(event.fact, RuleSetActivated)
        else event
        for event in play(seed=5, table_id="BJ-00", spec=SPEC, rounds=2).events
    ]
    floor.send([("BJ-00", frame, 0) for frame in frames_of(events)] + others())
    with floor.worker():
        floor.settles()
    assert Kind.UNKNOWN_RULES in kinds(floor, b"BJ-00")
    rounds = [decode_round(message) for message in floor.said()[topics.SETTLED_ROUNDS, b"BJ-00"]]
    assert {settled.status for settled in rounds} == {RoundStatus.UNRESOLVED}
    assert floor.read(topics.DEAD_LETTERS) == []


def test_a_round_at_a_closed_table_is_found(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    events = play(seed=5, table_id="BJ-00", spec=SPEC, rounds=2).events
    last = events[-1]
    assert any(isinstance(event.fact, TableClosed) for event in events)
    events.append(replace(last, seq=last.seq + 1, fact=RoundOpened("late")))
    events.append(replace(last, seq=last.seq + 2, fact=WagerPlaced(1, "main", 2000)))
    frames = frames_of(events)
    assert decoded(frames)[-1].seq == len(frames)
    floor.send([("BJ-00", frame, 0) for frame in frames] + others())
    with floor.worker():
        floor.settles()
    assert kinds(floor, b"BJ-00").count(Kind.OUT_OF_PLACE) == 1
    assert floor.read(topics.DEAD_LETTERS) == []
