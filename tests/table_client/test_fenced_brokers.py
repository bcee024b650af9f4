"""Brokers that are fenced and come back: nothing that was acknowledged is missing or out of order.

A leader is paused until the controller has fenced it and another leads; gateways start meanwhile,
and once more just when it wakes and still believes to lead. Then the leader is killed, and
registers again. The journals forget what was acknowledged as soon as they can: a log that lacks
any of it, even for a moment in which a gateway reads it, stops its client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from blackjack.facts import RoundOpened
from provisioning.kafka.topics import ensure_topics, named_topics
from runtime.kafka.partitioner import partition_of
from tests.stack.broker import Broker
from tests.stack.brokers import Brokers, several_brokers, wait_for
from tests.table_client.test_kills import TABLES, Table
from tests.table_gateway.harness import GatewayProcess
from wire import decode_event, topics
from wire.chain import verify

pytestmark = pytest.mark.proof

SEED = int(os.environ.get("KILL_SEED", "1"))
PROGRESS_SECONDS_MAX = 240.0


class Scene:
    """Tables that report all the time, and the brokers below them."""

    def __init__(self, folder: Path, brokers: Brokers) -> None:
        broker = Broker(brokers.bootstrap)
        copies = len(brokers.ports)
        ensure_topics(broker.admin, named_topics(broker.prefix, replicas=copies))
        self.brokers = brokers
        self.gateway = GatewayProcess(folder, broker, TABLE_HEADS_SECONDS="0.5")
        self.tables = [Table(self.gateway, name) for name in TABLES]
        self.random = Random(SEED)
        self._topic = broker.prefix + topics.TABLE_EVENTS

    async def leader(self) -> int:
        """Of the events of a table by chance."""
        partitions = topics.PARTITIONS[topics.TABLE_EVENTS]
        partition = partition_of(self.random.choice(TABLES).encode(), partitions)
        return await asyncio.to_thread(self.brokers.leader, self._topic, partition)

    def is_led_by_others_than(self, node: int) -> bool:
        found = self.brokers.admin.list_topics(self._topic, timeout=10).topics[self._topic]
        return all(each.leader not in (node, -1) for each in found.partitions.values())

    async def restart_gateway(self) -> None:
        self.gateway.kill()
        await asyncio.to_thread(self.gateway.start)

    async def wait_for_progress(self) -> None:
        """Every table is acknowledged something that it told after now."""
        async with asyncio.timeout(PROGRESS_SECONDS_MAX):
            for table, reported in [(table, table.reported) for table in self.tables]:
                while table.outbox.acknowledged_seq <= reported:
                    await asyncio.sleep(0.05)
                    table.check()

    def run(self, faults: Callable[[], Awaitable[None]]) -> None:
        async def scenario() -> None:
            async with AsyncExitStack() as open_tables:
                for table in self.tables:
                    await open_tables.enter_async_context(table.running_reporter())
                await self.wait_for_progress()
                await faults()

        try:
            self.gateway.start()
            asyncio.run(scenario())
            self._check_log()
        finally:
            self.gateway.kill()
            for table in self.tables:
                table.outbox.close()

    def _check_log(self) -> None:
        for table in self.tables:
            log = self.gateway.logged(table.name)
            events = [decode_event(each) for each in dict.fromkeys(log)]
            rounds = [RoundOpened(f"R-{number}") for number in range(1, table.reported + 1)]
            assert [event.seq for event in events] == list(range(1, table.reported + 1))
            assert [event.fact for event in events] == rounds
            assert verify(log) == ()
        assert self.gateway.dead_letters() == []
        assert "acknowledged events missing from the log" not in self.gateway.log


def test_a_leader_that_was_fenced_takes_nothing_acknowledged_with_it(tmp_path: Path) -> None:
    with several_brokers(tmp_path / "brokers", 3) as brokers:
        scene = Scene(tmp_path, brokers)

        async def faults() -> None:
            paused = await scene.leader()
            await asyncio.to_thread(brokers.pause_until_fenced, paused)
            await asyncio.to_thread(wait_for, lambda: scene.is_led_by_others_than(paused))
            await scene.restart_gateway()
            await scene.wait_for_progress()
            brokers.resume(paused)
            await scene.restart_gateway()
            await scene.wait_for_progress()
            await asyncio.to_thread(brokers.wait_until_all_serve)
            killed = await scene.leader()
            brokers.kill(killed)
            brokers.start(killed)
            await scene.wait_for_progress()
            await asyncio.to_thread(brokers.wait_until_all_serve)

        scene.run(faults)


def test_the_only_broker_is_fenced_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    with several_brokers(tmp_path / "brokers", 1) as brokers:
        scene = Scene(tmp_path, brokers)

        async def faults() -> None:
            await asyncio.to_thread(brokers.pause_until_fenced, 1)
            brokers.resume(1)
            await scene.wait_for_progress()
            brokers.kill(1)
            brokers.start(1)
            await scene.wait_for_progress()

        scene.run(faults)
