"""A feed as server-sent events, until the page closes or its session ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request

from console.grpc.shared_feed import SharedFeed
from console.web.cookies import SESSION
from console.web.guard import services_of

PING_SECONDS: Final = 15
CHECK_SECONDS: Final = 60.0
"""Seconds after which a page of a locked user receives no more events."""
RETRY_MILLISECONDS: Final = 1_000
SIGNED_OUT: Final = "signed-out"


def stream(request: Request, feed: SharedFeed) -> EventSourceResponse:
    last_id = request.headers.get("last-event-id", "")
    return EventSourceResponse(
        _events(request, feed, last_id),
        ping=PING_SECONDS,
        headers={"x-accel-buffering": "no"},
    )


async def _events(
    request: Request, feed: SharedFeed, last_id: str
) -> AsyncIterator[ServerSentEvent]:
    events = feed.subscribe(last_id)
    pending = asyncio.ensure_future(anext(events))
    try:
        while True:
            done, _ = await asyncio.wait({pending}, timeout=CHECK_SECONDS)
            if not done:
                if not await _is_signed_in(request):
                    yield ServerSentEvent(event=SIGNED_OUT, data="")
                    return
                continue
            try:
                event = pending.result()
            except StopAsyncIteration:  # the process is about to end
                return
            yield ServerSentEvent(
                id=event.id, event=event.event, data=event.data, retry=RETRY_MILLISECONDS
            )
            pending = asyncio.ensure_future(anext(events))
    finally:
        pending.cancel()
        await asyncio.gather(pending, return_exceptions=True)
        await events.aclose()  # type: ignore[attr-defined]


async def _is_signed_in(request: Request) -> bool:
    services = services_of(request)
    token = services.cookies.read(request, SESSION)
    return await services.sign_in.user_of_session(token, is_used=False) is not None
