"""The reference client against a real gateway and a real broker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event

import grpc
import pytest

from blackjack.facts import RoundOpened
from runtime.rpc.links import Links
from table_client.backoff import Backoff
from table_client.errors import OutboxBehind, Replaced
from table_client.outbox import Outbox
from table_client.reporter import Reporter
from tests.table_client.client import TABLE, running_reporter
from tests.table_gateway.harness import AT, GatewayProcess, frame
from wire import decode_event
from wire.chain import verify


def report(reporter: Reporter, count: int) -> int:
    return [reporter.report(RoundOpened(f"R-{n}"), at=AT + n) for n in range(count)][-1]


def test_what_is_told_offline_arrives_once_the_gateway_is_there(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    path = tmp_path / "journal"

    async def scenario() -> None:
        async with running_reporter(gateway, path) as reporter:
            last = report(reporter, 100)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(gateway.start)
            await asyncio.wait_for(reporter.acknowledged(last), 30)
            last = report(reporter, 5)
            await asyncio.wait_for(reporter.acknowledged(last), 30)

    asyncio.run(scenario())
    with Outbox(path, TABLE) as outbox:
        assert gateway.logged(TABLE) == outbox.after(0, weight_max=1 << 30, overhead=0)


@pytest.mark.proof
def test_through_kills_of_both_sides_every_event_arrives_and_in_order(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    random = Random(5)
    gateway = make_gateway()
    gateway.start()
    path = tmp_path / "journal"
    reported = 0

    async def one_life(*, killed: bool) -> int:
        async with running_reporter(gateway, path) as reporter:
            last = 0
            for _ in range(random.randint(5, 30)):
                last = report(reporter, random.randint(1, 20))
                await asyncio.sleep(random.uniform(0, 0.02))
            if killed:
                gateway.kill()
                last = report(reporter, 10)
                await asyncio.to_thread(gateway.start)
            await asyncio.wait_for(reporter.acknowledged(last), 30)
            return last

    for killed in (False, True, True, False):
        reported = asyncio.run(one_life(killed=killed))
    log = list(dict.fromkeys(gateway.logged(TABLE)))
    assert [decode_event(each).seq for each in log] == list(range(1, reported + 1))
    assert verify(log) == ()
    assert gateway.dead_letters() == []


def test_a_controller_with_a_new_disk_goes_on_where_the_log_ends(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()

    async def scenario() -> None:
        async with running_reporter(gateway, tmp_path / "one") as reporter:
            await asyncio.wait_for(reporter.acknowledged(report(reporter, 10)), 30)
        async with running_reporter(gateway, tmp_path / "two") as reporter:
            await asyncio.wait_for(reporter.acknowledged(10), 30)
            assert report(reporter, 1) == 11
            await asyncio.wait_for(reporter.acknowledged(11), 30)

    asyncio.run(scenario())
    assert verify(gateway.logged(TABLE)) == ()
    assert len(gateway.logged(TABLE)) == 11


def test_what_trying_again_does_not_mend_is_raised(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()

    async def run(name: str, table: str = TABLE) -> None:
        with Outbox(tmp_path / name, TABLE) as outbox:
            await send(outbox, table)

    async def send(outbox: Outbox, table: str) -> None:
        async with Links(gateway.credentials(table)) as links:
            channel = links.to("table_gateway", gateway.address)
            reporter = Reporter(outbox, lambda: channel, backoff=Backoff(Random(1)))
            await asyncio.wait_for(reporter.run(), 30)

    async def scenario() -> None:
        async with gateway.open_session(TABLE) as stream:
            forged = [frame(TABLE, 1, RoundOpened("forged"))]
            assert await stream.report(forged) == (1, [])
        with pytest.raises(
            grpc.aio.AioRpcError, match='"table/BJ-08" may not report for table "BJ-07"'
        ):
            await run("foreign", "BJ-08")
        async with gateway.open_session(TABLE) as stream:
            assert stream.welcome.resume_after == 1
            with Outbox(tmp_path / "older", TABLE) as older:
                running = asyncio.create_task(send(older, TABLE))
                with pytest.raises(grpc.aio.AioRpcError):
                    await stream.read()
                while older.is_new:  # it is told where the log ends
                    await asyncio.sleep(0.01)
                async with gateway.open_session(TABLE) as stream:
                    with pytest.raises(Replaced):
                        await running
                    await stream.report([frame(TABLE, 2, RoundOpened("R-2"), forged[0])])
        with pytest.raises(OutboxBehind):
            await run("older")

    asyncio.run(scenario())


class SlowDisk(Outbox):
    """Says that all is on disk when it is let."""

    let = Event()

    def sync(self) -> None:
        self.let.wait()
        super().sync()


def test_nothing_is_sent_before_it_is_on_disk_and_nobody_waits_for_the_disk(
    make_gateway: Callable[[], GatewayProcess], tmp_path: Path
) -> None:
    gateway = make_gateway()
    gateway.start()

    async def scenario() -> None:
        async with running_reporter(
            gateway, tmp_path / "journal", open_outbox=SlowDisk
        ) as reporter:
            for _ in range(50):  # the loop is free: this takes half a second, and not for ever
                report(reporter, 1)
                await asyncio.sleep(0.01)
            assert gateway.logged(TABLE) == []
            SlowDisk.let.set()
            await asyncio.wait_for(reporter.acknowledged(50), 30)

    try:
        asyncio.run(scenario())
    finally:
        SlowDisk.let.set()
    assert len(gateway.logged(TABLE)) == 50
