"""Migrations, roles, positions and pools, on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg import conninfo
from psycopg.errors import InsufficientPrivilege
from pydantic import SecretStr

from runtime.database.connection import DatabaseSettings
from runtime.database.errors import (
    BadMigrations,
    DatabaseIsNewer,
    DatabaseUnreachable,
    MigrationChanged,
    MigrationFailed,
    MigrationPending,
    PositionConflict,
)
from runtime.database.migrations import Migration, migrate, migrations_of, read_migrations
from runtime.database.pools import open_pool, open_sync_pool
from runtime.database.positions import advance, advance_sync, read_positions
from runtime.positions import OffsetRange, Position
from tests.runtime.database import needs_database, new_database, new_service, prepare, settings_of

RUNTIME = migrations_of("runtime", "runtime.database")[:1]
LEDGER = Migration(
    "example",
    1,
    "0001_ledger.sql",
    "CREATE TABLE ledger (id bigint GENERATED ALWAYS AS IDENTITY, cents bigint NOT NULL);"
    "CREATE TABLE notes (text text); GRANT UPDATE, DELETE ON notes TO PUBLIC;",
)


@pytest.fixture
def administrator() -> Iterator[str]:
    with new_database() as address:
        yield address


@pytest.fixture
def service(administrator: str) -> Iterator[tuple[str, DatabaseSettings]]:
    with new_service(administrator) as made:
        yield made


Service = tuple[str, DatabaseSettings]


def without_migrating(settings: DatabaseSettings) -> DatabaseSettings:
    return settings.model_copy(update={"database_migration_url": None})


@needs_database
def test_migrations_apply_once_in_order_and_are_recorded(service: Service) -> None:
    migrate(*service, RUNTIME)
    migrate(*service, [*RUNTIME, LEDGER])
    migrate(*service, [*RUNTIME, LEDGER])
    with open_sync_pool(*service) as pool, pool.connection() as connection:
        rows = connection.execute("SELECT set_name, name FROM applied_migrations ORDER BY 1")
        assert rows.fetchall() == [
            ("example", "0001_ledger.sql"),
            ("runtime", "0001_consumed_positions.sql"),
        ]


@needs_database
def test_services_that_start_together_wait_for_one_another(service: Service) -> None:
    slow = Migration("example", 1, "0001_slow.sql", "CREATE TABLE t (); SELECT pg_sleep(0.3)")
    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(migrate, *service, [slow]) for _ in range(4)]:
            done.result(timeout=30)


@needs_database
def test_a_file_that_was_changed_after_it_was_applied_is_refused(service: Service) -> None:
    migrate(*service, [LEDGER])
    changed = Migration("example", 1, LEDGER.name, LEDGER.sql + " ")
    with pytest.raises(MigrationChanged, match=r"example/0001_ledger\.sql has changed"):
        migrate(*service, [changed])


@needs_database
def test_a_migration_that_fails_leaves_nothing_behind(service: Service) -> None:
    broken = Migration("example", 1, "0001_broken.sql", "CREATE TABLE t (); SELECT nonsense")
    with pytest.raises(MigrationFailed, match=r"0001_broken\.sql: column \"nonsense\""):
        migrate(*service, [broken])
    fixed = Migration("example", 1, "0001_mended.sql", "CREATE TABLE t ()")
    migrate(*service, [fixed])


@needs_database
def test_a_database_of_a_later_version_is_not_touched(service: Service) -> None:
    migrate(*service, [*RUNTIME, LEDGER])
    with pytest.raises(DatabaseIsNewer, match="0001_ledger"):
        migrate(*service, RUNTIME)


@needs_database
def test_who_may_not_migrate_only_checks(service: Service) -> None:
    name, settings = service
    with pytest.raises(MigrationPending, match=r"runtime/0001_consumed_positions\.sql"):
        migrate(name, without_migrating(settings), RUNTIME)
    migrate(name, settings, RUNTIME)
    migrate(name, without_migrating(settings), RUNTIME)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["0001_a.sql", "0003_c.sql"], r"numbers are \[1, 3\]"),
        (["0001_a.sql", "0001_b.sql"], r"numbers are \[1, 1\]"),
        (["1_a.sql"], r"1_a\.sql is not named"),
        (["0001-a.sql"], r"0001-a\.sql is not named"),
    ],
)
def test_files_must_be_numbered_without_gap(tmp_path: Path, names: list[str], reason: str) -> None:
    for name in names:
        (tmp_path / name).write_text("SELECT 1", "utf-8")
    (tmp_path / "__init__.py").write_text("", "utf-8")
    with pytest.raises(BadMigrations, match=reason):
        read_migrations("example", tmp_path)


@needs_database
def test_the_application_reads_and_inserts_and_nothing_else(service: Service) -> None:
    migrate(*service, [*RUNTIME, LEDGER])
    with open_sync_pool(*service) as pool:
        with pool.connection() as connection:
            connection.execute("INSERT INTO ledger (cents) VALUES (5)")
            connection.execute("UPDATE notes SET text = ''")  # a migration has granted that
        for statement in (
            "UPDATE ledger SET cents = 6",
            "DELETE FROM ledger",
            "TRUNCATE ledger",
            "DROP TABLE ledger",
            "CREATE TABLE own ()",
            "DELETE FROM consumed_positions",
            "UPDATE applied_migrations SET sha256 = ''",
        ):
            with (
                pool.connection() as connection,
                pytest.raises(InsufficientPrivilege),
            ):
                connection.execute(statement)


@needs_database
def test_a_service_does_not_see_the_schema_of_another(administrator: str, service: Service) -> None:
    migrate(*service, [LEDGER])
    with (
        new_service(administrator) as other,
        open_sync_pool(*other) as pool,
        pool.connection() as connection,
        pytest.raises(InsufficientPrivilege),
    ):
        connection.execute(f"SELECT * FROM {service[0]}.ledger")


@needs_database
def test_a_service_may_be_prepared_again(administrator: str, service: Service) -> None:
    migrate(*service, [LEDGER])
    prepare(administrator, service[0])
    with open_sync_pool(*service) as pool, pool.connection() as connection:
        connection.execute("INSERT INTO ledger (cents) VALUES (5)")


@needs_database
def test_a_database_that_does_not_exist_is_named(service: Service) -> None:
    name, settings = service
    url = conninfo.make_conninfo(settings.database_url.get_secret_value(), dbname="nowhere")
    wrong = settings.model_copy(update={"database_url": SecretStr(url)})
    with pytest.raises(DatabaseUnreachable, match='"nowhere" does not exist'):
        open_sync_pool(name, wrong, wait_seconds_max=0.3).__enter__()


@needs_database
def test_a_position_moves_with_the_effects_of_what_was_read(service: Service) -> None:
    migrate(*service, [*RUNTIME, LEDGER])
    with open_sync_pool(*service) as pool:
        with pool.connection() as connection:
            connection.execute("INSERT INTO ledger (cents) VALUES (5)")
            advance_sync(connection, "accounting", OffsetRange("rounds", 3, 0, 10))
        with pool.connection() as connection:
            advance_sync(connection, "accounting", OffsetRange("rounds", 3, 10, 20))
            connection.rollback()
        with pool.connection() as connection:
            assert read_positions(connection, "accounting", ["rounds"]) == (
                Position("rounds", 3, 10),
            )
            assert read_positions(connection, "another", ["rounds"]) == ()


@needs_database
def test_what_was_read_before_is_refused(service: Service) -> None:
    migrate(*service, RUNTIME)
    with open_sync_pool(*service) as pool:
        with pool.connection() as connection:
            advance_sync(connection, "accounting", OffsetRange("rounds", 0, 0, 10))
        with pool.connection() as connection, pytest.raises(PositionConflict) as caught:
            advance_sync(connection, "accounting", OffsetRange("rounds", 0, 5, 15))
        assert (caught.value.expected, caught.value.found) == (5, 10)
        with pool.connection() as connection, pytest.raises(ValueError, match="ends after"):
            advance_sync(connection, "accounting", OffsetRange("rounds", 0, 5, 5))


@needs_database
def test_of_two_that_read_the_same_only_one_can_post(service: Service) -> None:
    migrate(*service, [*RUNTIME, LEDGER])
    both_began = threading.Barrier(2)

    with open_sync_pool(*service) as pool:

        def post(cents: int) -> bool:
            try:
                with pool.connection() as connection:
                    connection.execute("INSERT INTO ledger (cents) VALUES (%s)", [cents])
                    both_began.wait(10)
                    advance_sync(connection, "accounting", OffsetRange("rounds", 0, 0, 10))
            except PositionConflict:
                return False
            return True

        with ThreadPoolExecutor(2) as threads:
            posted = list(threads.map(post, [1, 2]))
        assert sorted(posted) == [False, True]
        with pool.connection() as connection:
            assert connection.execute("SELECT count(*) FROM ledger").fetchone() == (1,)


@needs_database
def test_the_async_pool_does_the_same(service: Service) -> None:
    migrate(*service, [*RUNTIME, LEDGER])

    async def scenario() -> None:
        async with open_pool(*service) as pool:
            async with pool.connection() as connection:
                await connection.execute("INSERT INTO ledger (cents) VALUES (5)")
                await advance(connection, "accounting", OffsetRange("rounds", 0, 0, 10))
            async with pool.connection() as connection:
                with pytest.raises(PositionConflict):
                    await advance(connection, "accounting", OffsetRange("rounds", 0, 0, 10))

    asyncio.run(scenario())


@needs_database
def test_a_statement_that_hangs_is_ended(service: Service) -> None:
    name, settings = service
    hasty = settings.model_copy(update={"database_statement_seconds_max": 0.1})
    with (
        open_sync_pool(name, hasty) as pool,
        pool.connection() as connection,
        pytest.raises(psycopg.errors.QueryCanceled),
    ):
        connection.execute("SELECT pg_sleep(600)")


@needs_database
def test_the_time_zone_of_a_session_is_utc(service: Service) -> None:
    with open_sync_pool(*service) as pool, pool.connection() as connection:
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)


@needs_database
def test_a_connection_that_the_server_has_ended_is_replaced(service: Service) -> None:
    with open_sync_pool(*service) as pool:
        with pool.connection() as connection:
            process = connection.info.backend_pid
        with psycopg.connect(service[1].database_url.get_secret_value()) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [process])
        with pool.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_database_that_is_not_there_is_named_without_its_password() -> None:
    settings = settings_of("postgresql://admin@127.0.0.1:1/casino", "example")
    with pytest.raises(DatabaseUnreachable) as caught:
        migrate("example", settings, RUNTIME, wait_seconds_max=0)
    text = str(caught.value)
    assert "no database at example_migrator@127.0.0.1:1/casino" in text
    assert "refused" in text
    assert "m'1" not in text

    async def scenario() -> None:
        async with open_pool("example", settings, wait_seconds_max=0):
            pass

    with pytest.raises(DatabaseUnreachable):
        asyncio.run(scenario())
