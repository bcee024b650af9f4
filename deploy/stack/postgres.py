"""PostgreSQL from the wheel's programs, with a launcher of our own, as root and as a user."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy.stack.cluster import NAME, make_cluster
from deploy.stack.errors import FolderRejected
from deploy.stack.ports import LOOPBACK, PATIENCE_SECONDS, choose
from deploy.stack.process import ProcessId, Record, start, stat_of
from deploy.stack.programs import Programs, find_programs
from deploy.stack.settings import Settings
from deploy.stack.state import State
from deploy.stack.user import make_passage, may_enter, server_user

PORT = "postgres"
"""The name of its port."""

OPTIONS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",  # a socket would need a folder that others may enter
    # A ledger is written to it: what was committed stays committed.
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "max_connections": "200",  # several services and test workers, each with a pool
    "shared_buffers": "64MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %d ",
}


class Postgres:
    name = "postgres"
    stop_signal = signal.SIGINT  # "fast": open transactions are rolled back, nobody is waited for

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.log = settings.folder / "log" / "postgres.log"
        self.given = settings.database_url is not None
        self.user = server_user()
        self._programs: Programs | None = None

    def address(self, state: State) -> str:
        """Without user and password, which a log should not hold."""
        if self.settings.database_url is None:
            return f"{LOOPBACK}:{state.ports.get(PORT, 0)}"
        named = urlsplit(self.settings.database_url)
        return f"{named.hostname or 'local'}:{named.port or 5432}"

    def url(self, state: State) -> str:
        """What a client connects with."""
        if self.settings.database_url is not None:
            return self.settings.database_url
        return f"postgresql://{NAME}:{state.password}@{self.address(state)}/{NAME}"

    @property
    def home(self) -> Path:
        """The stack's folder, or where the server's user may go instead."""
        folder = self.settings.folder
        if self.user is None or may_enter(folder, self.user):
            return folder / "postgres"
        mark = hashlib.sha256(bytes(folder.resolve())).hexdigest()[:16]
        return self.settings.unprivileged_folder / f"stack-{mark}"

    def prepare(self, state: State) -> None:
        state.ports[PORT] = choose(
            wanted=self.settings.postgres_port,
            remembered=state.ports.get(PORT),
            setting="STACK_POSTGRES_PORT",
            patience_seconds=PATIENCE_SECONDS,
        )
        self._programs = find_programs(self.settings, self.user)
        home = self.home
        if self.user and home.parent == self.settings.unprivileged_folder:
            make_passage(home.parent, self.user)
        home.mkdir(0o700, exist_ok=True)
        if self.user:
            os.chown(home, self.user.uid, self.user.gid, follow_symlinks=False)
        if home.stat().st_mode & 0o077:
            raise FolderRejected(home, "is open to others: chmod 700 it, or remove it")
        if not (home / "data").exists():
            make_cluster(
                home,
                password=state.password,
                programs=self._programs,
                user=self.user,
                cache=self.settings.cache,
            )
        remove_stale_lock(home / "data")

    def spawn(self, state: State, record: Record) -> ProcessId:
        assert self._programs is not None, "prepare comes first"
        options = OPTIONS | {"port": str(state.ports[PORT])}
        return start(
            [
                self._programs.bin / "postgres",
                *("-D", self.home / "data"),
                *(word for name, value in options.items() for word in ("-c", f"{name}={value}")),
            ],
            log=self.log,
            record=record,
            environment=self._programs.environment,
            user=self.user,
        )

    def is_ready(self, state: State) -> bool:
        try:
            psycopg.connect(self.url(state), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def rejection(self) -> str | None:
        return None

    def can_try_again(self, tail: str) -> bool:
        """After kill -9 its children need a moment to notice, and hold the memory till then."""
        return "pre-existing shared memory block" in tail or "could not bind" in tail


def remove_stale_lock(data: Path) -> None:
    """Remove the lock of a killed server whose number is still, or again, in use.

    PostgreSQL believes a lock if any process of its user has the number, also a zombie, which
    `kill -9` leaves behind until its parent collects it. A server of this cluster that runs works
    in its folder; anything else with the number is not our server. Children that still hold the
    shared memory are noticed without the lock: PostgreSQL finds the memory by the data folder.
    A lock whose number nobody has PostgreSQL removes itself.
    """
    lock = data / "postmaster.pid"
    try:
        pid = int(lock.read_text("utf-8").split()[0])
    except (FileNotFoundError, ValueError, IndexError):
        return
    if not Path(f"/proc/{pid}").exists():
        return
    try:
        runs = stat_of(pid) is not None and os.readlink(f"/proc/{pid}/cwd") == str(data.resolve())
    except (FileNotFoundError, PermissionError):  # gone since, or another user's
        runs = False
    if not runs:
        lock.unlink()
