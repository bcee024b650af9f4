"""Nothing that comes in stops a worker: it is set aside or found, and the other tables go on."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.facts import RoundOpened, RuleSetActivated, TableClosed, WagerPlaced
from blackjack.findings import Kind
from blackjack.outcomes import RoundStatus
from runtime.kafka.records import header
from table_simulator.seeded import play
from tests.settlement.floor import Floor, Frame, eventually
from tests.settlement.streams import decoded, frames_of
from tests.settlement.test_takeover import SPEC
from tests.settlement.test_worker import day
from tests.stack.broker import Broker
from tests.stack.foreign import write_with_a_bad_header
from wire import topics
from wire.headers import CODE, REASON, SOURCE_OFFSET, TABLE
from wire.settlement import decode_record, decode_round


def others() -> list[Frame]:
    return [frame for frame in day(4, tables=3, rounds=3) if frame[0] != "BJ-00"]


def kinds(floor: Floor, table: bytes) -> list[object]:
    said = floor.said().get((topics.FINDINGS, table), [])
    return [getattr(decode_record(each), "kind", None) for each in said]


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
    letters = floor.read(topics.DEAD_LETTERS)
    assert {header(each, CODE) for each in letters} == {b"unreadable"}
    assert [header(each, TABLE) for each in letters] == [b"BJ-01", b"BJ-01", None, None]
    assert [header(each, SOURCE_OFFSET) for each in letters] == [b"100", b"101", b"102", b"103"]
    for each in letters:
        assert (header(each, REASON) or b"").startswith(b"unreadable: ")


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
    assert [header(each, SOURCE_OFFSET) for each in floor.read(topics.DEAD_LETTERS)] == [b"100"]


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
    rounds = [decode_round(each) for each in floor.said()[topics.SETTLED_ROUNDS, b"BJ-00"]]
    assert {each.status for each in rounds} == {RoundStatus.UNRESOLVED}
    assert floor.read(topics.DEAD_LETTERS) == []


def test_a_round_at_a_closed_table_is_found(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    events = play(seed=5, table_id="BJ-00", spec=SPEC, rounds=2).events
    last = events[-1]
    assert any(isinstance(each.fact, TableClosed) for each in events)
    events.append(replace(last, seq=last.seq + 1, fact=RoundOpened("late")))
    events.append(replace(last, seq=last.seq + 2, fact=WagerPlaced(1, "main", 2000)))
    frames = frames_of(events)
    assert decoded(frames)[-1].seq == len(frames)
    floor.send([("BJ-00", frame, 0) for frame in frames] + others())
    with floor.worker():
        floor.settles()
    assert kinds(floor, b"BJ-00").count(Kind.OUT_OF_PLACE) == 1
    assert floor.read(topics.DEAD_LETTERS) == []
