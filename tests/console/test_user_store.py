"""Users in a real database: first administrator, limits, sessions, audit log."""

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
    """A database with the console's tables and no users."""
    made = databases.make(template_of(databases, SERVICE))
    yield made
    databases.drop(made)


class Clock:
    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def open_store(database: Database) -> AsyncIterator[UserStore]:
    application, _ = urls_of(SERVICE, database.url)
    settings = DatabaseSettings.model_validate({"database_url": SecretStr(application)})
    async with open_pool(SERVICE, settings) as pool:
        yield UserStore(pool)


@dataclass(frozen=True, slots=True)
class SignInFixture:
    store: UserStore
    sign_in: SignInService
    clock: Clock


def run(database: Database, work: Callable[[SignInFixture], Awaitable[None]]) -> None:
    async def main() -> None:
        async with open_store(database) as store:
            clock = Clock()
            await work(SignInFixture(store, SignInService(store, LIMITS, now=clock), clock))

    run_apart(main())


def test_only_the_first_start_creates_an_administrator(
    database: Database,
) -> None:
    async def work(fixture: SignInFixture) -> None:
        password = await fixture.sign_in.create_first_administrator()
        assert password is not None
        assert await fixture.sign_in.create_first_administrator() is None
        token, person = await fixture.sign_in.sign_in(FIRST, password, "10.0.0.1")
        assert person.one_time
        assert person.roles == {Role.ADMINISTRATOR}
        chosen = "velvet-anchor-thirty-two"
        token = await fixture.sign_in.change_password(
            person, old=password, new=chosen, again=chosen, address="10.0.0.1"
        )
        session_user = await fixture.sign_in.user_of_session(token, is_used=True)
        assert session_user is not None
        assert not session_user.one_time
        with pytest.raises(LoginFailed):
            await fixture.sign_in.sign_in(FIRST, password, "10.0.0.1")

    run(database, work)


def test_a_session_ends_when_idle_and_after_a_shift(database: Database) -> None:
    async def work(fixture: SignInFixture) -> None:
        password = await fixture.sign_in.create_first_administrator() or ""
        token, _ = await fixture.sign_in.sign_in(FIRST, password, "10.0.0.1")
        for _ in range(7):  # used every hour and a half, to the end of the shift
            fixture.clock.now += timedelta(minutes=90)
            assert await fixture.sign_in.user_of_session(token, is_used=True) is not None
        fixture.clock.now += timedelta(minutes=91)
        assert await fixture.sign_in.user_of_session(token, is_used=True) is None
        token, _ = await fixture.sign_in.sign_in(FIRST, password, "10.0.0.1")
        fixture.clock.now += timedelta(hours=1, minutes=59)
        assert await fixture.sign_in.user_of_session(token, is_used=False) is not None, (
            "a request of an open page"
        )
        fixture.clock.now += timedelta(minutes=2)
        assert await fixture.sign_in.user_of_session(token, is_used=True) is None

    run(database, work)


def test_attempts_are_limited_by_name_and_address_without_locking_others_out(
    database: Database,
) -> None:
    async def work(fixture: SignInFixture) -> None:
        password = await fixture.sign_in.create_first_administrator() or ""
        for _ in range(5):
            with pytest.raises(LoginFailed):
                await fixture.sign_in.sign_in(FIRST, "wrong", "10.0.0.66")
        with pytest.raises(TooManyAttempts):
            await fixture.sign_in.sign_in(FIRST, password, "10.0.0.66")
        await fixture.sign_in.sign_in(FIRST, password, "10.0.0.1")
        fixture.clock.now += timedelta(minutes=16)
        await fixture.sign_in.sign_in(FIRST, password, "10.0.0.66")

    run(database, work)


def test_attempts_with_many_names_from_one_address_are_limited(database: Database) -> None:
    async def work(fixture: SignInFixture) -> None:
        for number in range(20):
            with pytest.raises(LoginFailed):
                await fixture.sign_in.sign_in(f"guess{number}", "wrong", "10.0.0.66")
        with pytest.raises(TooManyAttempts):
            await fixture.sign_in.sign_in("another", "wrong", "10.0.0.66")

    run(database, work)


def test_segregated_duties_are_not_combined_in_one_user(database: Database) -> None:
    async def work(fixture: SignInFixture) -> None:
        administration = UserAdministration(fixture.store, by="boss", address="10.0.0.1")
        for roles in (
            {Role.SURVEILLANCE, Role.CAGE},
            {Role.AUDITOR, Role.ACCOUNTING},
            {Role.ADMINISTRATOR, Role.PIT},
            set(),
        ):
            with pytest.raises(InvalidUser):
                await administration.add_user(name="anna", full_name="Anna", roles=frozenset(roles))
        both = frozenset({Role.ACCOUNTING, Role.CAGE})
        await administration.add_user(name="anna", full_name="Anna", roles=both)
        with pytest.raises(InvalidUser, match="already"):
            await administration.add_user(name="Anna", full_name="Another", roles=both)

    run(database, work)


def test_the_audit_log_is_append_only(database: Database) -> None:
    async def work(fixture: SignInFixture) -> None:
        administration = UserAdministration(fixture.store, by="boss", address="10.0.0.1")
        await administration.add_user(name="anna", full_name="Anna", roles=frozenset({Role.PIT}))
        ((_, _, author, address, action, subject, details),) = await fixture.store.changes(
            before=None, limit=9
        )
        assert (author, address, action, subject, details) == (
            "boss", "10.0.0.1", "user added", "anna", "as pit",
        )  # fmt: skip

    run(database, work)
    application, _ = urls_of(SERVICE, database.url)
    for statement in (
        "UPDATE console.changes SET person = 'other'",
        "DELETE FROM console.changes",
        "DELETE FROM console.sign_ins",
        "DELETE FROM console.people",
    ):
        with (
            psycopg.connect(application) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(statement)
