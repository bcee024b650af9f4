"""A restored table goes on as the original; bytes that are no table do nothing at all."""

from __future__ import annotations

import os
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack.cards.card import DECK
from blackjack.facts import Event
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.rule_set import FILED, Catalogue, compose
from settlement.kafka.snapshots import LAYOUT, NotASnapshot, UnknownForm, restore, sealed, snapshot
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
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


@pytest.mark.proof
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
    return sealed(pickle.dumps(value, protocol=5))


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


_STATE = (b"}\x8c\x04forkK\x01s", b"N}\x8c\x04forkK\x01s\x86")
_NAMES = {
    "class": b"\x8c\x14blackjack.play.state\x8c\x0aTableState\x93",
    "card": b"\x8c\x14blackjack.cards.card\x8c\x04Card\x93K\x05\x85R",
    "catalogue": b"\x8c\x1bblackjack.rulebook.rule_set\x8c\x09Catalogue\x93)R",
    "enum": b"\x8c\x12blackjack.findings\x8c\x04Kind\x93\x8c\x0fpayout.overpaid\x85R",
}


@pytest.mark.parametrize("on", _NAMES)
@pytest.mark.parametrize("state", _STATE)
def test_no_bytes_can_set_an_attribute(on: str, state: bytes) -> None:
    """Of a class, or of a value that all tables share: the word for it is not admitted."""
    with pytest.raises(NotASnapshot, match="the word b'b'"):
        restore(sealed(b"\x80\x05" + _NAMES[on] + state + b"b."), FILED)
    with pytest.raises(NotASnapshot, match="something else than a table"):
        restore(sealed(b"\x80\x05" + _NAMES[on] + b"."), FILED)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"\x80\x05Nr\xff\xff\xff\x7f.", "b'r'"),
        (b"\x80\x05Np99999999999\n.", "b'p'"),
        (b"\x80\x05cos\nsystem\n(S'true'\ntR.", "b'c'"),
        (b"\x80\x05(S'true'\nios\nsystem\n.", "b'S'"),
        (b"\x80\x05\x82\x01.", "b'\\x82'"),
        (b"\x80\x05N\x81.", "b'\\x81'"),
        (b"\x80\x05PT1\n.", "b'P'"),
        (b"\x80\x05\x97.", "b'\\x97'"),
        (b"\x80\x05B\xff\xff\xff\x7f.", "no end"),
        (b"\x80\x05N.N.", "bytes after its end"),
        (b"", "no end"),
    ],
)
def test_words_that_reach_beyond_a_table_are_refused_unread(body: bytes, word: str) -> None:
    with pytest.raises(NotASnapshot) as rejected:
        restore(sealed(body), FILED)
    assert word in str(rejected.value)


def test_the_words_of_the_engines_own_snapshots_are_all_admitted() -> None:
    for game in GAMES:
        table, _ = fold(Table.new("T1"), stream(game, 5))
        assert restore(snapshot(table), FILED).next_seq == table.next_seq


@pytest.mark.parametrize("part", ["state", "base", "events", "marks", "rounds", "findings"])
@pytest.mark.parametrize("wrong", [None, 7, [7], {"a": 7}, [(1, 7)]], ids=repr)
def test_parts_of_a_wrong_type_are_refused(part: str, wrong: Any) -> None:
    table = Table.new("T1")
    try:
        setattr(table, part, wrong)
    except TypeError:  # the compiled engine does not even hold it
        return
    with pytest.raises(NotASnapshot):
        restore(snapshot(table), FILED)


def damaged(data: bytes, rng: Random) -> bytes:
    """Bytes changed, cut out, put in, or cut off."""
    spoilt = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(spoilt))
        kind = rng.randrange(4)
        if kind == 0:
            spoilt[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            spoilt[at] = rng.randrange(256)
        elif kind == 2:
            del spoilt[at : at + rng.randint(1, 9)]
        else:
            spoilt[at:at] = rng.randbytes(rng.randint(1, 9))
        if not spoilt:
            break
    return bytes(spoilt)


@settings(max_examples=200)
@given(seeds)
def test_damaged_bytes_are_refused_and_nothing_else_happens(seed: int) -> None:
    rng = Random(seed)
    spoilt = damaged(SAMPLE, rng)
    if spoilt != SAMPLE:
        with pytest.raises(NotASnapshot):
            restore(spoilt, FILED)


@settings(max_examples=300)
@given(seeds)
def test_forged_bytes_never_do_worse_than_claim_another_table(seed: int) -> None:
    """Damage with the right checksum: a table or a refusal, and shared values stay as they are."""
    rng = Random(seed)
    body = damaged(SAMPLE[len(SAMPLE) - BODY :], rng)
    try:
        table = restore(sealed(body), FILED)
    except NotASnapshot:
        return
    assert isinstance(table, Table)
    assert table.state.catalogue is FILED
    assert [card.index for card in DECK] == list(range(52))


def _sample() -> bytes:
    table, _ = fold(Table.new("T1"), stream("skweezit", 5, rounds=1)[:80])
    return snapshot(table)


SAMPLE = _sample()
BODY = len(SAMPLE) - len(sealed(b""))
