"""Ports of 127.0.0.1: a set one, the one of last time, or any that is free."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Container
from pathlib import Path

from deploy.stack.errors import PortTaken

LOOPBACK = "127.0.0.1"
PATIENCE_SECONDS = 10.0
"""How long a server waits for the port that its clients know: one that was killed may still be
ending, and a client that calls there meanwhile can be given that very port for a moment."""
POLL_SECONDS = 0.1
FIRST = 22_000
"""Above the ports that a stack takes by itself (docs/stack.md)."""
GIVEN_OUT = Path("/proc/sys/net/ipv4/ip_local_port_range")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the servers do
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def choose(
    *,
    wanted: int,
    remembered: int | None,
    setting: str,
    avoid: Container[int] = (),
    patience_seconds: float = 0.0,
) -> int:
    """A set port or none; where any will do, last time's if it can be, so that clients find it.

    `avoid` are ports that were chosen and are not yet used. Last time's is waited for.
    """
    if wanted:
        if not _gets_free(wanted, patience_seconds if wanted == remembered else 0.0):
            raise PortTaken(wanted, setting)
        return wanted
    if remembered and remembered not in avoid and _gets_free(remembered, patience_seconds):
        return remembered
    return free_port(avoid)


def free_port(avoid: Container[int] = ()) -> int:
    """Any, but none that the kernel gives to clients: one could have it before the server has."""
    chance, end = random.SystemRandom(), _first_given_out()
    while True:
        port = chance.randrange(FIRST, end)
        if port not in avoid and is_free(port):
            return port


def _first_given_out() -> int:
    """As Linux has it unless it is set; where it is set to all that we could take, we take them."""
    usual = 1 << 15
    try:
        first = int(GIVEN_OUT.read_text("ascii").split()[0])
    except OSError:
        return usual
    return first if first > FIRST else usual


def _gets_free(port: int, seconds_max: float) -> bool:
    deadline = time.monotonic() + seconds_max
    while not is_free(port):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True
