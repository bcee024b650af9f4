"""Ports of 127.0.0.1: a set one, the one of last time, or any that is free."""

from __future__ import annotations

import socket
from collections.abc import Container

from deploy.stack.errors import PortTaken

LOOPBACK = "127.0.0.1"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the servers do
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def choose(*, wanted: int, remembered: int | None, setting: str, avoid: Container[int] = ()) -> int:
    """A set port or none; where any will do, last time's if it can be, so that clients find it.

    `avoid` are ports that were chosen and are not yet used.
    """
    if wanted:
        if not is_free(wanted):
            raise PortTaken(wanted, setting)
        return wanted
    if remembered and remembered not in avoid and is_free(remembered):
        return remembered
    while True:
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            port: int = probe.getsockname()[1]
        if port not in avoid:
            return port
