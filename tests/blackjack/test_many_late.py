"""A table that was cut off sends thousands of events late: each is read once, not each time."""

from __future__ import annotations

from blackjack.facts import Event, GapDeclared, HeartbeatSent
from blackjack.play.table import Table, fold
from table_simulator.days.randomness import play
from table_simulator.domain.specs import specs

TABLE = "T1"


def evening(rounds: int) -> list[Event]:
    return list(play(seed=5, table_id=TABLE, spec=specs("skweezit")[0], rounds=rounds).events)


def cut_off(events: list[Event], *, lost: int) -> list[Event]:
    """The first twenty in time, then a declared gap, then all but one of the others, late."""
    last = events[-1]
    declared = Event(TABLE, last.seq + 1, last.at, GapDeclared(21, last.seq, "cut off"))
    late = [event for event in events[20:] if event.seq != lost]
    return [*events[:20], declared, *late, Event(TABLE, last.seq + 2, last.at, HeartbeatSent())]


def test_late_events_are_folded_together_when_the_stream_goes_on() -> None:
    """One refold a late event would take as long as their number squared."""
    events = evening(20)
    _, steps = fold(Table.new(TABLE), cut_off(events, lost=21))
    *while_late, then = steps[21:]
    assert len(while_late) == len(events) - 21
    assert not any(step.rounds or step.findings or step.withdrawals for step in while_late)
    assert len(then.rounds) >= 19


def test_late_events_settle_the_rounds_they_belong_to() -> None:
    events = evening(6)
    _, in_time = fold(Table.new(TABLE), events)
    _, steps = fold(Table.new(TABLE), cut_off(events, lost=0))
    assert {
        settled_round.round: settled_round.outcomes
        for step in steps
        for settled_round in step.rounds
    } == {
        settled_round.round: settled_round.outcomes
        for step in in_time
        for settled_round in step.rounds
    }


def test_the_last_missing_event_is_folded_at_once() -> None:
    events = evening(2)
    held_back = events.pop(30)
    table, _ = fold(Table.new(TABLE), events)
    table, (step,) = fold(table, [held_back])
    assert table.late == ()
    assert step.rounds
