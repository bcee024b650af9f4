"""What is taken of a stream: laws over any stream, and each rule by itself."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import ControllerRestarted, Event, GapDeclared, HeartbeatSent, RoundOpened
from blackjack.play.table import JUMP_MAX, Table
from blackjack.play.table import fold as fold_table
from table_gateway.domain.stream import (
    KNOWN_MAX,
    Accepted,
    Duplicate,
    EventDecision,
    EventRejection,
    RejectionCode,
    TableStream,
    advance,
    judge,
)
from wire import decode_event, encode_event
from wire.chain import digest, verify

TABLE = "BJ-07"
AT = 1_772_396_100_000_000

Step = tuple[str, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(["fact", "fact", "fact", "restart", "gap"]), st.integers(1, 100)),
    max_size=90,
)


def frames_of(steps: list[Step], table: str = TABLE) -> list[bytes]:
    """The stream of an honest controller."""
    frames: list[bytes] = []
    seq, previous = 0, b""
    for kind, number in steps:
        first, seq = seq + 1, seq + 1
        fact: RoundOpened | ControllerRestarted | GapDeclared
        if kind == "restart":
            fact, previous = ControllerRestarted("power"), b""
        elif kind == "gap":
            seq += number
            fact = GapDeclared(first, seq - 1, "disk")
        else:
            fact = RoundOpened(f"R-{number}")
        frames.append(encode_event(Event(table, seq, AT + seq, fact, previous=previous)))
        previous = digest(frames[-1])
    return frames


def events_of(frames: list[bytes]) -> list[Event]:
    return [decode_event(frame) for frame in frames]


def fold(
    events: list[Event], stream: TableStream | None = None
) -> tuple[TableStream, list[EventDecision]]:
    stream = stream or TableStream(TABLE)
    decisions: list[EventDecision] = []
    for event in events:
        decisions.append(judge(stream, event))
        stream = advance(stream, event)
    return stream, decisions


def codes(decisions: list[EventDecision]) -> list[RejectionCode | None]:
    return [each.code if isinstance(each, EventRejection) else None for each in decisions]


@given(STEPS)
def test_all_that_an_honest_controller_sends_is_taken(steps: list[Step]) -> None:
    frames = frames_of(steps)
    stream, decisions = fold(events_of(frames))
    assert all(isinstance(each, Accepted) for each in decisions)
    assert stream.digest == (digest(frames[-1]) if frames else b"")
    assert len(stream.known) <= KNOWN_MAX


@given(STEPS, st.data())
def test_what_is_sent_again_changes_nothing_and_is_never_refused(
    steps: list[Step], data: st.DataObject
) -> None:
    events = events_of(frames_of(steps))
    stream, _ = fold(events)
    start = data.draw(st.integers(0, len(events)))
    after, decisions = fold(events[start:], stream)
    assert after == stream
    assert not any(isinstance(each, EventRejection) for each in decisions)
    if len(events) - start <= 1:
        assert all(isinstance(each, Duplicate) for each in decisions)


@given(STEPS, st.randoms(use_true_random=False))
def test_the_log_with_any_repeats_gives_the_state_that_wrote_it(
    steps: list[Step], random: Random
) -> None:
    events = events_of(frames_of(steps))
    log: list[Event] = []
    for number, event in enumerate(events):
        log += [event, events[random.randint(0, number)]]
    assert fold(log)[0] == fold(events)[0]


@given(STEPS, st.integers(0, 100))
def test_a_state_made_from_the_tip_alone_goes_on_alike(steps: list[Step], cut: int) -> None:
    events = events_of(frames_of(steps))
    cut = min(cut, len(events))
    before, _ = fold(events[:cut])
    resumed, decisions = fold(events[cut:], TableStream.at(TABLE, before.seq, before.digest))
    whole, _ = fold(events)
    assert all(isinstance(each, Accepted) for each in decisions)
    assert (resumed.seq, resumed.digest) == (whole.seq, whole.digest)


@given(STEPS, st.data())
def test_without_one_event_the_state_waits_for_it(steps: list[Step], data: st.DataObject) -> None:
    """A broker that failed in the middle: the controller is asked for what is missing."""
    events = events_of(frames_of([*steps, ("fact", 1), ("fact", 2)]))
    lost = data.draw(st.integers(0, len(events) - 2))
    log = [*events[:lost], *events[lost + 1 :]]
    stream, _ = fold(log)
    assert stream == fold(events[:lost])[0]
    assert fold(events[lost:], stream)[0] == fold(events)[0]


@given(st.lists(st.sampled_from(range(30)), max_size=60), STEPS.filter(bool))
def test_in_any_order_the_log_that_is_taken_has_no_broken_link(
    order: list[int], steps: list[Step]
) -> None:
    facts = [(("fact" if kind == "gap" else kind), number) for kind, number in steps]
    frames = frames_of(facts)
    stream = TableStream(TABLE)
    log = []
    for number in order:
        frame = frames[number % len(frames)]
        if isinstance(decision := judge(stream, decode_event(frame)), Accepted):
            stream = decision.stream
            log.append(frame)
    assert verify(log) == ()


@given(STEPS, st.data())
def test_whatever_is_refused_leaves_the_state_as_it_was(
    steps: list[Step], data: st.DataObject
) -> None:
    events = events_of(frames_of([*steps, ("fact", 1)]))
    stream, _ = fold(events)
    event = replace_event(
        data.draw(st.sampled_from(events)),
        seq=data.draw(st.integers(1, stream.seq + 3)),
        previous=data.draw(st.sampled_from([b"", b"x" * 32, stream.digest])),
        table=data.draw(st.sampled_from([TABLE, "BJ-08"])),
    )
    if isinstance(judge(stream, event), EventRejection):
        assert advance(stream, event) == stream
    elif event.seq > stream.seq + 1:
        assert isinstance(event.fact, GapDeclared)


def replace_event(event: Event, *, seq: int, previous: bytes, table: str) -> Event:
    fact = event.fact
    return decode_event(encode_event(Event(table, seq, event.at, fact, previous=previous)))


def an_event(seq: int, previous: bytes = b"", table: str = TABLE, fact: object = None) -> Event:
    stated = fact or HeartbeatSent()
    return Event(table, seq, AT, stated, digest=b"d%031d" % seq, previous=previous)  # type: ignore[arg-type]


AT_FIVE = TableStream.at(TABLE, 5, b"5" * 32)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (an_event(6, b"5" * 32), None),
        (an_event(6, b"4" * 32), RejectionCode.CHAIN_BROKEN),
        (an_event(6), RejectionCode.CHAIN_BROKEN),
        (an_event(6, fact=ControllerRestarted()), None),
        (an_event(7, fact=ControllerRestarted()), RejectionCode.OUT_OF_ORDER),
        (an_event(7, b"5" * 32), RejectionCode.OUT_OF_ORDER),
        (an_event(9, fact=GapDeclared(6, 8)), None),
        (an_event(9, fact=GapDeclared(7, 8)), RejectionCode.OUT_OF_ORDER),
        (an_event(9, fact=GapDeclared(6, 9)), RejectionCode.OUT_OF_ORDER),
        (an_event(JUMP_MAX + 6, fact=GapDeclared(6, JUMP_MAX + 5)), None),
        (an_event(JUMP_MAX + 7, fact=GapDeclared(6, JUMP_MAX + 6)), RejectionCode.GAP_TOO_LARGE),
        (an_event(2**64 - 1, fact=GapDeclared(6, 2**64 - 2)), RejectionCode.GAP_TOO_LARGE),
        (an_event(2**64 - 1, fact=GapDeclared(7, 2**64 - 2)), RejectionCode.OUT_OF_ORDER),
        (an_event(5), RejectionCode.CONFLICT),
        (an_event(4), None),
        (an_event(6, b"5" * 32, table="BJ-08"), RejectionCode.FOREIGN),
        (an_event(5, table="BJ-08"), RejectionCode.FOREIGN),
    ],
)
def test_each_rule_by_itself(event: Event, code: RejectionCode | None) -> None:
    assert codes([judge(AT_FIVE, event)]) == [code]


@pytest.mark.parametrize("missing", [1, JUMP_MAX, JUMP_MAX + 1, JUMP_MAX + 100, 2**64 - 3])
def test_a_gap_that_the_fold_does_not_believe_is_not_taken_either(missing: int) -> None:
    """Were it taken, the fold would wait for ever for numbers that nobody sends any more."""
    gap = an_event(missing + 2, fact=GapDeclared(2, missing + 1))
    stream, decisions = fold([an_event(1), gap])
    table, _ = fold_table(Table.new(TABLE), [an_event(1), gap])
    assert table.next_seq == stream.seq + 1
    assert codes(decisions) == [None, RejectionCode.GAP_TOO_LARGE if missing > JUMP_MAX else None]


def test_a_gap_that_is_too_large_is_refused_with_what_to_do() -> None:
    refusal = judge(AT_FIVE, an_event(1_000_106, fact=GapDeclared(6, 1_000_105)))
    assert isinstance(refusal, EventRejection)
    assert "gap of 1000100 numbers, at most 1000000" in refusal.reason
    assert refusal.reason.endswith("continue with 6")
    page = (Path(__file__).parents[2] / "docs" / "ingest.md").read_text("utf-8")
    assert f"| `GAP_TOO_LARGE` | more than {JUMP_MAX:,} numbers" in page


def test_the_first_event_of_a_table_names_nothing() -> None:
    assert codes([judge(TableStream(TABLE), an_event(1))]) == [None]
    assert codes([judge(TableStream(TABLE), an_event(1, b"x" * 32))]) == [
        RejectionCode.CHAIN_BROKEN
    ]


def test_a_late_event_of_a_declared_gap_is_taken_and_moves_nothing() -> None:
    stream = advance(AT_FIVE, an_event(9, fact=GapDeclared(6, 8)))
    assert judge(stream, an_event(7, b"6" * 32)) == Accepted(stream)
