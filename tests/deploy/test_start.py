"""With what the compose file tells them, the processes start and are ready.

The same commands in the same order, on real servers; only hosts, ports and folders are those of
the test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from deploy.stack.stack import Stack
from runtime.addresses import Address
from runtime.probe import is_ready
from tests.deploy.containers import PASSWORD, Container, compose, compose_containers
from tests.stack.plugin import StackMaker
from tests.stack.ports import own_port

pytestmark = pytest.mark.proof

READY_SECONDS_MAX = 120.0  # ours take two; the machine may be busy


def environment_here(container: Container, stack: Stack, folder: Path) -> dict[str, str]:
    """The manifest's variables, with the test's own servers, folders and ports."""
    database = urlsplit(stack.database_url)
    identity = folder / "identities/service" / container.arguments[0]
    found = {}
    for name, value in container.environment.items():
        for there, here in (
            (r"^(0\.0\.0\.0|127\.0\.0\.1):\d+$", f"127.0.0.1:{own_port()}"),
            ("^kafka:9092$", stack.kafka_bootstrap),
            (f"//postgres:{PASSWORD}@", f"//{database.username}:{database.password}@"),
            ("@postgres:5432/pitledger$", f"@{database.hostname}:{database.port}{database.path}"),
            ("^/var/lib/pitledger", str(folder)),
            ("^/identity", str(identity)),
        ):
            value = re.sub(there, here, value)
        found[name] = value
    return found


def in_order() -> list[Container]:
    """Whoever is awaited comes before whoever waits."""
    services = compose()["services"]
    waiting = {container.name: container for container in compose_containers()}
    ordered: list[Container] = []
    while waiting:
        name = next(
            name for name in waiting if not set(services[name].get("depends_on", {})) & set(waiting)
        )
        ordered.append(waiting.pop(name))
    return ordered


@contextmanager
def running(arguments: tuple[str, ...], environment: dict[str, str], log: Path) -> Iterator[None]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments], env=environment, stdout=output, stderr=output
        )
    try:
        yield
        process.terminate()
        assert process.wait(60) == 0, log.read_text("utf-8")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_everything_starts_with_what_the_compose_file_tells_it(
    own_stack: StackMaker, tmp_path: Path
) -> None:
    stack = own_stack()
    stack.up(servers_only=True)
    started = []
    with ExitStack() as everything:
        for container in in_order():
            told = environment_here(container, stack, tmp_path)
            environment = {"PATH": os.environ["PATH"], **told}
            log = tmp_path / f"{container.name}.log"
            if container.arguments[0] == "provisioning":
                arguments = [sys.executable, "-m", *container.arguments]
                ended = subprocess.run(
                    arguments, env=environment, capture_output=True, text=True, check=False
                )
                assert ended.returncode == 0, ended.stderr
            else:
                everything.enter_context(running(container.arguments, environment, log))
                address = Address.parse(told["HEALTH_ADDRESS"])
                deadline = time.monotonic() + READY_SECONDS_MAX
                while not is_ready(address):
                    assert time.monotonic() < deadline, log.read_text("utf-8")
                    time.sleep(0.1)
                started.append(container.name)
    assert started
