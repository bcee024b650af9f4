"""The fixtures of the stack, for every test.

One Kafka serves the whole run: starting another for each worker would take longer than the
tests. `Stack.up` is safe to call from many processes, so each worker simply does; the process
that pytest was started in ends it, when all the workers have gone.

The floor is a stack with services, which has servers of its own: it is what an operator has. Its
services go on asking its broker though nobody asks them, which takes a fifth of a processor. So
the tests that need it come first, and the worker that has the last of them ends it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from deploy.stack.process import stat_of
from deploy.stack.services import Service
from deploy.stack.settings import NAMES, Settings, read_settings
from deploy.stack.stack import Stack
from tests.stack.broker import Broker
from tests.stack.databases import Database, Databases
from tests.stack.shared_floor import LOCK, SharedFloor

RUNS = Path(__file__).parents[2] / "build" / "test-stack"
FOLDER = pytest.StashKey[Path]()
FLOOR = pytest.StashKey[SharedFloor]()
SMALL = {
    "STACK_KAFKA_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",  # compile little: tests are short
    "STACK_KAFKA_PORT": "0",
    "STACK_KAFKA_CONTROLLER_PORT": "0",
    "STACK_POSTGRES_PORT": "0",
    "STACK_SERVICES_PORT": "0",
}


class StackMaker(Protocol):
    def __call__(self, *services: Service, **environment: str) -> Stack: ...


def settings_in(folder: Path, **environment: str) -> Settings:
    """Of a stack in that folder; where jars and programs are is as the developer has it set."""
    kept = {"STACK_CACHE_DIR", "STACK_NOBODY_DIR", "MAVEN_REPOSITORY", "PG_BIN"}
    around = {name: value for name, value in os.environ.items() if name not in {*NAMES} - kept}
    return read_settings({**around, **SMALL, "STACK_DIR": str(folder), **environment})


def pytest_configure(config: pytest.Config) -> None:
    workers_input: dict[str, Any] | None = getattr(config, "workerinput", None)
    if workers_input is not None:
        config.stash[FOLDER] = Path(workers_input["stack_folder"])
    else:
        own = stat_of(os.getpid())
        assert own is not None
        config.stash[FOLDER] = RUNS / f"{own.pid}-{own.started_ticks}"
        end_runs_left_behind()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["stack_folder"] = str(node.config.stash[FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    """However the run went; workers have ended by now."""
    if not hasattr(config, "workerinput") and FOLDER in config.stash:
        end_run(config.stash[FOLDER])


def needs_floor(item: pytest.Item) -> bool:
    return "floor" in getattr(item, "fixturenames", ())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not needs_floor(item))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Should they come in another order: it was left, and is needed again."""
    if FLOOR in item.config.stash and needs_floor(item):
        item.config.stash[FLOOR].enter()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if FLOOR in item.config.stash and (nextitem is None or not needs_floor(nextitem)):
        item.config.stash[FLOOR].leave()


def end_run(folder: Path) -> None:
    """Every stack of a run; the folder goes when all of them have ended."""
    for part in folder.glob("*/"):
        Stack(settings_in(part)).down(remove_data=True)
    if folder.exists():
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


def end_runs_left_behind() -> None:
    """What a run that was itself killed could not end."""
    for folder in RUNS.glob("*-*"):
        pid, _, started = folder.name.partition("-")
        run = stat_of(int(pid)) if pid.isdigit() else None
        if run is None or str(run.started_ticks) != started:
            end_run(folder)


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest) -> Stack:
    """The servers of this run. They are everybody's: use `own_stack` to kill or stop some."""
    folder = request.config.stash[FOLDER] / "servers"
    shared = Stack(settings_in(folder, **given_servers()), services=())
    shared.up(servers_only=True)
    return shared


@pytest.fixture(scope="session")
def floor(request: pytest.FixtureRequest) -> Stack:
    """A whole stack, services and all, as `make up` starts it; everybody's, like `stack`.

    Use tables that no other test uses; `operator_environment` says where everything is.
    """
    run = request.config.stash[FOLDER]
    given = given_servers()
    if given["KAFKA_BOOTSTRAP"]:  # which other runs may use too
        given["TOPIC_PREFIX"] = f"{run.name}-"
    shared = request.config.stash[FLOOR] = SharedFloor(Stack(settings_in(run / "floor", **given)))
    shared.enter()
    return shared.whole


def given_servers() -> dict[str, str]:
    return {name: os.environ.get(name, "") for name in ("KAFKA_BOOTSTRAP", "DATABASE_URL")}


@pytest.fixture
def own_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackMaker]:
    """Make stacks of the test's own, which end with it; with `*SERVICES`, whole ones."""
    made: list[Stack] = []

    def make(*services: Service, **environment: str) -> Stack:
        folder = tmp_path_factory.mktemp("stack") / "stack"
        made.append(Stack(settings_in(folder, **environment), services=services))
        return made[-1]

    yield make
    for stack in made:
        stack.down(remove_data=True)
        shutil.rmtree(stack.settings.folder.parent, ignore_errors=True)


@pytest.fixture
def broker(stack: Stack) -> Iterator[Broker]:
    """The run's Kafka, with names that no other test uses."""
    corner = Broker(stack.kafka_bootstrap)
    yield corner
    corner.clear()


@pytest.fixture(scope="session")
def databases(stack: Stack) -> Databases:
    """Makes databases, for tests that need several or a schema."""
    return Databases(stack.database_url)


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """An empty database of the test's own."""
    made = databases.make()
    yield made
    databases.drop(made)
