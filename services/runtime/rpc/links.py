"""Channels to other services, one each, replaced when our certificate is renewed.

A channel keeps the certificate it was made with, and would fail at its first reconnection after
that expired. So call `to` for the channel at each use instead of keeping it: it is the same one
until there is a newer certificate. Calls under way on the old one may finish.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Self

import grpc

from runtime.addresses import Address
from runtime.identity.credentials import Credentials
from runtime.identity.files import KeyPair
from runtime.rpc.client import DEADLINE_SECONDS, connect

GRACE_SECONDS = 600.0
"""How long a call may go on over a channel that was replaced: a stream then resumes."""


class Links:
    """Every channel of a service. A context: at its end all are closed."""

    def __init__(
        self,
        credentials: Credentials,
        *,
        repeatable: Sequence[str] = (),
        deadline_seconds: float = DEADLINE_SECONDS,
        waits: bool = True,
    ) -> None:
        self._credentials = credentials
        self._repeatable = tuple(repeatable)
        self._deadline_seconds = deadline_seconds
        self._waits = waits
        self._channels: dict[tuple[str, Address], tuple[KeyPair, grpc.aio.Channel]] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def to(self, service: str, address: Address) -> grpc.aio.Channel:
        """The channel to `service` at `address`, as `client.connect` makes it."""
        pair, channel = self._channels.get((service, address), (None, None))
        if channel is not None and pair is self._credentials.pair:
            return channel
        if channel is not None:
            task = asyncio.create_task(channel.close(GRACE_SECONDS))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        made = connect(
            service,
            address,
            self._credentials,
            repeatable=self._repeatable,
            deadline_seconds=self._deadline_seconds,
            waits=self._waits,
        )
        self._channels[service, address] = (self._credentials.pair, made)
        return made

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*(channel.close() for _, channel in self._channels.values()))
