"""Processes are known by more than a number."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from deploy.stack.errors import CommandFailed
from deploy.stack.process import (
    ProcessId,
    end,
    is_alive,
    run,
    send,
    start,
    stat_of,
    tail,
    wait_for_end,
)
from tests.stack.listening import family_of, parents_of_all

ROOT = Path(__file__).parents[2]
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "60"])
print("deaf", flush=True)
time.sleep(60)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "process.log"


def wait_for_word(log: Path, word: str, process: ProcessId) -> None:
    while word not in tail(log):
        assert is_alive(process)
        wait_for_end(process, 0.02)


def test_a_process_that_was_given_the_number_again_is_never_signalled(log: Path) -> None:
    stranger = start(["sleep", "60"], log=log)
    for ours in (
        msgspec.structs.replace(stranger, started_ticks=stranger.started_ticks - 1),
        msgspec.structs.replace(stranger, boot="another"),
    ):
        assert not is_alive(ours)
        send(ours, signal.SIGKILL)
        end(ours, name="ours", seconds_max=1)
        assert is_alive(stranger)
    end(stranger, name="stranger", seconds_max=10)
    assert not is_alive(stranger)


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Within it orphans become our children, which stay zombies: an init that never reaps."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    assert prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        assert prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) == 0


def test_a_process_that_is_deaf_to_sigterm_is_killed_with_all_it_started(log: Path) -> None:
    with adopting_orphans():
        process = start([sys.executable, "-c", STUBBORN], log=log)
        wait_for_word(log, "deaf", process)
        (child,) = family_of(process.pid) - {process.pid}
        end(process, name="stubborn", seconds_max=0.2)
        assert not is_alive(process)
        assert child not in {pid for pid, _ in parents_of_all()}
        os.waitpid(child, 0)  # it was a zombie of ours all the time


def test_a_zombie_is_dead() -> None:
    with subprocess.Popen(["true"]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert Path(f"/proc/{child.pid}").exists()
        assert stat_of(child.pid) is None


def test_a_child_that_has_ended_is_noticed(log: Path) -> None:
    assert wait_for_end(start(["true"], log=log), 10)


def test_each_start_has_a_fresh_log_and_keeps_the_one_before(log: Path) -> None:
    for word in ("first", "second", "third"):
        assert wait_for_end(start(["echo", word], log=log), 10)
    assert log.read_text() == "third\n"
    assert log.with_name("process.log.1").read_text() == "second\n"


def test_a_log_is_for_its_owner_only(log: Path) -> None:
    assert wait_for_end(start(["true"], log=log), 10)
    assert log.stat().st_mode & 0o077 == 0


def test_a_tail_is_the_last_lines_however_long_the_log(log: Path) -> None:
    log.write_text("\n".join(f"line {number}" for number in range(100_000)))
    assert tail(log, 2) == "line 99998\nline 99999"


def test_a_command_that_fails_says_what_it_printed() -> None:
    with pytest.raises(CommandFailed) as failed:
        run(["sh", "-c", "echo no such luck; exit 3"])
    assert str(failed.value) == "sh ended with 3:\n  | no such luck"


KILLED = """
import os, signal, sys
from pathlib import Path
from deploy.stack.process import start

def record(process):
    print(process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

start(["touch", sys.argv[1]], log=Path(sys.argv[2]), record=record)
"""


def test_a_process_that_nobody_wrote_down_never_begins(log: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, begun, log], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    pid = int(killed.stdout)
    deadline = time.monotonic() + 10
    while pid in {child for child, _ in parents_of_all()}:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert not begun.exists()


def test_a_process_begins_when_it_is_written_down(log: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    written: list[bool] = []
    process = start(["touch", begun], log=log, record=lambda _: written.append(begun.exists()))
    assert wait_for_end(process, 10)
    assert written == [False]
    assert begun.exists()


def test_what_cannot_be_started_says_so_in_its_log(log: Path) -> None:
    assert wait_for_end(start(["/no/such/program"], log=log), 10)
    assert "/no/such/program" in tail(log)
