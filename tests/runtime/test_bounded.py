"""Calls that may never return."""

from __future__ import annotations

import threading
import weakref
from threading import Event

import pytest

from runtime.kafka.bounded_calls import BoundedClient, CallOverdue
from tests.runtime.kafka import eventually


def test_what_a_call_raises_reaches_the_caller() -> None:
    def reject(reason: str) -> None:
        raise ValueError(reason)

    with pytest.raises(ValueError, match="no such place"):
        BoundedClient().call(10, reject, "no such place")


def test_a_call_that_does_not_return_is_given_up_and_the_next_one_is_made() -> None:
    bounded, never, done = BoundedClient(), Event(), []

    def hang() -> None:
        never.wait()
        done.append("the first")

    with pytest.raises(CallOverdue, match=r"hang has not returned after 0 s"):
        bounded.call(0.05, hang)
    bounded.call(10, done.append, "the second")
    assert done == ["the second"]
    never.set()


def test_a_call_that_returns_after_all_leaves_no_thread_behind() -> None:
    bounded, never = BoundedClient(), Event()
    before = set(threading.enumerate())

    def hang() -> None:
        never.wait()

    with pytest.raises(CallOverdue):
        bounded.call(0.05, hang)
    (lost,) = set(threading.enumerate()) - before
    never.set()
    lost.join(10)
    assert not lost.is_alive()


def test_what_a_call_worked_with_is_not_kept_until_the_next_one() -> None:
    class Producer:
        def commit(self) -> None: ...

    bounded, producer = BoundedClient(), Producer()
    bounded.call(10, producer.commit)
    kept = weakref.ref(producer)
    del producer
    eventually(lambda: kept() is None)
