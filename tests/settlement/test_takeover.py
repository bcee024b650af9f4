"""One worker goes, another comes: what the first had learned, or set aside, is not forgotten."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from confluent_kafka import Message

from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.rule_set import FILED, compose
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import Output
from runtime.positions import Position
from settlement.kafka.settler import records_of
from settlement.kafka.worker import SettlementWorker
from table_simulator.domain.specs import specs
from tests.settlement.floor import Floor, eventually
from tests.settlement.streams import bad_day, decoded
from tests.stack.broker import Broker
from wire import topics
from wire.catalogue import encode_rule_set, rule_set_key

SPEC = specs("skweezit")[0]
RULES = compose(SPEC)


def one_table(broker: Broker, *, defined: bool = True) -> tuple[Floor, list[bytes]]:
    floor = Floor(broker, partitions=1)
    frames = bad_day(seed=11, spec=SPEC, rounds=10, table="BJ-01", defined=defined)
    floor.send([("BJ-01", frame, 0) for frame in frames])
    return floor, frames


def started(floor: Floor, offset: int, *, refold_max: int = 30) -> SettlementWorker:
    worker = SettlementWorker(floor.broker.bootstrap, refold_max=refold_max, prefix=floor.prefix)
    worker.assigned([Position(floor.topic(topics.TABLE_EVENTS), 0, offset)])
    return worker


def work(floor: Floor, worker: SettlementWorker, messages: list[Message]) -> list[Output]:
    """In batches of ten; what it writes down for itself is written."""
    outputs: list[Output] = []
    for at in range(0, len(messages), 10):
        outputs += worker.transform(messages[at : at + 10])
    write(floor, [output for output in outputs if output.topic.endswith(topics.TABLE_SNAPSHOTS)])
    return outputs


def write(floor: Floor, outputs: Iterable[Output]) -> None:
    producer = make_producer(producer_configuration(floor.broker.bootstrap))
    for output in outputs:
        producer.produce(output.topic, output.value, output.key)
    assert producer.flush(20) == 0
    producer.close()


def publish_rules(floor: Floor) -> None:
    definition = encode_rule_set(RULES)
    topic = floor.topic(topics.CATALOGUE)
    write(floor, [Output(topic, b"nonsense", rule_set_key("0" * 64)),
                  Output(topic, definition, rule_set_key(RULES.hash))])  # fmt: skip


def records(floor: Floor, outputs: Iterable[Output]) -> list[tuple[str, bytes | None]]:
    said = [(output.topic.removeprefix(floor.prefix), output.value) for output in outputs]
    return [message for message in said if message[0] in (topics.FINDINGS, topics.SETTLED_ROUNDS)]


@pytest.mark.parametrize("cut", [60, 131, 200])
def test_rounds_that_waited_settle_with_the_worker_that_comes_after(
    broker: Broker, cut: int
) -> None:
    """The definition comes while nobody works: what was said before stays said, once."""
    floor, frames = one_table(broker, defined=False)
    messages = floor.read(topics.TABLE_EVENTS)
    before = work(floor, started(floor, 0), messages[:cut])
    publish_rules(floor)
    after = work(floor, started(floor, cut), messages[cut:])
    table, steps = fold(Table.new("BJ-01"), decoded(frames[:cut]))
    assert records(floor, before) == [record[:2] for step in steps for record in records_of(step)]
    table, published = publish(table, FILED.with_(RULES))
    _, steps = fold(table, decoded(frames[cut:]))
    expected = [record[:2] for step in (published, *steps) for record in records_of(step)]
    assert records(floor, after) == expected


def test_a_definition_is_followed_while_working(broker: Broker) -> None:
    floor, _ = one_table(broker, defined=False)
    messages = floor.read(topics.TABLE_EVENTS)
    worker = started(floor, 0)
    work(floor, worker, messages[:100])
    publish_rules(floor)
    outputs: list[Output] = []
    rest = iter(messages[100:])

    def outputs_without_an_event() -> bool:
        outputs.extend(worker.transform([next(rest)]))
        return any(
            not output.headers and output.topic.endswith(topics.SETTLED_ROUNDS)
            for output in outputs
        )

    eventually(outputs_without_an_event)


def test_a_table_whose_snapshot_was_deleted_is_folded_from_the_beginning(broker: Broker) -> None:
    floor, frames = one_table(broker)
    messages = floor.read(topics.TABLE_EVENTS)
    before = work(floor, started(floor, 0), messages[:200])
    write(floor, [Output(floor.topic(topics.TABLE_SNAPSHOTS), None, b"0/BJ-01")])
    after = work(floor, started(floor, 200), messages[200:])
    _, steps = fold(Table.new("BJ-01"), decoded(frames))
    assert records(floor, before + after) == [
        record[:2] for step in steps for record in records_of(step)
    ]


@pytest.mark.parametrize("back", [0, 77])
def test_offsets_that_were_set_back_are_settled_as_the_first_time(
    broker: Broker, back: int
) -> None:
    """A snapshot of what is still to come would swallow it."""
    floor, frames = one_table(broker)
    messages = floor.read(topics.TABLE_EVENTS)
    work(floor, started(floor, 0), messages)
    again = work(floor, started(floor, back), messages[back:])
    _, steps = fold(Table.new("BJ-01"), decoded(frames))
    assert records(floor, again) == [
        record[:2] for step in steps[back:] for record in records_of(step)
    ]


@pytest.mark.parametrize(("first", "second"), [(200, 0), (0, 200), (25, 3)])
def test_another_bound_than_the_worker_before_had_changes_nothing(
    broker: Broker, first: int, second: int
) -> None:
    floor, frames = one_table(broker)
    messages = floor.read(topics.TABLE_EVENTS)
    outputs: list[Output] = []
    third = len(messages) // 3
    bounds = (first, second, first)
    for at, refold_max in zip((0, third, 2 * third), bounds, strict=True):
        end = at + third if at < 2 * third else len(messages)
        worker = started(floor, at, refold_max=refold_max)
        outputs += work(floor, worker, messages[at:end])
    _, steps = fold(Table.new("BJ-01"), decoded(frames))
    assert records(floor, outputs) == [record[:2] for step in steps for record in records_of(step)]
