"""Somebody who watches alerts at the desk, as `pitctl alerts --watch` and the console do."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from casino.surveillance.v1.service_pb2 import WatchRequest
from tests.alert_desk.house import House, prepare
from tests.stack.broker import Broker
from tests.stack.databases import Database

Arrived = dict[tuple[str, int], int]
"""By the alert's id and revision: when the client had it, by the clock of the machine."""
READY_SECONDS_MAX: Final = 60.0


@contextmanager
def watching(bootstrap: str, database_url: str, prefix: str) -> Iterator[Arrived]:
    """A desk of its own over these topics, and a client of its `Watch`, over mutual TLS."""
    broker = Broker(bootstrap)
    broker.prefix = prefix
    database = Database("postgres", database_url)
    prepare(database)
    with TemporaryDirectory() as folder:
        house = House(Path(folder), broker, database, LOG_LEVEL="warning")
        arrived: Arrived = {}
        watches = threading.Event()
        client = threading.Thread(target=_watch, args=(house, arrived, watches), daemon=True)
        try:
            house.start()
            client.start()
            if not watches.wait(READY_SECONDS_MAX):
                raise RuntimeError("the desk lets nobody watch")
            yield arrived
        finally:
            house.kill()  # which ends the watch, too
            client.join(READY_SECONDS_MAX)


def _watch(house: House, arrived: Arrived, watches: threading.Event) -> None:
    async def watch() -> None:
        async with house.stub() as stub:
            async for answer in stub.Watch(WatchRequest(from_beginning=True)):
                now = time.monotonic_ns()
                if answer.HasField("caught_up"):
                    watches.set()
                elif answer.HasField("alert"):
                    arrived[answer.alert.id, answer.alert.revision] = now

    try:
        asyncio.run(watch())
    except Exception:
        if house.process is not None and house.process.poll() is None:
            raise
