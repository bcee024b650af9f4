"""Services are started side by side after the servers, and ended in reverse order."""

from __future__ import annotations

import json
import signal
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.stack.errors import DatabaseRejected, PortTaken, ServerDied, ServerNotReady
from deploy.stack.ports import LOOPBACK
from deploy.stack.process import ProcessId, is_alive, send, tail, wait_for_end
from deploy.stack.service_process import as_role, is_serving
from deploy.stack.services import Service
from deploy.stack.stack import Condition, Stack
from runtime.identity.tokens import read_token_verifier
from tests.stack.databases import Database
from tests.stack.plugin import StackMaker, settings_in
from tests.stack.ports import own_port

ServiceStackMaker = Callable[..., Stack]


def service(name: str, *options: str, database: bool = False, several: bool = False) -> Service:
    module = ("-m", "tests.stack.health_server", *options)
    return Service(name, ports=0, arguments=module, database=database, several=several)


def told(own: Stack, name: str) -> dict[str, str]:
    """The environment of a service, as it printed it."""
    log = own.settings.folder / "log" / f"{name}.log"
    environment: dict[str, str] = json.loads(log.read_text().splitlines()[0])
    return environment


@pytest.fixture
def service_stack(stack: Stack, tmp_path: Path) -> Iterator[ServiceStackMaker]:
    """Stacks that use the run's servers, and start services of the test's own."""
    given = {"KAFKA_BOOTSTRAP": stack.kafka_bootstrap, "DATABASE_URL": stack.database_url}
    made: list[Stack] = []

    def make(*services: Service, **environment: str) -> Stack:
        settings = settings_in(tmp_path / "stack", **{**given, **environment})
        made.append(Stack(settings, services=services, report=lines.append))
        return made[-1]

    lines: list[str] = []
    yield make
    for process in made:
        process.down()


def test_services_start_side_by_side_and_a_later_one_knows_the_earlier(
    service_stack: ServiceStackMaker, tmp_path: Path
) -> None:
    mark = str(tmp_path / "second-has-started")
    own = service_stack(service("first", "--until", mark), service("second", "--touch", mark))
    own.up()
    assert told(own, "second")["FIRST_ADDRESS"] == f"{LOOPBACK}:{own.state.ports['first.rpc']}"
    assert [part.condition for part in own.status()] == [Condition.OK] * 4
    processes, ports = own.state.processes, own.state.ports
    assert list(processes) == ["first", "second"]
    assert len(set(ports.values())) == 6
    own.up()
    assert own.state.processes == processes, "what runs is left alone"

    logs = {name: own.settings.folder / "log" / f"{name}.log" for name in processes}
    own.down()
    assert not any(map(is_alive, processes.values()))
    assert [log.read_text().splitlines()[-1] for log in logs.values()] == [
        "ended in good order"
    ] * 2
    own.up()
    assert own.state.ports == ports, "clients find it where it was"


def test_a_server_waits_for_the_port_that_services_know_and_says_when_it_moves(
    stack: Stack, own_stack: StackMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_stack(service("first"), KAFKA_BOOTSTRAP=stack.kafka_bootstrap)
    lines: list[str] = []
    own.report = lines.append
    own.up()
    port, processes = own.state.ports["postgres"], own.state.processes
    first = processes["first"]

    _kill(processes["postgres"])
    with socket.create_server((LOOPBACK, port)) as ending:
        timer = threading.Timer(1, ending.close)
        timer.start()
        own.up()
        timer.join()
    assert own.state.ports["postgres"] == port
    assert not [line for line in lines if line.startswith("moved")]

    monkeypatch.setattr("deploy.stack.postgres.PATIENCE_SECONDS", 0.2)
    _kill(own.state.processes["postgres"])
    with socket.create_server((LOOPBACK, port)):
        own.up()
    moved = own.state.ports["postgres"]
    assert moved != port
    assert is_alive(first)
    reported_at = next(place for place, line in enumerate(lines) if line.startswith("moved"))
    assert lines[reported_at].split() == [
        *("moved", "postgres", f"{LOOPBACK}:{moved}"),
        *("no", "longer", f"{LOOPBACK}:{port}"),
    ]
    assert "what runs already still asks there" in lines[reported_at + 1]


def _kill(process: ProcessId) -> None:
    send(process, signal.SIGKILL)
    assert wait_for_end(process, 10)


def test_a_service_is_told_where_all_is_and_who_it_is(
    service_stack: ServiceStackMaker, stack: Stack
) -> None:
    own = service_stack(service("first"), service("second"), TOPIC_PREFIX="aside-")
    own.up()
    environment, ports = told(own, "second"), own.state.ports
    identity = own.settings.folder / "identity"
    assert (
        environment.items()
        >= {
            "KAFKA_BOOTSTRAP": stack.kafka_bootstrap,
            "TOPIC_PREFIX": "aside-",
            "FIRST_ADDRESS": f"127.0.0.1:{ports['first.rpc']}",
            "RPC_ADDRESS": f"127.0.0.1:{ports['second.rpc']}",
            "HEALTH_ADDRESS": f"127.0.0.1:{ports['second.health']}",
            "METRICS_ADDRESS": f"127.0.0.1:{ports['second.metrics']}",
            "IDENTITY_FOLDER": str(identity / "service" / "second"),
            "AUTHORITY_FOLDER": str(identity / "authority"),
            "PEOPLE_KEY": str(identity / "authority" / "people.pub"),
        }.items()
    )
    assert "DATABASE_URL" not in environment, "the administrator's is not for services"
    read_token_verifier(identity / "authority" / "people.pub")


def test_a_service_with_a_database_works_in_a_schema_of_its_own(
    service_stack: ServiceStackMaker, database: Database
) -> None:
    own = service_stack(service("archivist", database=True), DATABASE_URL=database.url)
    own.up()
    environment = told(own, "archivist")
    with psycopg.connect(environment["DATABASE_MIGRATION_URL"]) as connection:
        connection.execute("CREATE TABLE archivist.note (body text)")
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        connection.execute("INSERT INTO archivist.note VALUES ('kept')")
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        psycopg.connect(environment["DATABASE_URL"]) as connection,
    ):
        connection.execute("DELETE FROM archivist.note")
    passwords = own.state.passwords
    assert len(set(passwords.values())) == 2
    assert stat.S_IMODE((own.settings.folder / "state.json").stat().st_mode) == 0o600
    own.down()
    own.up()
    assert own.state.passwords == passwords
    with psycopg.connect(told(own, "archivist")["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT body FROM archivist.note").fetchall() == [("kept",)]


def test_a_database_that_lets_nobody_make_roles_is_told(
    service_stack: ServiceStackMaker, database: Database
) -> None:
    with database.connect() as connection:
        connection.execute("DROP ROLE IF EXISTS a_mere_reader")
        connection.execute("CREATE ROLE a_mere_reader LOGIN PASSWORD 'reader'")
    url = as_role(database.url, "a_mere_reader", "reader")
    own = service_stack(service("archivist", database=True), DATABASE_URL=url)
    with pytest.raises(DatabaseRejected, match="the schema of archivist: permission denied"):
        own.up()
    assert own.state.processes == {}


def test_workers_of_a_service_have_names_and_ports_of_their_own(
    service_stack: ServiceStackMaker,
) -> None:
    dealers = service("settlement", several=True)
    own = service_stack(dealers, STACK_SETTLEMENT_WORKERS="2")
    own.up()
    names = ["settlement-0", "settlement-1"]
    assert list(own.state.processes) == names
    assert [told(own, name)["WORKER_NAME"] for name in names] == ["0", "1"]
    assert len({told(own, name)["HEALTH_ADDRESS"] for name in names}) == 2

    fewer = service_stack(dealers)
    assert [part.name for part in fewer.status()][2:] == names, "what runs is shown"
    fewer.down()
    assert own.state.processes == {}


def test_a_killed_service_is_shown_and_started_again_alone(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(service("first"), service("second"))
    own.up()
    before, ports = own.state.processes, own.state.ports
    send(before["first"], signal.SIGKILL)
    assert wait_for_end(before["first"], 10)
    ended = list(own.status())[2]
    assert (ended.name, ended.condition) == ("first", Condition.DIED)
    assert "`up` starts it again" in ended.note
    own.up()
    after = own.state.processes
    assert after["second"] == before["second"], "what runs is left alone"
    assert after["first"] != before["first"]
    assert own.state.ports == ports
    assert [part.condition for part in own.status()] == [Condition.OK] * 4
    own.down()
    assert not any(map(is_alive, after.values()))


def test_a_service_that_ends_by_itself_shows_its_last_words(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(service("lonely", "--needs", "NOBODY"))
    with pytest.raises(ServerDied, match=r"lonely ended by itself(.|\n)*NOBODY does not serve"):
        own.up()
    ended = list(own.status())[-1]
    assert ended.condition is Condition.DIED
    assert ended.tail.splitlines()[-1] == "NOBODY does not serve"


def test_a_service_that_never_serves_is_told_and_can_be_ended(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(
        service("slow", "--after", "60"),
        STACK_START_SECONDS_MAX="3",
        STACK_STOP_SECONDS_MAX="1",
    )
    with pytest.raises(ServerNotReady, match="slow did not answer within 3 s"):
        own.up()
    waiting = list(own.status())[-1]
    assert waiting.condition is Condition.UNREADY
    assert waiting.log is not None
    assert waiting.log in waiting.note
    process = own.state.processes["slow"]
    while not tail(own.settings.folder / "log" / "slow.log"):  # it hears signals from then on
        assert not wait_for_end(process, 0.05)
    began = time.monotonic()
    own.down()
    assert not is_alive(process)
    assert time.monotonic() - began > 1, "it was asked first"


def test_a_port_of_a_service_that_somebody_has_is_told(service_stack: ServiceStackMaker) -> None:
    with socket.create_server((LOOPBACK, 0)) as held:
        taken = held.getsockname()[1]
        own = service_stack(service("first"), STACK_SERVICES_PORT=str(taken))
        with pytest.raises(PortTaken, match=f"port {taken} .* STACK_SERVICES_PORT"):
            own.up()
    assert own.state.processes == {}


def test_only_the_services_that_are_asked_for_are_started(stack: Stack, tmp_path: Path) -> None:
    given = {"KAFKA_BOOTSTRAP": stack.kafka_bootstrap, "DATABASE_URL": stack.database_url}
    for asked, started in (("settlement", ["settlement-0"]), ("none", [])):
        own = Stack(settings_in(tmp_path, **given, STACK_SERVICES=asked))
        assert [running.name for running in own.services] == started


def test_a_service_that_the_table_no_longer_names_is_ended_all_the_same(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(service("retired"))
    own.up()
    process = own.state.processes["retired"]
    service_stack().down()
    assert not is_alive(process)


def test_where_nobody_listens_nobody_serves() -> None:
    nobody = f"{LOOPBACK}:{own_port()}"
    assert not is_serving(nobody, seconds_max=0.2)
