"""What the tests of the plumbing share: real servers, and a small gRPC service."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.stack.stack import Stack
from runtime import tracing
from tests.runtime import database, kafka

tracing.configure("tests")  # as every service does, once in a process
ROOT = Path(__file__).resolve().parent.parent.parent


def compile_as_the_makefile_does(folder: Path) -> Path:
    """Runs `make proto` in a small tree of its own; gives where the modules are."""
    (folder / "proto/greeting/v1").mkdir(parents=True)
    shutil.copy(ROOT / "tests/runtime/greeting.proto", folder / "proto/greeting/v1")
    plain = 'syntax = "proto3";\npackage greeting.v1;\nmessage Plain {}\n'
    (folder / "proto/greeting/v1/plain.proto").write_text(plain, "utf-8")
    shutil.copy(ROOT / "Makefile", folder)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    # -o: the environment is there already, and nothing is to be installed.
    subprocess.run(
        ["make", "-o", ".venv/.synced", "proto"], cwd=folder, check=True, capture_output=True
    )
    return folder / "build/proto"


@pytest.fixture(scope="session")
def real_kafka(stack: Stack) -> None:
    """The run's broker, for tests that say `needs_kafka`."""
    kafka.real(stack.kafka_bootstrap)


@pytest.fixture(scope="session")
def real_database(stack: Stack) -> None:
    """The run's PostgreSQL, for tests that say `needs_database`."""
    database.server(stack.database_url)


@pytest.fixture(scope="session")
def greeting(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The generated modules: `.messages` and `.service`."""
    generated = compile_as_the_makefile_does(tmp_path_factory.mktemp("greeting"))
    sys.path.insert(0, str(generated))
    try:
        return SimpleNamespace(
            folder=generated,
            messages=importlib.import_module("greeting.v1.greeting_pb2"),
            service=importlib.import_module("greeting.v1.greeting_pb2_grpc"),
        )
    finally:
        sys.path.remove(str(generated))
