"""Calls that may never return."""

from __future__ import annotations

from threading import Event

import pytest

from runtime.kafka.bounded import Bounded, Overdue


def test_what_a_call_raises_reaches_the_caller() -> None:
    def refuse(reason: str) -> None:
        raise ValueError(reason)

    with pytest.raises(ValueError, match="no such place"):
        Bounded().call(10, refuse, "no such place")


def test_a_call_that_does_not_return_is_given_up_and_the_next_one_is_made() -> None:
    bounded, never, done = Bounded(), Event(), []

    def hang() -> None:
        never.wait()
        done.append("the first")

    with pytest.raises(Overdue, match=r"hang has not returned after 0 s"):
        bounded.call(0.05, hang)
    bounded.call(10, done.append, "the second")
    assert done == ["the second"]
    never.set()
