"""A stream under the pen: numbers, trays and chains after it was changed."""

from __future__ import annotations

from random import Random

import pytest

from blackjack.facts import HeartbeatSent, TableClosed, TipDropped, TrayObserved, WagerPaid
from table_simulator.days.event_chain import seal_events
from table_simulator.days.randomness import play
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.play.controller_log import value_cents
from table_simulator.domain.specs import specs
from wire.chain import ChainBreak, verify

EVENTS = play(seed=3, table_id="T1", spec=specs("skweezit")[2], rounds=12).events


def drafted() -> StreamDraft:
    return StreamDraft(list(EVENTS), Random(1))


def trays(draft: StreamDraft) -> list[int]:
    return [
        value_cents(event.fact.inventory)
        for event in draft.finish()
        if isinstance(event.fact, TrayObserved | TableClosed)
    ]


def test_an_untouched_draft_is_the_stream() -> None:
    assert drafted().finish() == EVENTS


def test_every_later_count_of_the_tray_follows_a_changed_payment() -> None:
    draft = drafted()
    place, fact = draft.outside(WagerPaid)
    draft.alter(place, cents=fact.cents + 7_00)
    later = sum(isinstance(e.fact, TrayObserved | TableClosed) for e in EVENTS[place:])
    before = trays(drafted())
    split = len(before) - later
    assert later
    assert trays(draft) == [*before[:split], *(cents - 7_00 for cents in before[split:])]


def test_added_and_dropped_events_move_the_numbers() -> None:
    draft = drafted()
    draft.add(3, TipDropped(1_00))
    draft.drop(10)
    events = draft.finish()
    assert [event.seq for event in events] == list(range(1, len(EVENTS) + 1))
    assert events[4].fact == TipDropped(1_00)


def test_a_lost_event_leaves_its_number_empty_and_its_place_in_the_chain() -> None:
    draft = drafted()
    place, _ = draft.outside(HeartbeatSent)
    draft.lose(place)
    assert place + 1 not in [event.seq for event in draft.finish()]
    frames = list(seal_events(draft.entries()[0]))
    whole = list(seal_events(drafted().entries()[0]))
    assert [frame.data for frame in frames] == [f.data for f in whole if f.seq != place + 1]


def test_a_twin_claims_a_number_and_the_chain_goes_on_without_it() -> None:
    draft = drafted()
    place, _ = draft.outside(HeartbeatSent)
    draft.claim(place, TipDropped(1_00))
    problems = verify(frame.data for frame in seal_events(draft.entries()[0]))
    assert [(problem.sequence, problem.kind) for problem in problems] == [
        (place + 1, ChainBreak.CONFLICT)
    ]


def test_a_forged_predecessor_breaks_the_chain_once() -> None:
    draft = drafted()
    draft.alter_event(20, previous=b"\x00" * 32)
    problems = verify(frame.data for frame in seal_events(draft.entries()[0]))
    assert [(problem.sequence, problem.kind) for problem in problems] == [(21, ChainBreak.LINK)]


def test_a_round_and_a_place_take_one_fault_only() -> None:
    draft = drafted()
    view, _ = draft.pick(lambda view: [view.id])
    draft.used.add(view.id)
    assert view.id not in {view.id for view in draft.rounds()}
    place, _ = draft.outside(TableClosed)
    draft.alter(place, slip="")
    draft.settle_down()
    with pytest.raises(CannotPlant):
        draft.outside(TableClosed)
