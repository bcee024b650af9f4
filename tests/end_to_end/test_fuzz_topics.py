"""Poison in every topic of a whole running stack: everything continues.

`make fuzz-topics SEEDS=20` tries many seeds; a failure is made again by its own
(`FUZZ_TOPICS_FIRST=7 FUZZ_TOPICS_SEEDS=1`).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from deploy.demo.logged import LOOK_SECONDS, QUIET_LOOKS, Topics
from deploy.demo.watched import compare_alerts
from deploy.stack.identity import Identities
from deploy.stack.process import wait_for_end
from deploy.stack.services import SERVICES
from deploy.stack.stack import Condition, Stack
from runtime.addresses import Address
from runtime.kafka import topic_reader
from runtime.kafka.records import header
from runtime.positions import Partition
from table_simulator.days.day import SimulatedDay, simulate
from table_simulator.days.fault_plan import Plan
from table_simulator.domain.truth import planted_vs_found
from table_simulator.grpc.floor_sender import FloorConnection, open_floor
from tests.end_to_end.poison import (
    DAMAGED,
    DUPLICATE,
    EACH,
    FOREIGN,
    KEYED_BY_CONTENT,
    MISPLACED,
    Poisoner,
    Written,
)
from tests.stack.plugin import StackMaker
from tests.stack.service_house import eventually
from wire import headers, topics

pytestmark = pytest.mark.proof

FIRST = int(os.environ.get("FUZZ_TOPICS_FIRST") or 1)
SEEDS = range(FIRST, FIRST + int(os.environ.get("FUZZ_TOPICS_SEEDS") or 1))
SECONDS_MAX = 600.0
FAULTS = ("overpaid", "underpaid", "past post", "sequence gap", "clock skew")
BOOKS = ("entries", "transfers", "wagers", "rounds", "cash", "cage", "desk", "coupons")
READERS = {"accounting": "ledger", "round_archive": "index", "alert_desk": "alerts"}
NOT_COMPARED = ("log.refused", "office.refused", "surveillance.behind")
"""Alerts about the damaged messages themselves, and one that depends on how busy the machine is."""
READ_AT_START = frozenset({topics.TABLE_SNAPSHOTS, topics.TABLE_HEADS, topics.SURVEILLANCE_STATES})
"""Nobody looks at these while it runs; of one key only the last message counts."""


class Floor:
    """A whole stack on the run's Kafka, and what it has made of its log."""

    def __init__(self, own: Stack, folder: Path) -> None:
        self.stack = own
        self.folder = folder
        self.prefix = own.settings.topic_prefix
        own.up()
        self.bootstrap = own.kafka_bootstrap
        self.topics = Topics(self.bootstrap, self.prefix)

    def play(self, seed: int, name: str) -> SimulatedDay:
        """A short day with a few faults, sent by its tables and worked on by everybody."""
        plan = Plan(per_day=dict.fromkeys(FAULTS, 1))
        day = simulate(seed=seed, tables=3, rounds=6, plan=plan, floor_name=name)
        identities = Identities(self.stack.settings.folder)
        address = self.stack.addresses(self.stack.state)["TABLE_GATEWAY_ADDRESS"]
        line = FloorConnection(
            Address.parse(address),
            identities.folder / "table",
            self.folder / f"journals-{name}",
            identities.authority,
        )

        async def send() -> None:
            async with open_floor(day.scripts(), line, speed=0) as floor:
                async with asyncio.timeout(SECONDS_MAX):
                    assert (await floor.run()).is_done

        asyncio.run(send())
        return day

    def wait(self) -> None:
        """Until every service has done all that there is."""
        eventually(lambda: self.topics.lag() == 0, SECONDS_MAX)
        for _ in range(QUIET_LOOKS):
            eventually(lambda: self.topics.unwatched() == 0, SECONDS_MAX)
            time.sleep(2 * LOOK_SECONDS)  # a sighting may be on its way to its topic
        for service, consumer in READERS.items():
            eventually(partial(self._has_read, service, consumer), SECONDS_MAX)

    def _has_read(self, service: str, consumer: str) -> bool:
        read = {
            Partition(topic, partition): offset
            for topic, partition, offset in self.ask(
                service,
                "SELECT topic, partition, next_offset FROM consumed_positions WHERE consumer = %s",
                consumer,
            )
        }
        return all(read.get(at, 0) >= end for at, end in self._ends({p.topic for p in read}))

    def _ends(self, names: set[str]) -> list[tuple[Partition, int]]:
        places = [
            Partition(each.topic, each.partition)
            for name in names
            for each in topic_reader.whole(self.bootstrap, name)
        ]
        return list(topic_reader.visible_ends(self.bootstrap, places).items())

    def ask(self, service: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.stack.database_url) as connection:
            connection.execute(f"SET search_path = {service}".encode())
            return connection.execute(query.encode(), values).fetchall()

    def books(self) -> dict[str, list[tuple[Any, ...]]]:
        found = {
            name: sorted(self.ask("accounting", f"SELECT * FROM {name}"), key=repr)
            for name in BOOKS
        }
        # A finding that was said again is kept again, and stands once.
        query = "SELECT DISTINCT table_id, id, seq, is_withdrawal, kind, cents FROM findings"
        return found | {"findings": sorted(self.ask("accounting", query))}

    def alerts(self) -> list[tuple[Any, ...]]:
        query = "SELECT id, revision, stands, kind, cents, evidence_count FROM alerts"
        return sorted(row for row in self.ask("alert_desk", query) if row[3] not in NOT_COMPARED)

    def letters(self) -> Counter[tuple[str, str, str]]:
        """How many dead letters there are of each place in a topic."""
        names = (headers.SOURCE_TOPIC, headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
        topic = self.prefix + topics.DEAD_LETTERS
        found: Counter[tuple[str, str, str]] = Counter()
        for message in topic_reader.read(self.bootstrap, topic_reader.whole(self.bootstrap, topic)):
            place = [(header(message, name) or b"").decode(errors="replace") for name in names]
            found[place[0].removeprefix(self.prefix), place[1], place[2]] += 1
        return found

    def kill_services(self) -> None:
        for service in self.stack.services:
            process = self.stack.state.processes[service.name]
            os.kill(process.pid, signal.SIGKILL)
            assert wait_for_end(process, 30)

    def is_well(self) -> bool:
        return {part.condition for part in self.stack.status()} == {Condition.OK}


def needs_letter(written: Written) -> bool:
    return (
        written.kind != DUPLICATE
        and written.topic != topics.DEAD_LETTERS
        and written.topic not in READ_AT_START
    )


@pytest.fixture
def floor(stack: Stack, own_stack: StackMaker, tmp_path: Path) -> Callable[[int], Floor]:
    def make(seed: int) -> Floor:
        given = {"KAFKA_BOOTSTRAP": stack.kafka_bootstrap, "TOPIC_PREFIX": f"fuzz-{seed}-"}
        return Floor(own_stack(*SERVICES, **given), tmp_path)

    return make


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_continues(floor: Callable[[int], Floor], seed: int) -> None:
    house = floor(seed)
    house.play(seed, "A")
    house.wait()
    books, alerts = house.books(), house.alerts()
    assert books["rounds"]
    assert alerts
    before = house.stack.state.processes

    poisoner = Poisoner(house.bootstrap, house.prefix, seed)
    poisoner.poison()
    made = Counter((each.topic, each.kind) for each in poisoner.written)
    assert all(made[name, kind] == EACH for name in topics.ALL for kind in (DAMAGED, FOREIGN))
    assert all(made[name, MISPLACED] == EACH for name in KEYED_BY_CONTENT)
    assert sum(kind == DUPLICATE for _, kind in made) > len(KEYED_BY_CONTENT)
    house.wait()
    assert house.is_well()
    assert house.stack.state.processes == before, "nothing was started anew"
    house.kill_services()
    house.stack.up()
    house.wait()
    assert house.is_well()

    # Duplicates and copies changed nothing.
    assert house.books() == books
    assert house.alerts() == alerts

    # What is damaged, foreign or misplaced is kept, where it was and why; and is an alert.
    letters = house.letters()
    missing = [
        each
        for each in poisoner.written
        if needs_letter(each) and not letters[each.topic, str(each.partition), str(each.offset)]
    ]
    assert missing == []
    assert not [place for place in letters if place[0] == topics.DEAD_LETTERS]
    assert [place for place in letters if place[0] == topics.TABLE_SNAPSHOTS]
    said = " ".join(row[0] for row in house.ask("alert_desk", "SELECT words FROM alerts"))
    for name in {each.topic for each in poisoner.written if needs_letter(each)}:
        assert f"rejected in topic {house.prefix}{name}" in said or name == topics.TABLE_EVENTS, (
            name
        )

    # And the next day is as any other.
    since = house.topics.ends()
    day = house.play(seed + 1_000, "B")
    house.wait()
    assert house.is_well()
    found = house.topics.standing(since, day.tables)
    refusals = house.topics.rejections(since, day.tables)
    assert planted_vs_found(day.truths, found, refusals).is_clean
    assert compare_alerts(day.truths, house.topics.alerts(since)).is_clean
    posted = {row[0] for row in house.ask("accounting", "SELECT table_id FROM rounds")}
    assert {each.stream for each in day.scripts()} & posted
