"""Services are started after the servers, in the order of readiness, and ended in reverse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.stack.errors import ServerDied, ServerNotReady
from deploy.stack.ports import LOOPBACK, choose
from deploy.stack.process import is_alive
from deploy.stack.services import Service, is_serving
from deploy.stack.stack import Condition, Stack
from tests.stack.plugin import settings_in

ServiceStackMaker = Callable[..., Stack]


def free_address() -> str:
    return f"{LOOPBACK}:{choose(wanted=0, remembered=None, setting='')}"


def service(name: str, address: str, *options: str) -> Service:
    module = ("-m", "tests.stack.health_server", address.rpartition(":")[2])
    return Service(name, (*module, *options), address)


@pytest.fixture
def service_stack(stack: Stack, tmp_path: Path) -> Iterator[ServiceStackMaker]:
    """Stacks that use the run's servers, and start services of the test's own."""
    given = {"KAFKA_BOOTSTRAP": stack.kafka_bootstrap, "DATABASE_URL": stack.database_url}
    made: list[Stack] = []

    def make(*services: Service, **environment: str) -> Stack:
        settings = settings_in(tmp_path / "stack", **given, **environment)
        made.append(Stack(settings, services=services, report=lines.append))
        return made[-1]

    lines: list[str] = []
    yield make
    for each in made:
        each.down()


def test_a_service_starts_when_the_one_before_it_is_ready(
    service_stack: ServiceStackMaker,
) -> None:
    first, second = free_address(), free_address()
    own = service_stack(
        service("first", first, "--after", "0.5"), service("second", second, "--needs", first)
    )
    own.up()
    assert is_serving(first)
    assert is_serving(second)
    assert [part.condition for part in own.status()] == [Condition.OK] * 4
    processes = own.state.processes
    assert list(processes) == ["first", "second"]
    own.up()
    assert own.state.processes == processes, "what runs is left alone"

    logs = {name: own.settings.folder / "log" / f"{name}.log" for name in processes}
    own.down()
    assert not any(map(is_alive, processes.values()))
    words = [log.read_text().splitlines() for log in logs.values()]
    told = f"told of {own.settings.kafka_bootstrap} {own.settings.database_url}"
    assert words == [[told, "ended in good order"]] * 2


def test_a_service_that_ends_by_itself_shows_its_last_words(
    service_stack: ServiceStackMaker,
) -> None:
    nobody, address = free_address(), free_address()
    own = service_stack(service("lonely", address, "--needs", nobody))
    with pytest.raises(ServerDied, match=f"lonely ended by itself(.|\n)*{nobody} does not serve"):
        own.up()
    assert [part.condition for part in own.status()][-1] is Condition.DIED


def test_a_service_that_never_serves_is_told_and_can_be_ended(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(
        service("slow", free_address(), "--after", "60"),
        STACK_START_SECONDS_MAX="3",
        STACK_STOP_SECONDS_MAX="1",
    )
    with pytest.raises(ServerNotReady, match="slow did not answer within 3 s"):
        own.up()
    assert [part.condition for part in own.status()][-1] is Condition.STARTING
    process = own.state.processes["slow"]
    began = time.monotonic()
    own.down()
    assert not is_alive(process)
    assert time.monotonic() - began > 1, "it was asked first"


def test_a_service_that_the_table_no_longer_names_is_ended_all_the_same(
    service_stack: ServiceStackMaker,
) -> None:
    own = service_stack(service("retired", free_address()))
    own.up()
    process = own.state.processes["retired"]
    service_stack().down()
    assert not is_alive(process)


def test_where_nobody_listens_nobody_serves() -> None:
    assert not is_serving(free_address(), seconds_max=0.2)
