"""What a stack remembers in its folder: processes, ports, passwords."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from deploy.stack.errors import FolderRejected, StackBusy
from deploy.stack.process import ProcessId

FILE = "state.json"
LOCK_SECONDS_MAX = 300.0  # a first `up` downloads; whoever waits for it should not give up


class State(msgspec.Struct, forbid_unknown_fields=True):
    processes: dict[str, ProcessId] = {}
    ports: dict[str, int] = {}
    password: str = msgspec.field(default_factory=lambda: secrets.token_hex(16))
    """The administrator's."""
    passwords: dict[str, str] = {}
    """Those of the services' roles."""


def load(folder: Path) -> State:
    """The state of a folder; of one never used, an empty one with a new password."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=State)
    except FileNotFoundError:
        return State()
    except msgspec.DecodeError as error:
        reason = f"cannot be read ({error}); end its processes by hand and remove it"
        raise FolderRejected(folder / FILE, reason) from error


def save(folder: Path, state: State) -> None:
    """All or nothing, for the owner's eyes only."""
    draft = folder / f"{FILE}.new"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(state), indent=2) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / FILE)


def make_folder(folder: Path) -> None:
    """Root's can be passed through, because PostgreSQL runs as another user; others' cannot.

    A folder that is there already keeps its mode: opening it is not for us to decide.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(0o711 if os.geteuid() == 0 else 0o700)
    except OSError as error:
        raise FolderRejected(folder, f"cannot be made ({error.strerror}); set STACK_DIR") from error


@contextlib.contextmanager
def locked(folder: Path, seconds_max: float = LOCK_SECONDS_MAX) -> Iterator[None]:
    """One `up` or `down` at a time; the lock goes with the process that holds it."""
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + seconds_max
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise StackBusy(folder, seconds_max) from None
                time.sleep(0.1)
        yield
    finally:
        os.close(handle)
