"""Houses of a service: one of a test's own, or one for all tests of a package.

A house that nobody asks goes on asking the broker: it ends with the last test that may need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from deploy.stack.stack import Stack
from tests.stack.broker import Broker
from tests.stack.databases import Database, Databases
from tests.stack.service_house import ServiceHouse, prepare_schema

H = TypeVar("H", bound=ServiceHouse)
H_co = TypeVar("H_co", bound=ServiceHouse, covariant=True)


class HouseOf(Protocol[H_co]):
    def __call__(
        self, folder: Path, broker: Broker, database: Database, **environment: str
    ) -> H_co: ...


def template_of(databases: Databases, service: str) -> str:
    """Of a database with roles, schema and tables of the service."""
    return databases.make_template(service, lambda made: prepare_schema(service, made))


@contextmanager
def making(
    kind: HouseOf[H], service: str, folder: Path, broker: Broker, databases: Databases
) -> Iterator[Callable[..., H]]:
    """Makes houses with the settings that are named; not started yet. They end with it."""
    with ExitStack() as ending:

        def make(**environment: str) -> H:
            database = databases.make(template_of(databases, service))
            ending.callback(databases.drop, database)
            made = kind(folder, broker, database, **environment)
            ending.callback(made.kill)
            return made

        yield make


@contextmanager
def opened(
    kind: HouseOf[H],
    service: str,
    folder: Path,
    stack: Stack,
    databases: Databases,
    **environment: str,
) -> Iterator[H]:
    """One with a corner of the broker of its own; not started yet."""
    broker = Broker(stack.kafka_bootstrap)
    with making(kind, service, folder, broker, databases) as make:
        yield make(**environment)
    broker.clear()
