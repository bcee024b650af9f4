"""The life of a stack: kept through stop and kill, beside others, ended without a trace."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import psycopg
import pytest

from deploy.stack.process import is_alive, send, wait_for_end
from deploy.stack.stack import Condition, Stack
from tests.stack.broker import Broker
from tests.stack.listening import addresses_of, family_of, parents_of_all
from tests.stack.plugin import StackMaker

pytestmark = pytest.mark.proof


def values_of(stack: Stack, topic: str) -> list[bytes | None]:
    return [message.value() for message in Broker(stack.kafka_bootstrap).read(topic)]


def notes_of(stack: Stack) -> list[str]:
    with psycopg.connect(stack.database_url) as connection:
        return [row[0] for row in connection.execute("SELECT body FROM note ORDER BY body")]


def write_note(stack: Stack, body: str) -> None:
    with psycopg.connect(stack.database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS note (body text)")
        connection.execute("INSERT INTO note VALUES (%s)", [body])


def test_a_stack_keeps_what_it_has_through_stop_and_kill(
    stack: Stack, own_stack: StackMaker
) -> None:
    """One story, because every chapter starts servers: a first start beside another stack's,
    a stop and a start, kill -9 of both servers and a start, and the end."""
    own = own_stack()
    own.up()
    bootstrap, url = own.kafka_bootstrap, own.database_url
    assert bootstrap != stack.kafka_bootstrap
    assert own.state.password != stack.state.password
    assert_only_this_machine_can_connect(own)
    assert_each_server_leads_its_session(own)
    assert_others_may_not_look(own.settings.folder)

    Broker(bootstrap).write("table-events", [b"before the stop"], key=b"BJ-07")
    write_note(own, "before the stop")
    own.down()
    assert [part.condition for part in own.status()] == [Condition.STOPPED] * 2
    own.up()
    assert (own.kafka_bootstrap, own.database_url) == (bootstrap, url)
    assert values_of(own, "table-events") == [b"before the stop"]
    assert notes_of(own) == ["before the stop"]

    Broker(bootstrap).write("table-events", [b"before the kill"], key=b"BJ-07")
    write_note(own, "before the kill")
    for process in own.state.processes.values():
        send(process, signal.SIGKILL)
        assert wait_for_end(process, 10)
    assert [part.condition for part in own.status()] == [Condition.DIED] * 2
    own.up()
    assert (own.kafka_bootstrap, own.database_url) == (bootstrap, url)
    assert values_of(own, "table-events") == [b"before the stop", b"before the kill"]
    assert notes_of(own) == ["before the kill", "before the stop"]

    processes = own.state.processes
    families = set().union(*(family_of(process.pid) for process in processes.values()))
    assert len(families) > len(processes)
    own.up()
    assert own.state.processes == processes, "what runs is left alone"
    own.down()
    assert not any(map(is_alive, processes.values()))
    assert not families & {pid for pid, _ in parents_of_all()}
    assert [part.condition for part in stack.status()] == [Condition.OK] * 2, "the other lives on"


def assert_only_this_machine_can_connect(own: Stack) -> None:
    state = own.state
    heard = {name: addresses_of(process.pid) for name, process in state.processes.items()}
    ports = state.ports
    assert heard == {
        "kafka": {("127.0.0.1", ports["kafka"]), ("127.0.0.1", ports["kafka-controller"])},
        "postgres": {("127.0.0.1", ports["postgres"])},
    }


def assert_each_server_leads_its_session(own: Stack) -> None:
    """So that Ctrl-C in the terminal of `up` does not reach it."""
    for process in own.state.processes.values():
        assert os.getsid(process.pid) == process.pid


def assert_others_may_not_look(folder: Path) -> None:
    """Root's folder can be passed through, on the way to PostgreSQL's; nothing can be read."""
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes.pop("stack") == (0o711 if os.geteuid() == 0 else 0o700)
    assert {name for name, mode in modes.items() if mode & 0o077} == set()
    assert {name for name, mode in modes.items() if mode == 0o700} >= {"kafka", "log"}
