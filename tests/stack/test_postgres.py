"""PostgreSQL's launcher: as root, as a user, after kills, and what it opens to nobody."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.stack.errors import FolderRejected, PortTaken, ServerDied
from deploy.stack.postgres import remove_stale_lock
from deploy.stack.process import User, send, wait_for_end
from deploy.stack.programs import copy_for, wheel_programs
from deploy.stack.services import Service
from deploy.stack.stack import Stack
from deploy.stack.state import make_folder
from deploy.stack.user import make_passage, may_enter, server_user
from tests.stack.plugin import SMALL, StackMaker, settings_in

ROOT = Path(__file__).parents[2]
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def postgres_only(stack: Stack, open_folder: Path, own_stack: StackMaker) -> StackMaker:
    """Stacks whose Kafka is the run's, so that only PostgreSQL is started.

    The folder comes before the stacks, and so goes after them.
    """
    del open_folder

    def make(*services: Service, **environment: str) -> Stack:
        return own_stack(*services, KAFKA_BOOTSTRAP=stack.kafka_bootstrap, **environment)

    return make


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody may enter, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="pitledger-test-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def ask(stack: Stack, query: str) -> object:
    with psycopg.connect(stack.database_url) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def test_what_is_committed_is_safe(stack: Stack) -> None:
    for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums"):
        assert ask(stack, f"SHOW {name}") == "on"


def test_text_is_utf8_and_sorts_alike_on_every_machine(stack: Stack) -> None:
    assert ask(stack, "SHOW server_encoding") == "UTF8"
    sorted_names = "SELECT string_agg(n, '' ORDER BY n) FROM unnest(ARRAY['b', 'A', 'a', 'É']) n"
    assert ask(stack, sorted_names) == "AabÉ"
    if str(ask(stack, "SHOW server_version_num")) >= "17":  # older ones know only ASCII letters
        assert ask(stack, "SELECT lower('É')") == "é"


def test_nobody_gets_in_without_the_password(stack: Stack) -> None:
    right = f"pitledger:{stack.state.password}@"
    for wrong in ("pitledger:guessed@", "pitledger@", "postgres@"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(stack.database_url.replace(right, wrong))


def test_a_first_cluster_is_made_and_the_next_is_a_copy(
    postgres_only: StackMaker, tmp_path: Path
) -> None:
    """From an empty cache, which the test brings."""
    first = postgres_only(STACK_CACHE_DIR=str(tmp_path))
    first.up(servers_only=True)
    kept = list(tmp_path.glob("cluster-*"))
    assert len(kept) == 1
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o700
    second = postgres_only(STACK_CACHE_DIR=str(tmp_path))
    second.up(servers_only=True)
    identifier = "SELECT system_identifier FROM pg_control_system()"
    assert ask(first, identifier) == ask(second, identifier)


@root_only
def test_as_root_the_server_is_nobodys_and_no_folder_is_opened(
    postgres_only: StackMaker, open_folder: Path
) -> None:
    own = postgres_only(STACK_DIR=str(open_folder / "stack"))
    own.up(servers_only=True)
    assert_runs_unprivileged(own)
    home = own.settings.folder / "postgres"
    assert own.postgres.home == home
    for folder in (home, home / "data"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == server_user_id()


@root_only
def test_as_root_under_a_closed_folder_the_data_lie_where_the_server_may_go(
    postgres_only: StackMaker, open_folder: Path
) -> None:
    closed = open_folder / "closed"
    closed.mkdir(0o700)
    passage = open_folder / "passage"
    own = postgres_only(STACK_DIR=str(closed / "stack"), STACK_NOBODY_DIR=str(passage))
    own.up(servers_only=True)
    assert_runs_unprivileged(own)
    assert own.postgres.home.parent == passage
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (closed, passage)}
    assert modes == {closed: 0o700, passage: 0o711}
    assert stat.S_IMODE(own.postgres.home.stat().st_mode) == 0o700
    with psycopg.connect(own.database_url) as connection:
        connection.execute("CREATE TABLE kept ()")
    own.down()
    own.up(servers_only=True)
    assert ask(own, "SELECT count(*) FROM kept") == 0


@root_only
def test_as_root_programs_that_the_server_may_not_reach_are_copied(open_folder: Path) -> None:
    user = server_user()
    assert user is not None
    for _ in range(2):
        programs = copy_for(user, wheel_programs(), open_folder / "passage")
        assert may_enter(programs, user)
        command = [str(programs / "initdb"), "--version"]
        shown = subprocess.run(command, user=user.uid, capture_output=True, text=True, check=True)
        assert shown.stdout.startswith("initdb (PostgreSQL) 18")
    assert len(list((open_folder / "passage").iterdir())) == 1


@root_only
@pytest.mark.parametrize("kind", ["writable by all", "somebody's", "a link"])
def test_as_root_a_passage_that_somebody_else_laid_is_refused(kind: str, open_folder: Path) -> None:
    passage = open_folder / "passage"
    if kind == "a link":
        (open_folder / "elsewhere").mkdir()
        passage.symlink_to("elsewhere")
    else:
        passage.mkdir()
        os.chmod(passage, 0o777 if kind == "writable by all" else 0o755)
        os.chown(passage, server_user_id() if kind == "somebody's" else 0, 0)
    with pytest.raises(FolderRejected, match="set STACK_NOBODY_DIR"):
        make_passage(passage, User(server_user_id(), server_user_id()))


@root_only
def test_an_ordinary_user_has_a_stack_of_his_own(stack: Stack, open_folder: Path) -> None:
    user = server_user()
    assert user is not None
    programs = wheel_programs()
    if not may_enter(programs, user):
        programs = copy_for(user, programs, stack.settings.unprivileged_folder)
    home = open_folder / "home"
    home.mkdir(0o700)
    os.chown(home, user.uid, user.gid)
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        **SMALL,
        "KAFKA_BOOTSTRAP": stack.kafka_bootstrap,
        "PG_BIN": str(programs),
        "STACK_DIR": str(home / "stack"),
        "STACK_SERVICES": "none",  # that user may not enter where our interpreter lies
        "STACK_CACHE_DIR": str(home / "cache"),
    }

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        module = [sys.executable, "-m", "tests.stack.as_ordinary_user", *words]
        return subprocess.run(
            module, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )

    raised = command("up")
    assert (raised.returncode, raised.stderr) == (0, "")
    try:
        modes = {path.name: path.stat() for path in (home / "stack", home / "stack" / "postgres")}
        assert {name: stat.S_IMODE(mode.st_mode) for name, mode in modes.items()} == {
            "stack": 0o700,
            "postgres": 0o700,
        }
        assert {mode.st_uid for mode in modes.values()} == {user.uid}
        status = command("status")
        assert status.returncode == 0, status.stdout
        shown = command("env").stdout
        url = next(line for line in shown.splitlines() if "DATABASE_URL" in line).split("=", 1)[1]
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        ended = command("down")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_lock_of_a_dead_server_whose_number_lives_on_is_removed(tmp_path: Path) -> None:
    lock = tmp_path / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{tmp_path}\n")
    remove_stale_lock(tmp_path)
    assert not lock.exists()


def test_the_lock_of_a_server_that_works_in_its_folder_is_kept(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], cwd=tmp_path) as server:
        lock = tmp_path / "postmaster.pid"
        lock.write_text(f"{server.pid}\n")
        remove_stale_lock(tmp_path)
        assert lock.exists()
        server.kill()


def test_a_server_comes_back_after_kill_even_while_its_children_linger(
    postgres_only: StackMaker,
) -> None:
    """A client's backend is stopped, so that it holds the shared memory of its dead parent."""
    own = postgres_only()
    own.up(servers_only=True)
    client = psycopg.connect(own.database_url)
    backend = client.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    try:
        send(own.state.processes["postgres"], signal.SIGKILL)
        wait_for_end(own.state.processes["postgres"], 10)
        with pytest.raises(ServerDied, match="pre-existing shared memory block"):
            own.up(servers_only=True)
    finally:
        os.kill(backend, signal.SIGCONT)
        client.close()
    own.up(servers_only=True)
    assert ask(own, "SELECT 1") == 1


HOLDER = """
import os, sys
from deploy.stack.settings import read_settings
from deploy.stack.stack import Stack

Stack(read_settings(os.environ), services=()).up(servers_only=True)
print("up", flush=True)
sys.stdin.read()
"""


def test_a_server_starts_at_once_after_kill_while_the_old_one_is_a_zombie(
    stack: Stack, open_folder: Path
) -> None:
    """Each server is the child of a process that never collects it, and so stays a zombie."""
    settings = settings_in(open_folder / "stack", KAFKA_BOOTSTRAP=stack.kafka_bootstrap)
    given = {"STACK_DIR": str(settings.folder), "KAFKA_BOOTSTRAP": stack.kafka_bootstrap, **SMALL}
    own = Stack(settings, services=())
    holders: list[subprocess.Popen[str]] = []
    try:
        for _ in range(5):
            holder = subprocess.Popen(
                [sys.executable, "-c", HOLDER],
                cwd=ROOT,
                env=os.environ | given,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            holders.append(holder)
            assert holder.stdout is not None
            assert holder.stdout.readline() == "up\n"
            assert ask(own, "SELECT 1") == 1
            os.kill(own.state.processes["postgres"].pid, signal.SIGKILL)
    finally:
        for open_holder in holders:
            open_holder.communicate()
        own.down(remove_data=True)


def test_a_taken_port_is_told_with_the_setting_that_chooses_another(
    stack: Stack, postgres_only: StackMaker
) -> None:
    taken = stack.state.ports["postgres"]
    own = postgres_only(STACK_POSTGRES_PORT=str(taken))
    with pytest.raises(PortTaken, match=f"port {taken} .* set STACK_POSTGRES_PORT"):
        own.up(servers_only=True)


def test_data_that_cannot_be_served_are_told_with_the_reason(postgres_only: StackMaker) -> None:
    own = postgres_only()
    own.up(servers_only=True)
    own.down()
    settings = own.postgres.home / "data" / "postgresql.conf"
    settings.write_text("nonsense = 1\n")
    with pytest.raises(ServerDied, match='unrecognized configuration parameter "nonsense"'):
        own.up(servers_only=True)
    own.postgres.home.chmod(0o755)
    with pytest.raises(FolderRejected, match="is open to others"):
        own.up(servers_only=True)


def test_half_of_a_cluster_is_made_anew(postgres_only: StackMaker) -> None:
    own = postgres_only()
    make_folder(own.settings.folder)
    if own.postgres.user:
        make_passage(own.settings.unprivileged_folder, own.postgres.user)
    half = own.postgres.home / "data.new" / "base"
    own.postgres.home.mkdir(0o700)
    half.mkdir(parents=True)
    own.up(servers_only=True)
    assert ask(own, "SELECT 1") == 1
    assert not half.exists()


def server_user_id() -> int:
    user = server_user()
    return user.uid if user else os.geteuid()


def assert_runs_unprivileged(own: Stack) -> None:
    pid = own.state.processes["postgres"].pid
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    fields = dict(line.split(":\t", 1) for line in status if ":\t" in line)
    user = server_user()
    assert user is not None
    assert set(fields["Uid"].split()) == {str(user.uid)}
    assert set(fields["Gid"].split()) == {str(user.gid)}
    assert fields["Groups"].split() in ([], [str(user.gid)])
