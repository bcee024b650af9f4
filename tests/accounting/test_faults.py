"""Whatever is killed, refused or made anew: the ledger is the one that the log gives."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import psycopg
import pytest
from psycopg import sql

from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.cage_event_pb2 import CloseOverride
from casino.table.v1.facts_money_pb2 import ChipsRedeemed
from deploy.stack.process import send
from runtime.database.roles import application_role
from tests.accounting.books import SERVICE, prepare
from tests.accounting.facts import DAY, a_count, a_fill, by_hand, cage_event, refusal, work
from tests.accounting.house import House
from tests.stack.broker import Broker
from tests.stack.databases import Database, Databases
from tests.stack.houses import template_of
from tests.stack.plugin import StackMaker
from tests.stack.ports import own_port
from tests.stack.service_house import eventually
from tests.table_simulator.days import a_day

pytestmark = pytest.mark.proof


@contextmanager
def undisturbed(house: House, databases: Databases, folder: Path) -> Iterator[House]:
    """Another ledger of the same log, which nothing happened to."""
    database = databases.make(template_of(databases, SERVICE))
    other = House(folder, house.broker, database)
    other.start()
    try:
        other.caught_up()
        yield other
    finally:
        other.kill()
        databases.drop(database)


def redeem(event_id: str = "") -> pb.RecordRequest:
    redeemed = ChipsRedeemed(cents=100_00, patron="p-1")
    return pb.RecordRequest(event=cage_event(chips_redeemed=redeemed, event_id=event_id))


def posted(house: House) -> int:
    ((count,),) = house.ask("SELECT count(*) FROM entries")
    return int(count)


def test_a_ledger_made_anew_has_the_same_rows(house: House) -> None:
    house.play(a_day(21, tables=4, rounds=6, every=3))
    house.caught_up()
    work(house, "BJ-01")
    house.record(a_fill("BJ-01", "F-1"))
    house.record(a_count("BJ-01", "B-BJ-01"))
    with refusal("unknown_table"):
        house.record(a_count("NO-1", "B-1"))
    house.caught_up()
    day = house.call("GetDay", pb.GetDayRequest(gaming_day=DAY.isoformat())).day
    unmet = [check.name for check in day.checks if not check.met]
    override = CloseOverride(by="grace", reason="for this test", checks=unmet)
    house.call("CloseDay", pb.CloseDayRequest(gaming_day=DAY.isoformat(), override=override))
    house.record(
        by_hand(("over_short/BJ-01", 1_00), ("tray/BJ-01", -1_00), adjusting=True, reason="late")
    )
    house.caught_up()
    before = house.dump()
    assert before["closed_days"]
    assert before["refusals"]
    told = house.rebuild()
    assert told[-1].done
    assert told[-1].lag == 0
    assert house.dump() == before
    # It goes on from there.
    house.record(a_fill("BJ-01", "F-2", gaming_day="2026-03-05"))
    assert len(house.dump()["cage"]) == len(before["cage"]) + 1


def test_only_the_owner_of_the_tables_empties_them(make_house: Callable[..., House]) -> None:
    house = make_house()
    house.start(may_migrate=False)
    with pytest.raises(grpc.aio.AioRpcError, match="DATABASE_MIGRATION_URL") as refused:
        house.rebuild()
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_killed_while_it_posts_a_day_it_posts_each_fact_once(
    make_house: Callable[..., House], databases: Databases, tmp_path: Path
) -> None:
    house = make_house(LEDGER_BATCH_MESSAGES_MAX="40")
    house.play(a_day(22, tables=5, rounds=10, every=3))
    for _ in range(5):
        before = posted(house)
        house.start(wait=False)
        eventually(lambda at=before: posted(house) > at)  # type: ignore[misc]
        house.kill()
    house.start()
    house.caught_up()
    (tmp_path / "other").mkdir()
    with undisturbed(house, databases, tmp_path / "other") as other:
        assert house.dump() == other.dump()


def test_killed_while_something_is_entered_it_answers_the_same_id_afterwards(
    house: House,
) -> None:
    async def enter_and_kill(number: int) -> None:
        async with house.stub() as stub:
            await stub.GetStatus(pb.GetStatusRequest())
            call = stub.Record(redeem(f"kill-{number}"), timeout=5)
            await asyncio.sleep(0.01 * number)
            house.kill()
            await asyncio.gather(call, return_exceptions=True)  # answered in time or not

    for number in range(4):
        asyncio.run(enter_and_kill(number))
        house.start()
        answer = house.call("Record", redeem(f"kill-{number}"))
        assert answer.entry.transfers
    ((events, cents),) = house.ask("SELECT count(*), sum(cents)::bigint FROM cage")
    assert (events, cents) == (4, 400_00)


def test_postgresql_killed_while_a_day_is_posted_loses_and_doubles_nothing(
    own_stack: StackMaker,
    broker: Broker,
    databases: Databases,
    tmp_path: Path,
) -> None:
    own = own_stack(KAFKA_BOOTSTRAP=broker.bootstrap, STACK_POSTGRES_PORT=str(own_port()))
    own.up(servers_only=True)
    database = Database("postgres", own.database_url)
    prepare(database)
    house = House(tmp_path, broker, database, LEDGER_BATCH_MESSAGES_MAX="20")
    frames = [(f.stream, f.data, f.ingested_at) for f in a_day(23, tables=5, rounds=12).frames]
    third = len(frames) // 3
    house.start()
    try:
        for number in range(3):
            before = posted(house)
            house.settle(frames[number * third : (number + 1) * third])
            eventually(lambda at=before: posted(house) > at)  # type: ignore[misc]
            send(own.state.processes["postgres"], signal.SIGKILL)
            eventually(lambda: not house.is_ready())
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                house.call("Record", redeem())
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
            own.up(servers_only=True)
            eventually(house.is_ready)
        house.caught_up()
        assert house.call("Record", redeem()).entry.transfers
        (tmp_path / "other").mkdir()
        with undisturbed(house, databases, tmp_path / "other") as other:
            assert house.dump() == other.dump()
    finally:
        house.kill()


def test_while_postgresql_refuses_writes_nothing_is_lost_and_it_goes_on_afterwards(
    house: House, databases: Databases, tmp_path: Path
) -> None:
    """The setting is of the role in this database: other tests have the same role in theirs."""
    house.play(a_day(24, tables=2, rounds=4))
    house.caught_up()
    before = posted(house)

    def refuse_writes(value: str) -> None:
        with psycopg.connect(house.database.url, autocommit=True) as connection:
            setting = "ALTER ROLE {} IN DATABASE {} SET default_transaction_read_only = {}"
            names = (application_role(SERVICE), house.database.name)
            connection.execute(sql.SQL(setting).format(*map(sql.Identifier, names), sql.SQL(value)))
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND usename = %s",
                [house.database.name, application_role(SERVICE)],
            )

    refuse_writes("on")
    eventually(lambda: "takes no writes" in house.log)
    assert not house.is_ready()
    house.play(a_day(25, tables=2, rounds=4), floor="U")
    # What is only asked is answered all the same.
    assert house.call("GetStatus", pb.GetStatusRequest()).lag > 0
    assert not house.is_ready()
    assert posted(house) == before
    refuse_writes("off")
    eventually(house.is_ready)
    house.caught_up()
    (tmp_path / "other").mkdir()
    with undisturbed(house, databases, tmp_path / "other") as other:
        assert house.dump() == other.dump()


def test_what_is_not_posted_in_time_is_in_the_log_and_answered_later(
    make_house: Callable[..., House],
) -> None:
    house = make_house(COMMAND_SECONDS_MAX="1")
    house.start()
    with psycopg.connect(house.database.url) as holder:
        # Whoever posts waits for the table; whoever reads does not.
        holder.execute(f"LOCK TABLE {SERVICE}.cage IN EXCLUSIVE MODE".encode())
        with pytest.raises(grpc.aio.AioRpcError, match="will be posted") as refused:
            house.call("Record", redeem("slow-1"))
        assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        with pytest.raises(grpc.aio.AioRpcError, match="Nothing was entered") as refused:
            house.call("Record", redeem("slow-2"))
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    eventually(lambda: house.call("GetStatus", pb.GetStatusRequest()).lag == 0)
    assert house.call("Record", redeem("slow-1")).entry.transfers
    ((events,),) = house.ask("SELECT count(*) FROM cage")
    assert events == 1
