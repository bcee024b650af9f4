"""A trace id survives the way through headers and metadata."""

from __future__ import annotations

import asyncio

import pytest

from runtime.tracing import (
    Trace,
    current_trace,
    kafka_trace_headers,
    rpc_trace_metadata,
    trace_of,
    trace_or_begin,
    trace_scope,
)

KNOWN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_trace_travels_in_kafka_headers_and_in_metadata() -> None:
    trace = Trace.begin()
    assert trace_of([("other", b"x"), *kafka_trace_headers(trace)]) == trace
    assert trace_of(rpc_trace_metadata(trace)) == trace


def test_a_consequence_is_a_further_step_of_the_same_trace() -> None:
    further = trace_or_begin([("traceparent", KNOWN)])
    assert further.trace_id == "0af7651916cd43dd8448eb211c80319c"
    assert further.step_id != "b7ad6b7169203331"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        KNOWN.upper(),
        "ff" + KNOWN[2:],
        KNOWN[:-1],
        "00-" + "0" * 32 + "-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-" + "0" * 16 + "-01",
        b"\xff\xfe",
    ],
)
def test_what_is_no_traceparent_begins_a_new_trace(text: str | bytes) -> None:
    assert trace_of([("traceparent", text)]) is None
    assert len(trace_or_begin([("traceparent", text)]).trace_id) == 32


def test_a_traceparent_of_a_later_version_is_understood() -> None:
    assert Trace.parse("01" + KNOWN[2:] + "-more") is not None


def test_outside_a_trace_nothing_is_sent() -> None:
    assert current_trace() is None
    assert kafka_trace_headers() == []
    assert rpc_trace_metadata() == []


def test_tasks_inherit_the_trace_and_do_not_mix_theirs() -> None:
    async def seen_in(trace: Trace) -> Trace | None:
        with trace_scope(trace):
            return await asyncio.create_task(asyncio.sleep(0, current_trace()))

    async def both() -> None:
        first, second = Trace.begin(), Trace.begin()

        async def look(trace: Trace) -> Trace | None:
            with trace_scope(trace):
                await asyncio.sleep(0)
                return current_trace()

        assert list(await asyncio.gather(look(first), look(second))) == [first, second]
        assert await seen_in(first) == first

    asyncio.run(both())
    assert current_trace() is None
