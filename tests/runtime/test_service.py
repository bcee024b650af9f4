"""The door of a service, as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from runtime.process import ExitCode

SERVICE = '''
import ctypes
import sys
from runtime.process import ServicePart, Stop
from runtime.service import ServiceContext, ServiceSettings, run_service

class Settings(ServiceSettings):
    greeting: str
    """What is said."""
    die: bool = False
    """Whether a part dies."""
    crash: bool = False
    """Whether native code reads where nothing is."""

async def main(settings: Settings, service: ServiceContext) -> None:
    def work(stop: Stop) -> None:
        if settings.crash:
            ctypes.string_at(0)
        if settings.die:
            raise ValueError("the part is broken")
        print(settings.greeting, flush=True)
        while not stop.sleep(1):
            pass
    await service.run([ServicePart("work", work)])

run_service("example", Settings, main)
'''
PORTS = {"METRICS_ADDRESS": "127.0.0.1:0", "HEALTH_ADDRESS": "127.0.0.1:0"}


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    path = tmp_path / "example.py"
    path.write_text(SERVICE, "utf-8")
    return [sys.executable, str(path)]


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], **PORTS, **more}


def events(stderr: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stderr.splitlines()]


def test_a_service_starts_runs_and_stops_on_sigterm(program: list[str]) -> None:
    with subprocess.Popen(
        program,
        env=environment(GREETING="hello"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "hello\n"
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == ExitCode.STOPPED
    said = [event["event"] for event in events(stderr)]
    assert said[0] == "starting"
    assert said[-1] == "stopped"
    assert {event["service"] for event in events(stderr)} == {"example"}


def test_a_part_that_dies_ends_the_service_loudly(program: list[str]) -> None:
    ended = subprocess.run(
        program,
        env=environment(GREETING="hello", DIE="true"),
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert ended.returncode == ExitCode.FAILED
    (death,) = [event for event in events(ended.stderr) if event["event"] == "part died"]
    assert death["part"] == "work"
    assert "the part is broken" in death["exception"]


def test_a_crash_in_native_code_leaves_in_the_log_where_it_was(program: list[str]) -> None:
    ended = subprocess.run(
        program,
        env=environment(GREETING="hello", CRASH="true"),
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert ended.returncode == -signal.SIGSEGV
    assert "Fatal Python error: Segmentation fault" in ended.stderr
    assert f'File "{program[-1]}", line' in ended.stderr
    assert "in work" in ended.stderr


def test_bad_settings_are_said_before_anything_starts(program: list[str]) -> None:
    ended = subprocess.run(
        program,
        env=environment(DIE="perhaps"),
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert ended.returncode == ExitCode.BAD_SETTINGS
    assert ended.stderr.startswith("example: 2 settings are missing or wrong:")
    assert "Traceback" not in ended.stderr


def test_a_service_lists_its_settings(program: list[str]) -> None:
    listed = subprocess.run(
        [*program, "--settings"],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert "GREETING  text, required" in listed.stdout
    assert "HEALTH_ADDRESS  address, default 127.0.0.1:9465" in listed.stdout
