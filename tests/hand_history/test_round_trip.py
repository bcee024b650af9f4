"""Printed text is read back the same, for any events; and a canonical text stays itself."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import Event, Fact, HeartbeatSent
from blackjack.hand_history import Expectation, parse, print_history
from blackjack.hand_history.context import START_US
from tests.hand_history import strategies as strategy


@given(strategy.events())
def test_any_events_survive_the_text(events: tuple[Event, ...]) -> None:
    history = parse(print_history(events))
    assert history.problems == ()
    assert history.events == events


@given(strategy.facts)
def test_any_fact_has_a_line(fact: Fact) -> None:
    event = Event(table="BJ-07", seq=1, at=START_US, fact=fact)
    history = parse(print_history([event]))
    assert history.problems == ()
    assert history.events == (event,)


@given(strategy.events(), st.lists(strategy.expectations(), max_size=4))
def test_expectations_survive_the_text(
    events: tuple[Event, ...], expected: list[Expectation]
) -> None:
    placed = sorted(
        (
            replace(expectation, after=min(expectation.after, len(events)))
            for expectation in expected
        ),
        key=lambda each: each.after,
    )
    history = parse(print_history(events, placed))
    assert history.problems == ()
    assert history.events == events
    assert history.expectations == tuple(placed)


@given(strategy.events(), st.lists(strategy.expectations(), max_size=4))
def test_a_printed_text_printed_again_is_itself(
    events: tuple[Event, ...], expected: list[Expectation]
) -> None:
    text = print_history(events, expected)
    history = parse(text)
    assert print_history(history.events, history.expectations) == text


@given(strategy.events())
def test_every_event_knows_its_line(events: tuple[Event, ...]) -> None:
    history = parse(print_history(events))
    assert len(history.lines) == len(events)
    assert list(history.lines) == sorted(history.lines)


def test_the_digest_is_not_part_of_the_text() -> None:
    event = Event(table="BJ-07", seq=1, at=START_US, fact=HeartbeatSent(), digest=b"\x01")
    assert parse(print_history([event])).events[0].digest == b""
