"""What somebody changes through a page is written down before it is done: who, when, from where.

So nothing is changed that stands nowhere, even where the answer gets lost; what was refused is
written down too.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import grpc
from starlette.requests import Request

from console.web.guard import services_of, user_of, visitor_of

T = TypeVar("T")


async def audited(
    request: Request, call: Awaitable[T], *, what: str, subject: str, words: str = ""
) -> T:
    """Makes the call, with a record before it, and another where it is refused."""
    store = services_of(request).store
    named = {"person": user_of(request).name, "address": visitor_of(request).address}
    await store.record_change(**named, what=what, subject=subject, words=words)
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        said = error.details() or error.code().name
        await store.record_change(**named, what=f"{what}: not done", subject=subject, words=said)
        raise
