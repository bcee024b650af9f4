"""Ports for the servers of a test."""

from __future__ import annotations

import os

from deploy.stack.ports import free_port

_given: set[int] = set()


def own_port() -> int:
    """A free port that no other test of the run is given, in this worker or another.

    A port is taken only when its server listens, which may be seconds later: until then another
    caller would find it free, too.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    while (port := free_port(_given)) % workers != worker:
        pass
    _given.add(port)
    return port
