"""Readiness follows the database without flapping: one that hangs, and one that takes no rows."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import psycopg

from tests.round_archive.house import House, prepare
from tests.round_archive.said import a_round, get
from tests.stack.broker import Broker
from tests.stack.databases import Database
from tests.stack.plugin import StackMaker
from tests.stack.ports import own_port
from tests.stack.service_house import eventually

ATTEMPTS = 8
DISK_FULL = """
CREATE SEQUENCE round_archive.attempts;
GRANT USAGE ON SEQUENCE round_archive.attempts TO PUBLIC;
CREATE FUNCTION round_archive.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('round_archive.attempts');
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON round_archive.round_versions
FOR EACH STATEMENT EXECUTE FUNCTION round_archive.refuse();
"""
"""What the server does when a file cannot grow, while whatever needs no new page succeeds."""


def changes(house: House) -> list[str]:
    """Each time the service became ready, or was not ready any more, in its own words."""
    told = [json.loads(line) for line in house.log.splitlines() if line.startswith("{")]
    said = [each["event"] for each in told if each["event"] in ("ready", "not ready")]
    return [each for number, each in enumerate(said) if not number or said[number - 1] != each]


def test_a_full_disk_makes_it_unready_once_and_it_is_ready_after_a_write(house: House) -> None:
    eventually(house.is_ready)
    before = changes(house)
    with psycopg.connect(house.database.url, autocommit=True) as administrator:
        administrator.execute(DISK_FULL)
        house.say_round(a_round("R-1"))

        def attempts() -> int:
            row = administrator.execute("SELECT last_value FROM round_archive.attempts").fetchone()
            assert row is not None
            return int(row[0])

        eventually(lambda: not house.is_ready())
        while attempts() < ATTEMPTS:
            assert not house.is_ready(), "nothing was written yet"
        assert changes(house) == [*before, "not ready"]
        administrator.execute("DROP TRIGGER full_disk ON round_archive.round_versions")
    eventually(house.is_ready)
    assert get(house, "R-1").round.round == "R-1"
    assert changes(house) == [*before, "not ready", "ready"]


def test_a_database_that_hangs_makes_it_unready_until_it_answers_again(
    own_stack: StackMaker, broker: Broker, tmp_path: Path
) -> None:
    own = own_stack(KAFKA_BOOTSTRAP=broker.bootstrap, STACK_POSTGRES_PORT=str(own_port()))
    own.up(servers_only=True)
    database = Database("postgres", own.database_url)
    prepare(database)
    house = House(tmp_path, broker, database)
    house.start()
    try:
        eventually(house.is_ready)
        before = changes(house)
        with psycopg.connect(own.database_url) as connection:
            rows = connection.execute("SELECT pid FROM pg_stat_activity").fetchall()
            # The postmaster first: it must not begin sessions that were not stopped.
            processes = [own.state.processes["postgres"].pid, *(row[0] for row in rows)]
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            try:
                eventually(lambda: not house.is_ready())
                house.say_round(a_round("R-1"))
            finally:
                for process in reversed(processes):
                    os.kill(process, signal.SIGCONT)
        eventually(house.is_ready)
        asyncio.run(house.indexed())
        assert get(house, "R-1").round.round == "R-1"
        assert changes(house) == [*before, "not ready", "ready"]
    finally:
        house.kill()
