"""kill -9 of the gateway and of the broker while several tables report through the client.

The journals forget what was acknowledged as soon as they can, so that nothing acknowledged can
be sent again: if the log lost any of it, its client would say so, and stop.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from blackjack.facts import RoundOpened
from deploy.stack.ports import is_free
from deploy.stack.process import send, wait_for_end
from deploy.stack.stack import Stack
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.outbox import Outbox
from table_client.reporter import Reporter
from tests.stack.broker import Broker
from tests.stack.plugin import StackMaker
from tests.table_gateway.harness import AT, GatewayProcess, eventually
from wire import decode_event
from wire.chain import verify

pytestmark = pytest.mark.proof

SEED = int(os.environ.get("KILL_SEED", "1"))
"""Another can be given, to look further."""
TABLES = ("BJ-01", "BJ-02", "BJ-03", "BJ-04")
EACH = int(os.environ.get("KILLS_EACH") or 1)
"""`make kills` kills more often: a broker takes its time to come back."""
KILLS = ("gateway", "gateway", "both") * EACH + ("broker",) * (EACH - 1)


class Table:
    """Tells without a pause, so that there is always something under way."""

    def __init__(self, gateway: GatewayProcess, name: str) -> None:
        self.gateway = gateway
        self.name = name
        self.random = Random(f"{name}-{SEED}")
        self.reported = 0
        self.outbox = Outbox(gateway.folder / f"{name}.journal", name, compact_bytes=1)

    @asynccontextmanager
    async def running_reporter(self) -> AsyncIterator[None]:
        async with Links(self.gateway.credentials(self.name)) as links:
            reporter = Reporter(
                self.outbox,
                lambda: links.to("table_gateway", self.gateway.address),
                backoff=Backoff(self.random, seconds_max=0.3),
            )
            self.running = asyncio.create_task(reporter.run())
            telling = asyncio.create_task(self._tell(reporter))
            try:
                yield
                telling.cancel()
                await asyncio.wait_for(reporter.acknowledged(self.reported), 60)
            finally:
                telling.cancel()
                self.running.cancel()
                await asyncio.wait({telling, self.running})

    async def _tell(self, reporter: Reporter) -> None:
        while True:
            for _ in range(self.random.randint(1, 8)):
                self.reported = reporter.report(
                    RoundOpened(f"R-{self.reported + 1}"), at=AT + self.reported
                )
            await asyncio.sleep(self.random.uniform(0, 0.03))

    def check(self) -> None:
        """Nothing has stopped it."""
        if self.running.done():
            self.running.result()


def port_below_the_ephemeral() -> int:
    """A free one that no outgoing connection is given while the broker is away."""
    for port in range(20_000 + os.getpid() % 5_000, 32_000):
        if is_free(port):
            return port
    raise AssertionError("every port is taken")


async def kill(victim: str, gateway: GatewayProcess, stack: Stack) -> None:
    if victim in ("gateway", "both"):
        gateway.kill()
    if victim in ("broker", "both"):
        process = stack.state.processes["kafka"]
        send(process, signal.SIGKILL)
        assert await asyncio.to_thread(wait_for_end, process, 30)
        # Its last threads may still be about to let go of the port.
        await asyncio.to_thread(eventually, lambda: is_free(stack.settings.kafka_port))
        await asyncio.to_thread(stack.up, servers_only=True)
    if victim in ("gateway", "both"):
        await asyncio.to_thread(gateway.start)


def test_through_kills_of_gateway_and_broker_nothing_acknowledged_is_lost(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    random = Random(SEED)
    stack = own_stack(STACK_KAFKA_PORT=str(port_below_the_ephemeral()))
    stack.up(servers_only=True)
    gateway = GatewayProcess(tmp_path, Broker(stack.kafka_bootstrap), TABLE_HEADS_SECONDS="0.5")
    gateway.start()
    tables = [Table(gateway, name) for name in TABLES]
    victims = list(KILLS)
    random.shuffle(victims)

    async def scenario() -> None:
        async with AsyncExitStack() as open_tables:
            for table in tables:
                await open_tables.enter_async_context(table.running_reporter())
            for victim in victims:
                await asyncio.sleep(random.uniform(0.1, 1.5))
                before = [table.outbox.acknowledged_seq for table in tables]
                await kill(victim, gateway, stack)
                async with asyncio.timeout(60):  # each goes on: the kill was in the middle
                    for table, seq in zip(tables, before, strict=True):
                        while table.outbox.acknowledged_seq <= seq:
                            await asyncio.sleep(0.05)
                            table.check()

    try:
        asyncio.run(scenario())
        for table in tables:
            assert table.outbox.is_empty
            log = gateway.logged(table.name)
            events = [decode_event(each) for each in dict.fromkeys(log)]
            assert [event.seq for event in events] == list(range(1, table.reported + 1))
            rounds = [f"R-{number}" for number in range(1, table.reported + 1)]
            assert [event.fact for event in events] == [RoundOpened(name) for name in rounds]
            assert verify(log) == ()
        assert gateway.dead_letters() == []
        assert "acknowledged events missing from the log" not in gateway.log
    finally:
        gateway.kill()
        for table in tables:
            table.outbox.close()
