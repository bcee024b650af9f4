"""The catalogue: what is published is said at once, stored with what it changed, and once."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.promotions import Terms
from blackjack.rulebook.rule_set import FILED, compose
from runtime.kafka.records import Output, header
from settlement.kafka.settler import InputMessage, Settler, records_of
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.settlement.floor import Floor, Frame, eventually, stored_in
from tests.settlement.streams import decoded, frames_of, without_definitions, without_terms
from tests.settlement.test_settling import floor as mixed_floor
from tests.settlement.test_settling import run
from tests.settlement.test_takeover import RULES, SPEC, publish_rules, write
from tests.stack.broker import Broker
from wire import topics
from wire.catalogue import encode_terms, promotion_key
from wire.headers import SOURCE_OFFSET

ROUNDS = 3
"""Few enough for all of them to be at hand when the definition comes."""


def unnamed(table: str, *, seed: int = 3) -> tuple[list[bytes], list[Terms]]:
    """A table whose rules and promotions are only named."""
    events = play(seed=seed, table_id=table, spec=SPEC, rounds=ROUNDS).events
    named, terms = without_terms(without_definitions(events))
    return frames_of(named), terms


def sendable(table: str, frames: list[bytes]) -> list[Frame]:
    return [(table, frame, 0) for frame in frames]


def publish_terms(floor: Floor, terms: list[Terms]) -> None:
    topic = floor.topic(topics.CATALOGUE)
    write(floor, [Output(topic, b"nonsense", promotion_key("0" * 64)),
                  *(Output(topic, encode_terms(term), promotion_key(term.hash))
                    for term in terms)])  # fmt: skip


def test_what_waited_is_said_though_no_event_comes(broker: Broker) -> None:
    """Rules first, then terms, both while nothing is dealt; killed in between."""
    floor = Floor(broker, partitions=2)
    frames, terms = unnamed("BJ-01", seed=16)
    floor.send(sendable("BJ-01", frames))
    key = (topics.SETTLED_ROUNDS, b"BJ-01")
    with floor.worker() as worker:
        floor.settles()
        publish_rules(floor)
        eventually(lambda: len(floor.said()[key]) == 2 * ROUNDS)
        worker.kill()
    with floor.worker() as worker:
        worker.wait_for("tables restored")
        publish_terms(floor, terms)
        eventually(lambda: len(floor.said()[key]) > 2 * ROUNDS)
        assert worker.stop() == 0
    table, steps = fold(Table.new("BJ-01"), decoded(frames))
    table, ruled = publish(table, FILED.with_(RULES))
    table, paid = publish(table, FILED.with_(RULES).with_terms(*terms))
    expected = [record[:2] for step in (*steps, ruled, paid) for record in records_of(step)]
    for name in (topics.FINDINGS, topics.SETTLED_ROUNDS):
        assert floor.said()[name, b"BJ-01"] == [value for topic, value in expected if topic == name]
    rounds = floor.read(topics.SETTLED_ROUNDS)
    assert [header(message, SOURCE_OFFSET) for message in rounds[ROUNDS:]] == [None] * (
        len(rounds) - 3
    )


def test_a_coupon_is_paid_by_terms_that_were_published_before(broker: Broker) -> None:
    floor = Floor(broker, partitions=1)
    frames, terms = unnamed("BJ-01", seed=16)
    publish_rules(floor)
    publish_terms(floor, terms)
    floor.send(sendable("BJ-01", frames))
    known = FILED.with_(RULES).with_terms(*terms)
    steps = fold(Table.new("BJ-01", known), decoded(frames))[1]
    rounds = [value for step in steps for topic, value, _ in records_of(step)
              if topic == topics.SETTLED_ROUNDS]  # fmt: skip
    assert len(rounds) == ROUNDS
    with floor.worker():
        eventually(lambda: floor.said().get((topics.SETTLED_ROUNDS, b"BJ-01")) == rounds)


def test_a_table_that_learned_while_another_partition_was_dealt_is_stored_with_it() -> None:
    """What was said of it would otherwise be said again by whoever takes it over."""
    waiting = mixed_floor(7, tables=2, defined=False)
    other = [replace(message, partition=1) for message in mixed_floor(8, tables=1)]
    settling = Settler(FILED, refold_max=10_000)
    settling.open(0)
    settling.open(1)
    run(settling, waiting, 50)
    settling.learn(FILED.with_(*(compose(specs(game)[0]) for game in GAMES)))
    outputs = list(settling.settle(other[:5]))
    said = {output.key for output in outputs if output.topic == topics.SETTLED_ROUNDS}
    stored = stored_in(outputs)
    assert said == {b"T0", b"T1"}
    assert set(stored.entries) == {"T0", "T1"}
    assert {entry.offset for entry in stored.entries.values()} == {len(waiting)}


def test_an_empty_batch_says_nothing_when_there_is_nothing_to_say() -> None:
    settling = Settler(FILED, refold_max=10_000)
    settling.open(0)
    log: list[InputMessage] = mixed_floor(5)
    run(settling, log, 50)
    assert list(settling.settle(())) == []
