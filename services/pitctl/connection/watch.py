"""Something watched for as long as it is wanted: over lost connections nothing twice or lost."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

import grpc

from pitctl.connection.channel import AWAY, NoAnswer, Place, Service

ENDED: Final = 0
AGAIN_SECONDS: Final = 0.5
AGAIN_SECONDS_MAX: Final = 5.0
A_contra = TypeVar("A_contra", contravariant=True)


class Teller(Protocol[A_contra]):
    """Prints what comes."""

    def tell(self, answer: A_contra) -> None: ...


class Asides:
    """What is no part of what is watched, on standard error; the same thing once."""

    def __init__(self) -> None:
        self._said = ""

    def say(self, text: str) -> None:
        if text != self._said:
            print(f"pitctl: {text}", file=sys.stderr, flush=True)
        self._said = text


def follow(
    service: Service[Any], place: Place, request: Any, teller: Teller[Any], asides: Asides
) -> int:
    """Watch until Ctrl-C, or until nobody reads any more; the exit status."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_follow(service, place, request, teller, asides))
    return ENDED


async def _follow(
    service: Service[Any], place: Place, request: Any, teller: Teller[Any], asides: Asides
) -> None:
    """One watch after the other: each goes on after the last thing that was told."""
    connected = False
    wait = AGAIN_SECONDS
    while True:
        try:
            async with service.asking(place) as stub:
                if connected:
                    asides.say("connected again")
                connected, wait = True, AGAIN_SECONDS
                async for answer in stub.Watch(request):
                    teller.tell(answer)
                    if answer.resume_token:
                        request.resume_token = answer.resume_token
                        request.from_beginning = False
        except grpc.aio.AioRpcError as error:
            if error.code() not in AWAY:
                raise service.told(error, place) from None
        except NoAnswer:
            if not connected:
                raise
        asides.say("the connection is lost; it goes on where it was as soon as it is back")
        await asyncio.sleep(wait)
        wait = min(2 * wait, AGAIN_SECONDS_MAX)
