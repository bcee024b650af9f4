"""The index through kills, a server that goes away and one that stands still: each round once."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import grpc
import pytest

from deploy.stack.process import send
from tests.round_archive.house import House, prepare
from tests.round_archive.said import a_round, frames, get, rebuilt
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.plugin import StackMaker
from tests.stack.ports import own_port
from tests.stack.service_house import eventually
from wire import topics

pytestmark = pytest.mark.proof

BROKER_SESSION_SECONDS = 9
"""After which the controller takes a broker that says nothing for gone."""


def test_killed_at_any_moment_each_is_there_once(make_house: Callable[..., House]) -> None:
    house = make_house(INDEX_BATCH_MESSAGES_MAX="7")
    moments = Random(20261116)
    day = frames(2, tables=4, rounds=8)
    partial = 0
    for at in range(0, len(day), len(day) // 4 + 1):
        house.settle(day[at : at + len(day) // 4 + 1])
        house.start()
        time.sleep(moments.uniform(0.0, 0.3))
        house.kill()
        partial += 0 < len(house.dump()["rounds"]) < 32
    assert partial, "kills came too late"
    house.start()
    asyncio.run(house.indexed())
    after = house.dump()
    assert sum(row[2] for row in after["counts"] if row[0] == "rounds") == len(after["rounds"])
    rebuilt(house)
    assert house.dump() == after
    said = house.broker.read(house.topic(topics.SETTLED_ROUNDS))
    assert len(after["round_versions"]) == len({each.value() for each in said})


def test_another_instance_takes_over_when_the_first_is_killed(house: House) -> None:
    other = House(house.folder, house.broker, house.database)
    other.start()
    try:
        house.settle(frames(3, tables=2, rounds=3))
        asyncio.run(other.indexed())
        house.kill()
        house.settle(frames(3, tables=2, rounds=6)[-200:])
        asyncio.run(other.indexed())
        assert len(other.dump()["rounds"]) > 6
    finally:
        other.kill()


def test_the_index_goes_on_after_postgresql_was_killed(
    own_stack: StackMaker, broker: Broker, tmp_path: Path
) -> None:
    port = str(own_port())
    own = own_stack(KAFKA_BOOTSTRAP=broker.bootstrap, STACK_POSTGRES_PORT=port)
    own.up(servers_only=True)
    database = Database("postgres", own.database_url)
    prepare(database)
    house = House(tmp_path, broker, database)
    house.start()
    try:
        house.say_round(a_round("R-1"))
        assert get(house, "R-1").round.round == "R-1"
        send(own.state.processes["postgres"], signal.SIGKILL)
        eventually(lambda: not house.is_ready())
        house.say_round(a_round("R-2", first_seq=50))
        with pytest.raises(grpc.aio.AioRpcError, match="database does not answer") as refused:
            asyncio.run(house.indexed())
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
        own.up(servers_only=True)
        eventually(house.is_ready)
        assert get(house, "R-2").round.round == "R-2"
        assert len(house.dump()["rounds"]) == 2
    finally:
        house.kill()


def test_the_status_is_told_again_after_the_broker_stood_still(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    """Long enough to lose its leadership: clients that remember the old one are refused."""
    own = own_stack()
    own.up(servers_only=True)
    database = Database("postgres", own.database_url)
    prepare(database)
    broker = Broker(own.kafka_bootstrap)
    house = House(tmp_path, broker, database)
    house.start()

    def epochs() -> set[int | None]:
        broker.write(house.topic(topics.TABLE_EVENTS), [b"x"], key=b"BJ-01")
        return {each.leader_epoch() for each in broker.read(house.topic(topics.TABLE_EVENTS))}

    try:
        asyncio.run(house.indexed())
        before = epochs()
        kafka = own.state.processes["kafka"]

        def lost_its_leadership() -> bool:
            # Its controller stood still too: whether it misses a heartbeat is a matter of luck.
            send(kafka, signal.SIGSTOP)
            time.sleep(BROKER_SESSION_SECONDS * 1.5)
            send(kafka, signal.SIGCONT)
            time.sleep(0.5)
            return epochs() > before

        eventually(lost_its_leadership)

        def is_told() -> bool:
            try:
                asyncio.run(house.indexed())
            except grpc.aio.AioRpcError as refused:
                if refused.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                return False
            return True

        eventually(is_told)
    finally:
        house.kill()
