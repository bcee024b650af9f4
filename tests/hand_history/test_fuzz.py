"""No text breaks the parser, and every problem it names lies inside the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import Event
from blackjack.hand_history import History, parse, print_history
from blackjack.hand_history.parser import LEADS
from tests.hand_history import strategies as strategy

_pieces = st.one_of(
    st.sampled_from([*LEADS, "1", "3.2", "main", "25.00", "8H", "??", ",", "\n", "\n  ", '"']),
    st.sampled_from(["@", "+3s", "#5", "via", "dealer", "//", "decks", "won", "\\", "by", "x"]),
    strategy.texts,
)


def _check(text: str) -> History:
    history = parse(text)
    lines = text.removeprefix("\ufeff").split("\n")
    for problem in history.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.message
    for line in history.lines:
        assert 1 <= line <= len(lines)
    again = parse(print_history(history.events, history.expectations))
    assert again.problems == ()
    assert (again.events, again.expectations) == (history.events, history.expectations)
    return history


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    _check(text)


@given(st.lists(_pieces, max_size=30))
def test_any_row_of_words_is_read(pieces: list[str]) -> None:
    _check(" ".join(pieces))


@given(strategy.events(max_size=6), st.data())
def test_a_good_text_with_a_slip_is_read(events: tuple[Event, ...], data: st.DataObject) -> None:
    text = print_history(events)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    _check(text[:start] + data.draw(_pieces | st.just("")) + text[end:])


@given(strategy.events(max_size=6), st.data())
def test_a_spoiled_line_leaves_the_others(events: tuple[Event, ...], data: st.DataObject) -> None:
    lines = print_history(events).split("\n")
    spoiled = data.draw(st.integers(0, len(lines) - 1))
    history = parse("\n".join([*lines[:spoiled], "bet on it", *lines[spoiled:]]))
    assert [problem.line for problem in history.problems][:1] == [spoiled + 1]
    assert len(history.events) == len(events)


def test_a_very_long_number_is_a_problem_and_no_delay() -> None:
    assert len(parse(f"bet 1 main {'9' * 5000}\n").problems) == 1
    assert len(parse(f"declare gap #1 to #{'9' * 5000}\n").problems) == 1
    assert len(parse(f"heartbeat @ {'9' * 5000}us\n").problems) == 1
    assert len(parse(f"deal {'9' * 5000} 8H\n").problems) == 1
