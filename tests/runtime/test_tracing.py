"""A trace travels through headers and metadata, and every span joins the one that caused it."""

from __future__ import annotations

import asyncio

import pytest

from runtime.tracing import (
    TRACEPARENT,
    batch_span,
    current_trace_id,
    current_traceparent,
    new_trace,
    server_span,
    trace_headers,
    trace_id_of,
)

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
KNOWN = f"00-{TRACE_ID}-b7ad6b7169203331-01"


def test_a_call_continues_the_trace_of_its_caller_with_a_span_of_its_own() -> None:
    with server_span("greeting.v1.Greeting/Greet", [("other", "x"), (TRACEPARENT, KNOWN)]):
        assert current_trace_id() == TRACE_ID
        assert trace_id_of(current_traceparent()) == TRACE_ID
        assert current_traceparent()[:52] != KNOWN[:52]


def test_kafka_headers_carry_the_current_span() -> None:
    with server_span("method", [(TRACEPARENT, KNOWN.encode())]):
        assert trace_headers() == [(TRACEPARENT, current_traceparent().encode())]
        assert trace_id_of(trace_headers()[0][1]) == TRACE_ID


def test_a_new_trace_leaves_the_one_around_it() -> None:
    with server_span("method", [(TRACEPARENT, KNOWN)]):
        with new_trace("publish"):
            begun = current_trace_id()
            assert len(begun) == 32
            assert begun != TRACE_ID
        assert current_trace_id() == TRACE_ID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        KNOWN.upper(),
        "ff" + KNOWN[2:],
        KNOWN[:-1],
        KNOWN + "-" + "x" * 1_000,
        "00-" + "0" * 32 + "-b7ad6b7169203331-01",
        f"00-{TRACE_ID}-" + "0" * 16 + "-01",
        b"\xff\xfe",
    ],
)
def test_an_unreadable_traceparent_begins_a_new_trace(text: str | bytes) -> None:
    assert trace_id_of(text) == ""
    with server_span("method", [(TRACEPARENT, text)]):
        assert len(current_trace_id()) == 32
        assert current_trace_id() != TRACE_ID


def test_a_traceparent_of_a_later_version_is_understood() -> None:
    assert trace_id_of("01" + KNOWN[2:] + "-more") == TRACE_ID


def test_outside_a_trace_nothing_is_sent() -> None:
    assert current_trace_id() == ""
    assert current_traceparent() == ""
    assert trace_headers() == []


def test_tasks_inherit_the_trace_and_do_not_mix_theirs() -> None:
    async def look() -> tuple[str, str]:
        with new_trace("task"):
            await asyncio.sleep(0)
            return current_trace_id(), await asyncio.create_task(inherited())

    async def inherited() -> str:
        return current_trace_id()

    async def both() -> None:
        (first, of_first), (second, of_second) = await asyncio.gather(look(), look())
        assert first == of_first
        assert second == of_second
        assert first != second

    asyncio.run(both())
    assert current_trace_id() == ""


def test_where_nothing_is_exported_no_header_of_a_batch_is_read() -> None:
    def fail() -> str:
        raise AssertionError

    with batch_span((fail() for _ in range(1)), 1, (fail() for _ in range(1))):
        assert current_trace_id() == ""
