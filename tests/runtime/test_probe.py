"""`python -m runtime.probe` says what a service says of itself."""

from __future__ import annotations

import asyncio

from runtime.addresses import Address
from runtime.health import Health
from runtime.probe import is_ready


def test_a_service_is_ready_once_its_conditions_are_met_and_silence_is_no() -> None:
    async def ask() -> tuple[bool, bool, bool]:
        health = Health(["kafka"])
        async with health.served(Address("127.0.0.1", 0)) as address:
            before = await asyncio.to_thread(is_ready, address)
            health.met("kafka")
            while health.unmet or not await asyncio.to_thread(is_ready, address):
                await asyncio.sleep(0.01)
            met = await asyncio.to_thread(is_ready, address)
        return before, met, await asyncio.to_thread(is_ready, address)

    assert asyncio.run(asyncio.wait_for(ask(), 30)) == (False, True, False)
