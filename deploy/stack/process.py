"""Processes that outlive us, known by number and time of birth.

A process number is given out again; a number with its start time and the boot it happened in
is not. Signals go through a pidfd that is opened before the identity is checked, so that none
can reach a stranger.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from deploy.stack.errors import CommandFailed, ServerLeft

TAIL_LINES = 25
POLL_SECONDS = 0.05

Command = Sequence[str | Path]

# What holds a process back until we have written it down. If we are killed before that, the
# pipe closes, nothing is read, and it ends without having begun.
HELD = ("/bin/sh", "-c", 'read -r go || exit 0; exec "$@" </dev/null', "held")

# Kept so that a child which ended is not a zombie to the process that started it.
_children: dict[int, subprocess.Popen[bytes]] = {}


class ProcessId(msgspec.Struct, frozen=True):
    pid: int
    started_ticks: int
    boot: str


Record = Callable[[ProcessId], None]
"""Writes down that a process exists."""


@dataclass(frozen=True, slots=True)
class User:
    """Whom a process runs as, when not as ourselves."""

    uid: int
    gid: int


def record_nowhere(_process: ProcessId) -> None:
    """For a process that the caller ends itself."""


def start(
    command: Command,
    *,
    log: Path,
    record: Record = record_nowhere,
    directory: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
    user: User | None = None,
) -> ProcessId:
    """Start a server in a session of its own, which Ctrl-C and a hang-up of ours do not reach.

    It is recorded before it begins: there is no moment at which it runs and nobody knows of
    it. Each start has a fresh log; the one before is kept beside it.
    """
    if log.exists():
        log.replace(log.with_name(log.name + ".1"))
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        child = subprocess.Popen(
            [*HELD, *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            cwd=directory,
            env=environment,
            start_new_session=True,
            user=user.uid if user else None,
            group=user.gid if user else None,
            extra_groups=[] if user else None,
        )
    finally:
        os.close(out)
    _children[child.pid] = child
    # It waits for us at the pipe: at worst it has exited, and then nothing goes by its start time.
    stat = stat_of(child.pid)
    process = ProcessId(child.pid, stat.started_ticks if stat else 0, boot())
    assert child.stdin is not None
    # Who cannot even wait is dead already; whoever waits for it will see that.
    with contextlib.suppress(BrokenPipeError), child.stdin as held:
        record(process)
        held.write(b"go\n")
    return process


def run(
    command: Command,
    *,
    directory: Path = Path("/"),
    environment: Mapping[str, str] | None = None,
    user: User | None = None,
    stdin: str = "",
) -> str:
    """What a short command printed, or `CommandFailed`."""
    done = subprocess.run(
        command,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        cwd=directory,
        env=environment,
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
        check=False,
    )
    if done.returncode:
        raise CommandFailed(Path(command[0]).name, done.returncode, last_lines(done.stdout))
    return done.stdout


def boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()


class ProcessStat(NamedTuple):
    """What the kernel says of a process that has not exited."""

    pid: int
    parent: int
    group: int
    started_ticks: int
    """Clock ticks since the boot."""


def stat_of(pid: int) -> ProcessStat | None:
    """None if no process has the number, or if it has exited.

    A zombie has exited: it only waits for its parent to collect the status, which an overloaded
    or careless parent may do much later.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text[text.rindex(")") + 2 :].split()  # the name before it may hold anything
    if fields[0] in "ZX":
        return None
    return ProcessStat(pid, int(fields[1]), int(fields[2]), int(fields[19]))


def running_processes() -> Iterator[ProcessStat]:
    """Every process of the machine that has not exited."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := stat_of(int(entry.name))) is not None:
            yield stat


def is_alive(process: ProcessId) -> bool:
    child = _children.get(process.pid)
    if child and child.poll() is not None:
        del _children[process.pid]
    stat = stat_of(process.pid)
    return (
        stat is not None and stat.started_ticks == process.started_ticks and process.boot == boot()
    )


def send(process: ProcessId, number: signal.Signals) -> None:
    """Signal that very process; if it is gone, nobody."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(process.pid)
        try:
            if is_alive(process):
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)


def end(
    process: ProcessId,
    *,
    name: str,
    seconds_max: float,
    ask: signal.Signals = signal.SIGTERM,
) -> None:
    """Ask it to end and wait; past the limit, SIGKILL it with all it started."""
    send(process, ask)
    if wait_for_end(process, seconds_max):
        return
    with contextlib.suppress(ProcessLookupError):
        if is_alive(process):
            os.killpg(process.pid, signal.SIGKILL)  # its session is its own, so is its group
    if not _wait_until_false(
        lambda: any(
            running_process.group == process.pid for running_process in running_processes()
        ),
        10,
    ):
        raise ServerLeft(name, process.pid)


def wait_for_end(process: ProcessId, seconds_max: float) -> bool:
    return _wait_until_false(lambda: is_alive(process), seconds_max)


def _wait_until_false(condition: Callable[[], bool], seconds_max: float) -> bool:
    deadline = time.monotonic() + seconds_max
    while condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def last_lines(text: str, count: int = TAIL_LINES) -> str:
    return "\n".join(text.rstrip().splitlines()[-count:])


def tail(log: Path, count: int = TAIL_LINES) -> str:
    """The end of a log, however long it is."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 64 * 1024))
            return last_lines(file.read().decode("utf-8", errors="replace"), count)
    except FileNotFoundError:
        return "(there is no log)"
