"""Commands to services on behalf of a user; sent twice by the same form, they act once."""

from __future__ import annotations

from typing import TypedDict
from uuid import uuid4

from starlette.requests import Request

from console.web.guard import services_of, text_of, user_of


class CallOptions(TypedDict):
    """Options of a call on behalf of a user."""

    metadata: tuple[tuple[str, str], ...]


def call_options(request: Request) -> CallOptions:
    return {"metadata": services_of(request).clients.metadata_for(user_of(request))}


def command_id(request: Request) -> str:
    """The id that came with the form."""
    return text_of(request, "command_id") or uuid4().hex
