"""Keys and certificates on disk: folders 0700, files 0600, replaced whole or not at all.

The names are those of a Kubernetes TLS secret, so that a cluster's own issuer can put them
there instead of our authority.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runtime.identity.errors import KeyExposed

KEY = "tls.key"
CERTIFICATE = "tls.crt"
AUTHORITY = "ca.crt"
_GROUP_AND_OTHERS = 0o077
_OTHERS = 0o007


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A private key and its certificate, as PEM; prints without the key."""

    key: bytes
    certificate: bytes
    authority: bytes
    """The certificate of the authority, by which the other side is judged."""

    def __repr__(self) -> str:
        return "KeyPair(...)"


def private_folder(folder: Path) -> Path:
    """The folder, made if need be, for its owner only; `KeyExposed` if others may enter it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _reject_exposed(folder)
    return folder


def write_private(path: Path, content: bytes) -> None:
    """The whole file or none of it, 0600 from its first byte, on disk when this returns."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_private(path: Path) -> bytes:
    """What a secret file holds; `KeyExposed` if others may read it."""
    _reject_exposed(path)
    return path.read_bytes()


def write_pair(folder: Path, pair: KeyPair) -> None:
    """Certificate before key: a reader between the two sees that they do not fit and waits."""
    private_folder(folder)
    write_private(folder / AUTHORITY, pair.authority)
    write_private(folder / CERTIFICATE, pair.certificate)
    write_private(folder / KEY, pair.key)


def read_pair(folder: Path) -> KeyPair:
    return KeyPair(
        key=read_private(folder / KEY),
        certificate=(folder / CERTIFICATE).read_bytes(),
        authority=(folder / AUTHORITY).read_bytes(),
    )


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """One process at a time: services that start together make one authority, not six."""
    with open(private_folder(folder) / ".lock", "w", opener=_for_the_owner) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _reject_exposed(path: Path) -> None:
    status = path.stat()
    # What a cluster mounts belongs to root and is opened to the pod's own group, by design.
    ours = status.st_uid == os.geteuid()
    if status.st_mode & (_GROUP_AND_OTHERS if ours else _OTHERS):
        raise KeyExposed(path, status.st_mode & 0o777)
