"""A restored table goes on as the original; bytes that are no table do nothing at all."""

from __future__ import annotations

import os
import pickle
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack.cards import DECK
from blackjack.facts import Event
from blackjack.rule_set import FILED, Catalogue, compose
from blackjack.table import Table, fold, publish
from settlement.snapshots import FORM, LAYOUT, NotASnapshot, UnknownForm, restore, snapshot
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from table_simulator.seeded import play
from tests.plain import plain
from tests.settlement.streams import bad_day, decoded

seeds = st.integers(0, 2**32)


def stream(game: str, seed: int, *, defined: bool = True, rounds: int = 7) -> list[Event]:
    choices = specs(game)
    spec = choices[seed % len(choices)]
    return decoded(bad_day(seed=seed, spec=spec, rounds=rounds, defined=defined))


@settings(max_examples=60)
@given(st.sampled_from(GAMES), seeds, st.booleans(), st.data())
def test_a_restored_table_goes_on_as_if_never_stored(
    game: str, seed: int, defined: bool, data: st.DataObject
) -> None:
    events = stream(game, seed, defined=defined)
    cut = data.draw(st.integers(0, len(events)))
    table, _ = fold(Table.new("T1"), events[:cut])
    again = restore(snapshot(table), FILED)
    assert plain(again) == plain(table)
    went_on, steps = fold(table, events[cut:])
    restored, same = fold(again, events[cut:])
    assert same == steps
    assert plain(restored) == plain(went_on)


@settings(max_examples=25)
@given(seeds, st.data())
def test_a_table_stored_after_every_few_events_is_the_same_table(
    seed: int, data: st.DataObject
) -> None:
    events = stream("double_action_iii", seed, rounds=4)
    stride = data.draw(st.integers(1, 40))
    whole, steps = fold(Table.new("T1"), events)
    table, pieces = Table.new("T1"), []
    for at in range(0, len(events), stride):
        table, some = fold(restore(snapshot(table), FILED), events[at : at + stride])
        pieces += some
    assert pieces == steps
    assert plain(table) == plain(whole)


@settings(max_examples=25)
@given(st.sampled_from(GAMES), seeds)
def test_rounds_that_wait_for_their_rules_settle_after_a_restart(game: str, seed: int) -> None:
    events = stream(game, seed, defined=False)
    choices = specs(game)
    known = FILED.with_(compose(choices[seed % len(choices)]))
    table, _ = fold(Table.new("T1"), events)
    assert publish(restore(snapshot(table), FILED), known)[1] == publish(table, known)[1]


def test_what_is_shared_stays_shared_and_cards_stay_the_52() -> None:
    played = play(seed=8, table_id="T1", spec=specs("skweezit")[0], rounds=12).events
    table, _ = fold(Table.new("T1"), played[:-30])
    again = restore(snapshot(table), FILED)
    assert len(again.marks) > 1
    assert table.marks[0][1] is table.base
    assert again.marks[0][1] is again.base
    assert all(state.terms is again.state.terms for _, state in again.marks)
    assert again.state.catalogue is FILED
    read = [card for event in again.events if (card := getattr(event.fact, "card", None))]
    assert read
    assert all(card is DECK[card.index] for card in read)


def test_a_rule_set_that_the_catalogue_lacks_comes_with_its_definition() -> None:
    spec = specs("dead_mans_hand")[0]
    assert compose(spec).hash not in FILED
    table, _ = fold(Table.new("T1"), decoded(bad_day(seed=4, spec=spec, rounds=3)))
    again = restore(snapshot(table), FILED)
    assert again.state.rules == compose(spec)
    known = FILED.with_(compose(spec))
    found = restore(snapshot(table), known)
    assert found.state.rules is known.get(compose(spec).hash)


def test_a_snapshot_of_another_engine_says_what_to_do() -> None:
    data = snapshot(Table.new("T1"))
    other = data.replace(LAYOUT, b"0" * len(LAYOUT), 1)
    with pytest.raises(UnknownForm, match="rebuild the table from the log"):
        restore(other, FILED)
    with pytest.raises(UnknownForm):
        restore(b"", FILED)


class _Runs:
    def __init__(self, *what: Any) -> None:
        self.what = what

    def __reduce__(self) -> Any:
        return self.what


def _dumped(value: object) -> bytes:
    return FORM + LAYOUT + pickle.dumps(value, protocol=5)


@pytest.mark.parametrize(
    "payload",
    [
        _Runs(os.system, ("true",)),
        _Runs(eval, ("1",)),
        _Runs(getattr, (Table, "new")),
        _Runs(Catalogue.with_, (1,)),
        [1, 2],
        Table,
    ],
    ids=["system", "eval", "getattr", "method", "list", "class"],
)
def test_bytes_that_ask_for_more_than_a_table_are_refused(payload: object) -> None:
    with pytest.raises(NotASnapshot):
        restore(_dumped(payload), FILED)


def test_no_bytes_can_alter_a_class() -> None:
    """The pickle machine can set attributes of what it has on its stack: makers have none."""
    for kind in (b"blackjack.state\nState\n", b"blackjack.facts.event\nEvent\n"):
        for state in (b"}\x8c\x04forkK\x01s", b"N}\x8c\x04forkK\x01s\x86"):
            with pytest.raises(NotASnapshot):
                restore(FORM + LAYOUT + b"\x80\x04c" + kind + state + b"b.", FILED)


@given(seeds)
def test_bytes_that_were_altered_never_do_worse_than_be_refused(seed: int) -> None:
    rng = Random(seed)
    data = bytearray(SAMPLE)
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(FORM + LAYOUT), len(data))] = rng.randrange(256)
    cut = data[: rng.randrange(len(data))] if rng.random() < 0.3 else data
    with suppress(NotASnapshot):
        restore(bytes(cut), Catalogue())


SAMPLE = snapshot(Table.new("T1"))
