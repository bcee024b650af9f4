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
from table_client.errors import JournalBehind, Replaced
from table_client.outbox import Journal
from table_client.reporter import Reporter
from tests.table_client.client import TABLE, reporting
from tests.table_gateway.house import AT, House, frame
from wire import decode_event
from wire.chain import verify


def tell(reporter: Reporter, count: int) -> int:
    return [reporter.tell(RoundOpened(f"R-{n}"), at=AT + n) for n in range(count)][-1]


def test_what_is_told_offline_arrives_once_the_gateway_is_there(
    make_house: Callable[[], House], tmp_path: Path
) -> None:
    house = make_house()
    path = tmp_path / "journal"

    async def scenario() -> None:
        async with reporting(house, path) as reporter:
            last = tell(reporter, 100)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(house.start)
            await asyncio.wait_for(reporter.acknowledged(last), 30)
            last = tell(reporter, 5)
            await asyncio.wait_for(reporter.acknowledged(last), 30)

    asyncio.run(scenario())
    with Journal(path, TABLE) as journal:
        assert house.logged(TABLE) == journal.after(0, weight_max=1 << 30, overhead=0)


@pytest.mark.proof
def test_through_kills_of_both_sides_every_event_arrives_and_in_order(
    make_house: Callable[[], House], tmp_path: Path
) -> None:
    random = Random(5)
    house = make_house()
    house.start()
    path = tmp_path / "journal"
    told = 0

    async def one_life(*, killed: bool) -> int:
        async with reporting(house, path) as reporter:
            last = 0
            for _ in range(random.randint(5, 30)):
                last = tell(reporter, random.randint(1, 20))
                await asyncio.sleep(random.uniform(0, 0.02))
            if killed:
                house.kill()
                last = tell(reporter, 10)
                await asyncio.to_thread(house.start)
            await asyncio.wait_for(reporter.acknowledged(last), 30)
            return last

    for killed in (False, True, True, False):
        told = asyncio.run(one_life(killed=killed))
    log = list(dict.fromkeys(house.logged(TABLE)))
    assert [decode_event(each).seq for each in log] == list(range(1, told + 1))
    assert verify(log) == ()
    assert house.dead_letters() == []


def test_a_controller_with_a_new_disk_goes_on_where_the_log_ends(
    make_house: Callable[[], House], tmp_path: Path
) -> None:
    house = make_house()
    house.start()

    async def scenario() -> None:
        async with reporting(house, tmp_path / "one") as reporter:
            await asyncio.wait_for(reporter.acknowledged(tell(reporter, 10)), 30)
        async with reporting(house, tmp_path / "two") as reporter:
            await asyncio.wait_for(reporter.acknowledged(10), 30)
            assert tell(reporter, 1) == 11
            await asyncio.wait_for(reporter.acknowledged(11), 30)

    asyncio.run(scenario())
    assert verify(house.logged(TABLE)) == ()
    assert len(house.logged(TABLE)) == 11


def test_what_trying_again_does_not_mend_is_raised(
    make_house: Callable[[], House], tmp_path: Path
) -> None:
    house = make_house()
    house.start()

    async def run(name: str, table: str = TABLE) -> None:
        with Journal(tmp_path / name, TABLE) as journal:
            await report(journal, table)

    async def report(journal: Journal, table: str) -> None:
        async with Links(house.credentials(table)) as links:
            gateway = links.to("table_gateway", house.address)
            reporter = Reporter(journal, lambda: gateway, backoff=Backoff(Random(1)))
            await asyncio.wait_for(reporter.run(), 30)

    async def scenario() -> None:
        async with house.speaking(TABLE) as line:
            forged = [frame(TABLE, 1, RoundOpened("forged"))]
            assert await line.report(forged) == (1, [])
        with pytest.raises(grpc.aio.AioRpcError, match="table/BJ-08 may not speak for BJ-07"):
            await run("foreign", "BJ-08")
        async with house.speaking(TABLE) as line:
            assert line.welcome.resume_after == 1
            with Journal(tmp_path / "older", TABLE) as older:
                running = asyncio.create_task(report(older, TABLE))
                with pytest.raises(grpc.aio.AioRpcError):
                    await line.read()
                while older.is_new:  # it is told where the log ends
                    await asyncio.sleep(0.01)
                async with house.speaking(TABLE) as line:
                    with pytest.raises(Replaced):
                        await running
                    await line.report([frame(TABLE, 2, RoundOpened("R-2"), forged[0])])
        with pytest.raises(JournalBehind):
            await run("older")

    asyncio.run(scenario())


class SlowDisk(Journal):
    """Says that all is on disk when it is let."""

    let = Event()

    def sync(self) -> None:
        self.let.wait()
        super().sync()


def test_nothing_is_sent_before_it_is_on_disk_and_nobody_waits_for_the_disk(
    make_house: Callable[[], House], tmp_path: Path
) -> None:
    house = make_house()
    house.start()

    async def scenario() -> None:
        async with reporting(house, tmp_path / "journal", open_journal=SlowDisk) as reporter:
            for _ in range(50):  # the loop is free: this takes half a second, and not for ever
                tell(reporter, 1)
                await asyncio.sleep(0.01)
            assert house.logged(TABLE) == []
            SlowDisk.let.set()
            await asyncio.wait_for(reporter.acknowledged(50), 30)

    try:
        asyncio.run(scenario())
    finally:
        SlowDisk.let.set()
    assert len(house.logged(TABLE)) == 50
