"""People in a real database: the first administrator, limits of tries and sessions, the record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from pydantic import SecretStr

from console.postgres.user_store import UserStore
from console.users.administration import UserAdministration
from console.users.errors import InvalidUser, LoginFailed, TooManyAttempts
from console.users.roles import Role
from console.users.sign_in import FIRST, SignInLimits, SignInService
from runtime.database.connection import DatabaseSettings
from runtime.database.pools import open_pool
from tests.stack.databases import Database, Databases
from tests.stack.houses import template_of
from tests.stack.looping import run_apart
from tests.stack.service_house import urls_of

SERVICE = "console"
BEGINNING = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
LIMITS = SignInLimits(timedelta(hours=2), timedelta(hours=12), 5, timedelta(minutes=15))


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """With the console's tables in it, and nobody."""
    made = databases.make(template_of(databases, SERVICE))
    yield made
    databases.drop(made)


class Clock:
    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def opened(database: Database) -> AsyncIterator[UserStore]:
    application, _ = urls_of(SERVICE, database.url)
    settings = DatabaseSettings.model_validate({"database_url": SecretStr(application)})
    async with open_pool(SERVICE, settings) as pool:
        yield UserStore(pool)


@dataclass(frozen=True, slots=True)
class People:
    store: UserStore
    sign_in: SignInService
    clock: Clock


def run(database: Database, work: Callable[[People], Awaitable[None]]) -> None:
    async def main() -> None:
        async with opened(database) as store:
            clock = Clock()
            await work(People(store, SignInService(store, LIMITS, now=clock), clock))

    run_apart(main())


def test_the_first_start_makes_an_administrator_and_a_second_makes_nobody(
    database: Database,
) -> None:
    async def work(people: People) -> None:
        password = await people.sign_in.create_first_administrator()
        assert password is not None
        assert await people.sign_in.create_first_administrator() is None
        token, person = await people.sign_in.sign_in(FIRST, password, "10.0.0.1")
        assert person.one_time
        assert person.roles == {Role.ADMINISTRATOR}
        chosen = "velvet-anchor-thirty-two"
        token = await people.sign_in.change_password(
            person, old=password, new=chosen, again=chosen, address="10.0.0.1"
        )
        behind = await people.sign_in.user_of_session(token, is_used=True)
        assert behind is not None
        assert not behind.one_time
        with pytest.raises(LoginFailed):
            await people.sign_in.sign_in(FIRST, password, "10.0.0.1")

    run(database, work)


def test_a_session_ends_when_nothing_is_done_and_after_a_shift(database: Database) -> None:
    async def work(people: People) -> None:
        password = await people.sign_in.create_first_administrator() or ""
        token, _ = await people.sign_in.sign_in(FIRST, password, "10.0.0.1")
        for _ in range(7):  # used every hour and a half, to the end of the shift
            people.clock.now += timedelta(minutes=90)
            assert await people.sign_in.user_of_session(token, is_used=True) is not None
        people.clock.now += timedelta(minutes=91)
        assert await people.sign_in.user_of_session(token, is_used=True) is None
        token, _ = await people.sign_in.sign_in(FIRST, password, "10.0.0.1")
        people.clock.now += timedelta(hours=1, minutes=59)
        assert await people.sign_in.user_of_session(token, is_used=False) is not None, (
            "a page asks by itself"
        )
        people.clock.now += timedelta(minutes=2)
        assert await people.sign_in.user_of_session(token, is_used=True) is None

    run(database, work)


def test_tries_are_limited_by_name_and_place_and_nobody_locks_another_out(
    database: Database,
) -> None:
    async def work(people: People) -> None:
        password = await people.sign_in.create_first_administrator() or ""
        for _ in range(5):
            with pytest.raises(LoginFailed):
                await people.sign_in.sign_in(FIRST, "wrong", "10.0.0.66")
        with pytest.raises(TooManyAttempts):
            await people.sign_in.sign_in(FIRST, password, "10.0.0.66")
        await people.sign_in.sign_in(FIRST, password, "10.0.0.1")
        people.clock.now += timedelta(minutes=16)
        await people.sign_in.sign_in(FIRST, password, "10.0.0.66")

    run(database, work)


def test_who_tries_many_names_from_one_place_is_stopped(database: Database) -> None:
    async def work(people: People) -> None:
        for number in range(20):
            with pytest.raises(LoginFailed):
                await people.sign_in.sign_in(f"guess{number}", "wrong", "10.0.0.66")
        with pytest.raises(TooManyAttempts):
            await people.sign_in.sign_in("another", "wrong", "10.0.0.66")

    run(database, work)


def test_duties_that_must_stay_apart_are_not_given_to_one_person(database: Database) -> None:
    async def work(people: People) -> None:
        office = UserAdministration(people.store, by="boss", address="10.0.0.1")
        for roles in (
            {Role.SURVEILLANCE, Role.CAGE},
            {Role.AUDITOR, Role.ACCOUNTING},
            {Role.ADMINISTRATOR, Role.PIT},
            set(),
        ):
            with pytest.raises(InvalidUser):
                await office.add_user(name="anna", full_name="Anna", roles=frozenset(roles))
        both = frozenset({Role.ACCOUNTING, Role.CAGE})
        await office.add_user(name="anna", full_name="Anna", roles=both)
        with pytest.raises(InvalidUser, match="already"):
            await office.add_user(name="Anna", full_name="Another", roles=both)

    run(database, work)


def test_the_record_of_changes_can_be_added_to_and_nothing_else(database: Database) -> None:
    async def work(people: People) -> None:
        office = UserAdministration(people.store, by="boss", address="10.0.0.1")
        await office.add_user(name="anna", full_name="Anna", roles=frozenset({Role.PIT}))
        ((_, _, who, address, what, subject, words),) = await people.store.changes(
            before=None, limit=9
        )
        assert (who, address, what, subject, words) == (
            "boss", "10.0.0.1", "let in", "anna", "as pit",
        )  # fmt: skip

    run(database, work)
    application, _ = urls_of(SERVICE, database.url)
    for statement in (
        "UPDATE console.changes SET person = 'nobody'",
        "DELETE FROM console.changes",
        "DELETE FROM console.sign_ins",
        "DELETE FROM console.people",
    ):
        with (
            psycopg.connect(application) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(statement)
