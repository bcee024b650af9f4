"""Every change by a user is logged before it is made: who, when, from which address.

So no change is missing from the audit log, even if the response is lost. Rejected changes are
logged, too.
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
    """Log the change, make the call, and log the reason if it is rejected."""
    store = services_of(request).store
    actor = {"person": user_of(request).name, "address": visitor_of(request).address}
    await store.record_change(**actor, what=what, subject=subject, words=words)
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        reason = error.details() or error.code().name
        await store.record_change(**actor, what=f"{what}: rejected", subject=subject, words=reason)
        raise
