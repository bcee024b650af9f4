"""Commands to a service in somebody's name: sent twice, by the same form, they are done once."""

from __future__ import annotations

from typing import TypedDict
from uuid import uuid4

from starlette.requests import Request

from console.web.guard import desk_of, person_of, text_of


class Called(TypedDict):
    """How a call is made for the person who asks."""

    metadata: tuple[tuple[str, str], ...]


def called_by(request: Request) -> Called:
    return {"metadata": desk_of(request).asking.speaking_for(person_of(request))}


def command_id(request: Request) -> str:
    """As it came with the form."""
    return text_of(request, "command_id") or uuid4().hex
