"""Whole stacks: the real services, started, killed, shown and ended as an operator does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.stack.errors import ServerDied
from deploy.stack.identity import OPERATOR
from deploy.stack.process import is_alive, send, wait_for_end
from deploy.stack.services import SERVICES
from deploy.stack.settings import read_settings
from deploy.stack.stack import Condition, Stack
from tests.stack.listening import addresses_of
from tests.stack.plugin import SMALL, StackMaker

pytestmark = pytest.mark.proof

ROOT = Path(__file__).parents[2]


def beside(own_stack: StackMaker, stack: Stack, prefix: str) -> Stack:
    """A whole stack on the run's Kafka, with topics and a PostgreSQL of its own."""
    given = {"KAFKA_BOOTSTRAP": stack.kafka_bootstrap, "TOPIC_PREFIX": prefix}
    return own_stack(*SERVICES, **given, STACK_SETTLEMENT_WORKERS="2")


def environment(folder: Path, stack: Stack, prefix: str) -> dict[str, str]:
    """The same for a command."""
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        **SMALL,
        "KAFKA_BOOTSTRAP": stack.kafka_bootstrap,
        "TOPIC_PREFIX": prefix,
        "STACK_DIR": str(folder),
        "STACK_CACHE_DIR": str(stack.settings.cache),
        "STACK_NOBODY_DIR": str(stack.settings.unprivileged_folder),
    }


def services_of(folder: Path) -> set[int]:
    """Processes that were given an identity in that folder, whoever knows of them."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                told = (entry / "environ").read_bytes()
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
            if f"\0IDENTITY_FOLDER={folder}/".encode() in b"\0" + told:
                found.add(int(entry.name))
    return found


def test_two_whole_stacks_stand_side_by_side_through_kill_and_mistake(
    floor: Stack, stack: Stack, own_stack: StackMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One story, because every chapter starts services."""
    own = beside(own_stack, stack, "beside-")
    own.up()
    assert {part.condition for part in own.status()} == {Condition.OK}
    assert not set(own.state.ports.values()) & set(floor.state.ports.values())
    names = [service.name for service in own.services]
    assert names[:3] == ["table_gateway", "settlement-0", "settlement-1"]
    for name in names:
        heard = addresses_of(own.state.processes[name].pid)
        assert {host.removeprefix("::ffff:") for host, _ in heard} == {"127.0.0.1"}
        assert {port for _, port in heard} <= {
            port for key, port in own.state.ports.items() if key.startswith(f"{name}.")
        }

    before, ports = own.state.processes, own.state.ports
    certificate = own.identities.of(OPERATOR) / "tls.crt"
    issued = certificate.read_bytes()
    for name in names:
        send(before[name], signal.SIGKILL)
        assert wait_for_end(before[name], 10)
    assert [part.condition for part in own.status()][2:] == [Condition.DIED] * len(names)
    monkeypatch.setenv("REFOLD_MAX", "-1")
    with pytest.raises(ServerDied, match=r"settlement-0 ended by itself(.|\n)*REFOLD_MAX"):
        own.up()
    (shown,) = [part for part in own.status() if part.name == "settlement-0"]
    assert shown.condition is Condition.DIED
    assert "REFOLD_MAX" in shown.tail
    monkeypatch.delenv("REFOLD_MAX")
    gateway = own.state.processes["table_gateway"]
    own.up()
    assert own.state.processes["table_gateway"] == gateway, "what runs is left alone"
    assert own.state.ports == ports
    assert certificate.read_bytes() == issued, "it is good for long"
    assert {part.condition for part in own.status()} == {Condition.OK}

    processes = own.state.processes
    own.down()
    assert not any(map(is_alive, processes.values()))
    assert services_of(own.identities.folder / "service") == set()
    for name in names:
        log = (own.settings.folder / "log" / f"{name}.log").read_text().splitlines()
        assert json.loads(log[-1])["event"] == "stopped", "it was not killed"
    assert {part.condition for part in floor.status()} == {Condition.OK}, "the other lives on"


def test_what_a_killed_start_has_begun_is_ended_by_down(stack: Stack, tmp_path: Path) -> None:
    folder = tmp_path / "stack"
    around = environment(folder, stack, "killed-")
    command = [sys.executable, "-m", "deploy.stack"]
    mine = Stack(read_settings(around))
    with subprocess.Popen([*command, "up"], cwd=ROOT, env=around) as starting:
        # Not until the state names it: before it is told to go, it ends with whoever starts it.
        log = folder / "log" / "table_gateway.log"
        while not (log.exists() and log.stat().st_size):
            assert starting.poll() is None
            time.sleep(0.02)
        starting.kill()
    try:
        assert services_of(folder / "identity" / "service")
    finally:
        subprocess.run([*command, "down"], cwd=ROOT, env=around, check=True)
    assert services_of(folder / "identity" / "service") == set()
    assert mine.state.processes == {}


def test_an_ordinary_user_has_a_whole_stack_of_his_own(stack: Stack, tmp_path: Path) -> None:
    """In a user namespace: `nobody` to every program, who may enter what root may here."""
    if os.geteuid() == 0:
        user = ["unshare", "--user", "--map-user=65534", "--map-group=65534"]
        if subprocess.run([*user, "true"], check=False).returncode:
            pytest.skip("no user namespaces here")
    else:
        user = []  # we are one
    around = environment(tmp_path / "stack", stack, "ordinary-")

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        module = [*user, sys.executable, "-m", "deploy.stack", *words]
        return subprocess.run(
            module, cwd=ROOT, env=around, capture_output=True, text=True, check=False
        )

    raised = command("up")
    try:
        assert (raised.returncode, raised.stderr) == (0, "")
        shown = json.loads(command("status", "--json").stdout)
        assert {part["condition"] for part in shown["parts"]} == {"ok"}
        assert (tmp_path / "stack" / "postgres").exists()
    finally:
        ended = command("down")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert services_of(tmp_path / "stack" / "identity" / "service") == set()
