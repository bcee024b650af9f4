"""What comes out of a batch: the same bytes however the batches are cut, and nobody stopped."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import settlement.domain.partition_tables
from blackjack.facts import Event
from blackjack.outcomes import Step
from blackjack.play.table import Table, fold
from blackjack.rulebook.rule_set import FILED, compose
from runtime.kafka.records import Headers, Output
from settlement.domain.partition_tables import waits
from settlement.kafka.settler import InputMessage, Settler, records_of
from settlement.kafka.snapshots import restore
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.settlement.floor import stored_in
from tests.settlement.streams import bad_day, decoded
from wire import topics

PUBLISHED = (topics.FINDINGS, topics.SETTLED_ROUNDS)


def floor(
    seed: int, *, tables: int = 4, rounds: int = 4, defined: bool = True
) -> list[InputMessage]:
    """Tables of several games in one partition, interleaved."""
    rng = Random(seed)
    streams = {
        f"T{number}": bad_day(
            seed=seed + number,
            spec=specs(GAMES[number % len(GAMES)])[0],
            rounds=rounds,
            table=f"T{number}",
            defined=defined,
        )[::-1]
        for number in range(tables)
    }
    log: list[InputMessage] = []
    while streams:
        table = rng.choice(sorted(streams))
        log.append(InputMessage(0, len(log), table.encode(), streams[table].pop(), []))
        if not streams[table]:
            del streams[table]
    return log


def settled(
    log: list[InputMessage], batches: Iterator[int] | int, refold_max: int = 50
) -> list[Output]:
    settling = Settler(FILED, refold_max=refold_max)
    settling.open(0)
    return run(settling, log, batches)


def run(settling: Settler, log: list[InputMessage], batches: Iterator[int] | int) -> list[Output]:
    outputs: list[Output] = []
    at = 0
    while at < len(log):
        size = batches if isinstance(batches, int) else next(batches)
        outputs += settling.settle(log[at : at + size])
        at += size
    return outputs


Said = tuple[bytes | None, Headers | None]


def by_table(outputs: list[Output], *names: str) -> dict[tuple[str, bytes | None], list[Said]]:
    found: dict[tuple[str, bytes | None], list[Said]] = {}
    for output in outputs:
        if output.topic in names:
            found.setdefault((output.topic, output.key), []).append((output.value, output.headers))
    return found


def folded_without(log: list[InputMessage]) -> dict[tuple[str, bytes | None], list[bytes]]:
    """The engine alone, table by table."""
    found: dict[tuple[str, bytes | None], list[bytes]] = {}
    for key in sorted({event.key or b"" for event in log}):
        events = decoded([event.value for event in log if event.key == key])
        for step in fold(Table.new(key.decode()), events)[1]:
            for topic, value, _ in records_of(step):
                found.setdefault((topic, key), []).append(value)
    return found


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.booleans())
def test_batches_of_any_size_give_what_the_engine_alone_gives(seed: int, defined: bool) -> None:
    log = floor(seed, tables=3, rounds=3, defined=defined)
    rng = Random(seed)
    expected = by_table(settled(log, len(log)), *PUBLISHED)
    assert expected == by_table(settled(log, 1), *PUBLISHED)
    assert expected == by_table(settled(log, iter(lambda: rng.randint(1, 90), 0)), *PUBLISHED)
    alone = folded_without(log)
    assert {at: [value for value, _ in said] for at, said in expected.items()} == alone


def test_a_message_says_where_its_cause_stood() -> None:
    log = [replace(message, headers=[("traceparent", b"00-1-2-3")]) for message in floor(1)]
    outputs = [output for output in settled(log, 100) if output.topic in PUBLISHED]
    for output in outputs:
        known = dict(output.headers or [])
        source = log[int(known["source-offset"] or -1)]
        assert (source.key, source.partition) == (output.key, 0)
        assert known["traceparent"] == b"00-1-2-3"


def test_bytes_that_are_no_event_are_set_aside_with_the_reason() -> None:
    log = floor(2)
    bad = [
        InputMessage(0, 0, b"T1", b"nonsense", [("x", b"y")]),
        InputMessage(0, 0, b"T1", b"", []),
        InputMessage(0, 0, None, log[5].value, []),
        InputMessage(0, 0, b"\xff", log[5].value, []),
    ]
    mixed = log[:40] + bad[:2] + log[40:80] + bad[2:] + log[80:]
    mixed = [replace(message, offset=offset) for offset, message in enumerate(mixed)]
    outputs = settled(mixed, 7)
    values = {at: [v for v, _ in said] for at, said in by_table(outputs, *PUBLISHED).items()}
    assert values == folded_without(log)
    dead_letters = [output for output in outputs if output.topic == topics.DEAD_LETTERS]
    assert [(letter.value, letter.key) for letter in dead_letters] == [
        (b.value, b.key) for b in bad
    ]
    known = dict(dead_letters[0].headers or [])
    assert known["source-offset"] == b"40"
    assert known["x"] == b"y"
    assert str(known["reason"]).startswith("b'unreadable: ")


def broken_at(table: str, seq: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(held: Table, events: list[Event]) -> tuple[Table, list[Step]]:
        if any(event.table == table and event.seq == seq for event in events):
            raise ZeroDivisionError("a fault")
        return fold(held, events)

    monkeypatch.setattr(settlement.domain.partition_tables, "fold", breaks)


@pytest.mark.parametrize("size", [1, 13, 10_000])
def test_a_table_that_breaks_the_fold_is_quarantined_alone(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = floor(3)
    whole = by_table(settled(log, 100), *PUBLISHED)
    broken_at("T1", 60, monkeypatch)
    outputs = settled(log, size)
    said = by_table(outputs, *PUBLISHED)
    for at, records in whole.items():
        if at[1] != b"T1":
            assert said[at] == records
        else:
            assert said.get(at, []) == records[: len(said.get(at, []))]
    dead_letters = [output for output in outputs if output.topic == topics.DEAD_LETTERS]
    reasons = [dict(letter.headers or [])["reason"] for letter in dead_letters]
    assert reasons[0] == b"quarantined: event 60 broke the fold: ZeroDivisionError('a fault')"
    assert set(reasons[1:]) == {b"quarantined"}
    of_table = [event.value for event in log if event.key == b"T1"]
    assert [letter.value for letter in dead_letters] == of_table[-len(dead_letters) :]


@pytest.mark.parametrize("refold_max", [0, 40, 10_000])
def test_no_table_is_behind_its_snapshot_by_more_than_the_bound(refold_max: int) -> None:
    log = floor(5, tables=6)
    settling = Settler(FILED, refold_max=refold_max)
    pit = settling.open(0)
    outputs: list[Output] = []
    end = 0
    for at in range(0, len(log), 25):
        batch = log[at : at + 25]
        outputs += settling.settle(batch)
        end = batch[-1].offset + 1
        stored = stored_in(outputs)
        assert stored.ahead is not None
        assert stored.ahead.refold_max == refold_max
        for name in pit.tables:
            since = stored.entries[name].offset if name in stored.entries else 0
            newer = [e.offset for e in log[since:end] if e.key == name.encode()]
            assert not newer or end - newer[0] <= refold_max


def test_rounds_that_waited_settle_once_their_rules_are_published() -> None:
    log = floor(7, defined=False)
    settling = Settler(FILED, refold_max=10_000)
    pit = settling.open(0)
    half = len(log) // 2
    before = run(settling, log[:half], 30)
    assert all(waits(held.table) for held in pit.tables.values())
    stored = stored_in(before)
    assert set(stored.entries) == set(pit.tables), "what waits is stored with every batch"
    known = FILED.with_(*(compose(specs(game)[0]) for game in GAMES))
    settling.learn(known)
    after = run(settling, log[half:], 30)
    causes = [
        output for output in after if output.topic == topics.SETTLED_ROUNDS and not output.headers
    ]
    assert causes, "superseding rounds, caused by no event"
    # A worker that restores what was stored before and knows the rules says the same.
    other = Settler(known, refold_max=10_000)
    taken_over = other.open(0)
    for name, entry in stored.entries.items():
        taken_over.tables[name] = settlement.domain.partition_tables.TableEntry(
            restore(entry.state, known)
        )
    again = run(other, log[half:], 30)
    assert by_table(again, *PUBLISHED) == by_table(after, *PUBLISHED)
