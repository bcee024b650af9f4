"""Scripts of controllers: a gateway accepts every event, and rejects the rest as planned."""

from __future__ import annotations

import pytest

from blackjack.facts import ControllerRestarted, GapDeclared
from table_gateway.domain.stream import Accepted, Duplicate, EventRejection, TableStream
from table_gateway.kafka.ingest import decide
from table_simulator.days.event_chain import ControllerScript, Frame, StrayMessage
from table_simulator.domain.faults.fault_catalog import TRANSMISSION
from tests.table_simulator.days import a_day
from wire.events import decode_event


def as_sent(script: ControllerScript) -> list[Frame | StrayMessage]:
    """Each aside after the event that it follows."""
    order: list[tuple[int, int, Frame | StrayMessage]] = [
        *((frame.seq, 0, frame) for frame in script.frames),
        *((aside.after_seq, 1, aside) for aside in script.asides),
    ]
    return [each for _, _, each in sorted(order, key=lambda each: each[:2])]


@pytest.mark.parametrize("seed", range(3))
def test_a_gateway_accepts_every_event_and_rejects_the_planted_messages(seed: int) -> None:
    day = a_day(seed, every=1)
    rejections: list[tuple[str, str]] = []
    duplicates = 0
    for script in day.scripts():
        stream = TableStream(script.stream)
        for sent in as_sent(script):
            decision, _ = decide(stream, sent.data)
            if isinstance(sent, Frame):
                assert isinstance(decision, Accepted), (sent.stream, sent.seq, decision)
                stream = decision.stream
            elif isinstance(decision, EventRejection):
                assert decision.code.value == sent.rejected_as
                rejections.append((sent.stream, sent.rejected_as))
            else:
                assert isinstance(decision, Duplicate)
                assert sent.rejected_as == ""
                duplicates += 1
    planted = [(truth.table, truth.rejected_as) for truth in day.truths if truth.rejected_as]
    assert sorted(rejections) == sorted(planted)
    assert duplicates == 1


def test_a_lost_event_is_declared_by_the_next_and_a_restart_begins_a_chain() -> None:
    facts = [
        (frame.seq, event.fact, event.previous)
        for script in a_day(0, every=1).scripts()
        for frame in script.frames
        for event in [decode_event(frame.data)]
    ]
    ((seq, gap),) = [(seq, fact) for seq, fact, _ in facts if isinstance(fact, GapDeclared)]
    assert (gap.first_seq, gap.last_seq) == (seq - 1, seq - 1)
    (previous,) = [before for _, fact, before in facts if isinstance(fact, ControllerRestarted)]
    assert previous == b""


def test_what_happens_on_the_line_is_in_no_log_file() -> None:
    day = a_day(0, every=1)
    names = {fault.name for fault in TRANSMISSION if fault.rejected_as}
    asides = {
        aside.data
        for script in day.scripts()
        for aside in script.asides
        if aside.rejected_as in ("malformed", "oversized", "foreign")
    }
    assert len(asides) == 3
    assert asides.isdisjoint(frame.data for frame in day.frames)
    assert all(truth.kinds == () for truth in day.truths if truth.fault in names)


def test_another_name_of_the_floor_changes_nothing_else() -> None:
    from table_simulator.days.day import simulate
    from table_simulator.days.fault_plan import Plan

    plan = Plan(every=1)
    here = simulate(seed=4, tables=3, rounds=9, plan=plan)
    there = simulate(seed=4, tables=3, rounds=9, plan=plan, floor_name="Gold-")
    assert there.tables == ("Gold-001", "Gold-002", "Gold-003")
    assert [(truth.fault, truth.first_seq, truth.cents) for truth in here.truths] == [
        (truth.fault, truth.first_seq, truth.cents) for truth in there.truths
    ]
    facts = [
        [type(entry.event.fact) for entries in day.controllers.values() for entry in entries]
        for day in (here, there)
    ]
    assert facts[0] == facts[1]
