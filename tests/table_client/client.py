"""The reference client of a table, for as long as a test needs it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.outbox import Outbox
from table_client.reporter import Reporter
from tests.table_gateway.harness import GatewayProcess

TABLE = "BJ-07"


@asynccontextmanager
async def running_reporter(
    gateway: GatewayProcess, path: Path, *, open_outbox: Callable[[Path, str], Outbox] = Outbox
) -> AsyncIterator[Reporter]:
    """At its end the client is gone, with whatever it had under way."""
    with open_outbox(path, TABLE) as outbox:
        async with Links(gateway.credentials(TABLE)) as links:
            reporter = Reporter(
                outbox,
                lambda: links.to("table_gateway", gateway.address),
                backoff=Backoff(Random(1), seconds_max=0.5),
            )
            running = asyncio.create_task(reporter.run())
            try:
                yield reporter
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running
