"""Live and ready are two questions: restart me if I am not live, send me work if I am ready.

Over `grpc.health.v1`, the service "" answers whether the process is live and "ready" whether
it can do its work. Live is what answers at all. Ready is when every named condition is met
(`database`, `kafka`, ...); a condition may be reported from any thread, and each change is
logged with its reason. Health has a plain port of its own, because the probes of an
orchestrator have no certificate; it serves nothing else.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from runtime import logs
from runtime.addresses import Address

LIVE = health.OVERALL_HEALTH
READY = "ready"

_STATUS = {
    True: health_pb2.HealthCheckResponse.SERVING,
    False: health_pb2.HealthCheckResponse.NOT_SERVING,
}
_log = logs.logger(__name__)


class Health:
    """The state that probes receive. Made within the event loop that serves it."""

    def __init__(self, conditions: Iterable[str] = ()) -> None:
        self._unmet = dict.fromkeys(conditions, "not yet reported")
        self._known = frozenset(self._unmet)
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self.servicer = health.aio.HealthServicer()
        self._publish()

    @property
    def unmet(self) -> dict[str, str]:
        """The conditions that keep the service from being ready, with their reasons."""
        with self._lock:
            return dict(self._unmet)

    def met(self, condition: str) -> None:
        """From any thread: `condition` holds."""
        self._report(condition, None)

    def not_met(self, condition: str, reason: str) -> None:
        """From any thread: `condition` does not hold, and why."""
        self._report(condition, reason)

    async def stop(self) -> None:
        """Not ready, for good: what comes next is the end of the process."""
        self._report("running", "stopping")
        await self.servicer.enter_graceful_shutdown()

    @asynccontextmanager
    async def served(self, address: Address) -> AsyncIterator[Address]:
        """Answers the probes at `address` while open; port 0 takes a free one."""
        # A second process on the same port would answer for this one: it must fail instead.
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        health_pb2_grpc.add_HealthServicer_to_server(self.servicer, server)
        port = server.add_insecure_port(str(address))
        await server.start()
        try:
            yield Address(address.host, port)
        finally:
            await server.stop(None)

    def _report(self, condition: str, reason: str | None) -> None:
        if condition not in self._known and condition != "running":
            raise UnknownCondition(condition=condition, known=self._known)
        with self._lock:
            if self._unmet.get(condition) == reason:
                return
            if reason is None:
                self._unmet.pop(condition, None)
            else:
                self._unmet[condition] = reason
            unmet = dict(self._unmet)
        if unmet:
            _log.warning("not ready", unmet=unmet)
        else:
            _log.info("ready")
        self._loop.call_soon_threadsafe(self._publish)

    def _publish(self) -> None:
        # Reads the conditions again: two reports that cross end with the current state.
        status = _STATUS[not self.unmet]
        task = self._loop.create_task(self.servicer.set(READY, status))
        self._tasks.add(task)  # the loop holds tasks only weakly
        task.add_done_callback(self._tasks.discard)


class UnknownCondition(LookupError):
    """A condition was reported that the service did not name at its start."""

    def __init__(self, *, condition: str, known: frozenset[str]) -> None:
        self.condition = condition
        self.known = known
        super().__init__(f"{condition!r} is none of the conditions {sorted(known)}")
