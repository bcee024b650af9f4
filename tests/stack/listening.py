"""Who listens where, as the kernel says."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

from deploy.stack.process import running_processes

LISTEN = "0A"


def family_of(pid: int) -> set[int]:
    """A process, what it started, what they started. PostgreSQL's leave its session."""
    family, parents = {pid}, dict(parents_of_all())
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def parents_of_all() -> Iterator[tuple[int, int]]:
    for stat in running_processes():
        yield stat.pid, stat.parent


def addresses_of(pid: int) -> set[tuple[str, int]]:
    """Where a process and all of its family listen for TCP, of either version of IP."""
    sockets = {
        os.readlink(handle)
        for member in family_of(pid)
        for handle in Path(f"/proc/{member}/fd").iterdir()
        if handle.is_symlink()
    }
    return {(host, port) for host, port, inode in listening() if f"socket:[{inode}]" in sockets}


def listening() -> Iterator[tuple[str, int, str]]:
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text("ascii").splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTEN:
                host, _, port = fields[1].partition(":")
                yield readable(host), int(port, 16), fields[9]


def readable(host: str) -> str:
    """The kernel prints words of the machine's own byte order.

    >>> readable("0100007F"), readable("00000000000000000000000001000000")
    ('127.0.0.1', '::1')
    """
    words = [int(host[start : start + 8], 16) for start in range(0, len(host), 8)]
    packed = struct.pack(f"={len(words)}I", *words)
    return socket.inet_ntop(socket.AF_INET6 if len(words) == 4 else socket.AF_INET, packed)
