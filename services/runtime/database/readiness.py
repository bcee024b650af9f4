"""Whether the database of a service can be worked with: readiness that does not flap.

A probe queries once a second, over a connection of its own, and must be answered in time: a server
that hangs keeps a connection open and answers nothing, for as long as it hangs. The probe writes a
few bytes to the write-ahead log, because a server may answer questions and take no writes.

A small write can succeed where a large one does not, such as on a full disk. So the writer
of the service reports when that fails (`block`) and when it is over (`unblock`). One failure of
either is enough not to be ready; to be ready again takes several probes in a row after the last
failure, and no writer that is blocked.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import psycopg
from psycopg import Connection, conninfo

from runtime.database.connection import DatabaseSettings, session
from runtime.health import Health
from runtime.process import ServicePart, Stop

DATABASE: Final = "database"
"""The condition of health."""
PROBE_SECONDS: Final = 1.0
ANSWER_SECONDS_MAX: Final = 5.0
"""A busy machine may take seconds; one that hangs takes longer than any."""
PROBES_AFTER_FAILURE: Final = 3
_LOST_MS: Final = 10_000
"""A connection whose packets no one acknowledges is given up: its server is gone for good."""
_PROBE: Final = """
SELECT current_setting('transaction_read_only'), pg_logical_emit_message(true, 'probe', '')
"""


class ReadOnlyDatabase(Exception):
    """The database answers, and accepts no writes: a standby, or set to read-only."""

    def __init__(self) -> None:
        super().__init__("the database takes no writes at the moment")


class StoreReadiness:
    """Reports the condition `database`. Its methods may be called from any thread."""

    def __init__(self, service: str, settings: DatabaseSettings, health: Health) -> None:
        address = session(
            settings.database_url.get_secret_value(),
            service=service,
            statement_seconds_max=settings.database_statement_seconds_max,
        )
        self._address = conninfo.make_conninfo(address, tcp_user_timeout=_LOST_MS)
        self._health = health
        self._lock = threading.Lock()
        self._blocked = False
        self._wanted = 1
        """Probes that must succeed before it is ready."""
        self._prober = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._connection: Connection[Any] | None = None

    def part(self) -> ServicePart:
        return ServicePart("store", self._run)

    def block(self, reason: str) -> None:
        """A write of the service has failed: not ready before that one, or a later one, is done."""
        with self._lock:
            self._blocked = True
            self._fail(reason)

    def unblock(self) -> None:
        """The service has written, or has nothing to write."""
        with self._lock:
            self._blocked = False

    def _run(self, stop: Stop) -> None:
        probe: Future[None] | None = None
        try:
            while not stop.requested:
                # A probe that hangs is not joined by more: it reports when that is over.
                probe = probe or self._prober.submit(self._probe)
                if self._judge(probe):
                    probe = None
                stop.sleep(PROBE_SECONDS)
        finally:
            self._prober.shutdown(wait=False)

    def _judge(self, probe: Future[None]) -> bool:
        """Whether the probe was answered."""
        try:
            probe.result(ANSWER_SECONDS_MAX)
        except TimeoutError:
            with self._lock:
                self._fail(f"the database does not answer within {ANSWER_SECONDS_MAX:g} s")
            return False
        except (psycopg.Error, ReadOnlyDatabase) as failed:
            with self._lock:
                self._fail(" ".join(str(failed).split()) or type(failed).__name__)
        else:
            with self._lock:
                self._succeed()
        return True

    def _fail(self, reason: str) -> None:
        self._wanted = PROBES_AFTER_FAILURE
        self._health.not_met(DATABASE, reason)

    def _succeed(self) -> None:
        self._wanted = max(self._wanted - 1, 0)
        if not self._wanted and not self._blocked:
            self._health.met(DATABASE)

    def _probe(self) -> None:
        try:
            if self._connection is None:
                self._connection = psycopg.connect(self._address, autocommit=True)
            row = self._connection.execute(_PROBE).fetchone()
        except psycopg.Error:
            self._forget()
            raise
        if row is not None and row[0] == "on":
            raise ReadOnlyDatabase

    def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
