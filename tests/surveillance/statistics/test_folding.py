"""The state of a subject is a function of the set of what it was told."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from surveillance.domain.statistics import (
    Bet,
    Contribution,
    Entry,
    StreamEvidence,
    StreamKind,
    Subject,
    Ticket,
    alarms,
    fold,
)

WINDOW_US = 1_000

values = st.sampled_from((0.0, 0.5, 1.0, 2.0, 40.0))
tickets = st.builds(Ticket, values, st.integers(1, 3))
luck = st.builds(
    StreamEvidence,
    st.just(StreamKind.LUCK),
    st.sampled_from(("main", "skweezit")),
    st.tuples(st.tuples(tickets), st.tuples(tickets)),
    observed=st.integers(-9, 9).map(float),
    expected=st.integers(-9, 9).map(float),
)
bets = st.builds(
    StreamEvidence,
    st.just(StreamKind.COUNT),
    st.just("main"),
    st.just(()),
    st.just(0.0),
    st.just(0.0),
    st.builds(
        Bet,
        shoe=st.sampled_from("ab"),
        cents=st.integers(1, 5),
        index=st.sampled_from((0.4, 0.5, 0.6)),
        variance=st.just(0.1),
        cards=st.integers(30, 90),
    ),
)
entries = st.builds(
    Entry,
    opened_at=st.integers(0, WINDOW_US),
    table=st.sampled_from("TU"),
    round=st.integers(1, 30).map(str),
    version=st.just(1),
    evidence=st.tuples(luck) | st.tuples(luck, bets),
)
rounds = st.lists(entries, unique_by=lambda each: (each.table, each.round), max_size=12)


def folded(found: Iterable[Entry], window_us: int = WINDOW_US) -> Subject | None:
    state = None
    for each in found:
        state = fold(state, Contribution("patron:P", each), window_us=window_us)
    return state


@given(rounds, st.integers())
def test_the_order_of_arrival_changes_nothing(found: list[Entry], seed: int) -> None:
    shuffled = Random(seed).sample(found, len(found))
    assert folded(shuffled) == folded(found)


@given(rounds, st.integers())
def test_what_comes_again_changes_nothing(found: list[Entry], seed: int) -> None:
    again = Random(seed).choices(found, k=len(found)) if found else []
    assert folded([*found, *again]) == folded(found)


@given(rounds, entries, st.integers())
def test_a_later_version_stands_alone_whenever_it_comes(
    found: list[Entry], other: Entry, seed: int
) -> None:
    now = msgspec.structs.replace(other, version=2)
    rest = [each for each in found if (each.table, each.round) != (now.table, now.round)]
    told = Random(seed).sample([*found, now], len(found) + 1)
    assert alarms_of(folded(told)) == alarms_of(folded([*rest, now]))
    assert tallies_of(folded(told)) == tallies_of(folded([*rest, now]))


@given(rounds)
def test_a_withdrawn_round_leaves_nothing_behind(found: list[Entry]) -> None:
    gone = [msgspec.structs.replace(each, version=2, evidence=()) for each in found]
    assert tallies_of(folded([*found, *gone])) == {}


@given(st.lists(entries, unique_by=lambda each: (each.table, each.round), max_size=30))
def test_what_has_left_the_window_is_remembered_in_the_tallies(found: list[Entry]) -> None:
    in_order = sorted(found, key=lambda each: each.place)
    short = folded(in_order, window_us=100)
    assert tallies_of(short) == tallies_of(folded(in_order))
    if short is not None:
        assert all(each.opened_at >= short.closed_until for each in short.entries)
        assert short.too_late == 0


def test_what_comes_after_its_place_was_closed_is_counted_and_not_taken() -> None:
    ticket = StreamEvidence(StreamKind.LUCK, "main", ((Ticket(2.0),),), 1, 0)
    early, late = (Entry(at, "T", str(at), 1, (ticket,)) for at in (0, 5_000))
    state = folded([late, early])
    assert state is not None
    assert state.too_late == 1
    assert tallies_of(state) == tallies_of(folded([late]))


@given(rounds)
def test_a_state_survives_its_bytes(found: list[Entry]) -> None:
    state = folded(found)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=Subject | None) == state


def alarms_of(state: Subject | None) -> object:
    return () if state is None else alarms(state)


def tallies_of(state: Subject | None) -> object:
    return {} if state is None else state.tallies
