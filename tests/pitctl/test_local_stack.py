"""`pitctl up`, `status`, `down` and `enroll`, as they are typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from pitctl.stack.local_stack import NoLocalStack, environment, has_stack, run
from runtime.identity.authority import open_authority
from runtime.identity.credentials import Credentials, is_due
from runtime.identity.names import Name
from tests.pitctl.command import process


@pytest.fixture
def around(stack: Stack) -> dict[str, str]:
    """A stack of the run's servers, with nothing to start but its topics."""
    return {
        "KAFKA_BOOTSTRAP": stack.kafka_bootstrap,
        "DATABASE_URL": stack.database_url,
        "TOPIC_PREFIX": "typed-",
        "STACK_DIR": "stack",
        "STACK_SERVICES": "none",
    }


def type_in(folder: Path, around: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pitctl", *words],
        cwd=folder,
        env=os.environ | around,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_stack_is_started_shown_and_ended_from_any_folder(
    tmp_path: Path, around: dict[str, str]
) -> None:
    raised = type_in(tmp_path, around, "up")
    assert (raised.returncode, raised.stderr) == (0, "")
    words = [line.split()[:2] for line in raised.stdout.splitlines()]
    assert words == [["ok", "kafka"], ["ok", "postgres"], ["ok", "topics"]]
    assert (tmp_path / "stack").is_dir(), "STACK_DIR is meant from where it was typed"

    shown = type_in(tmp_path, around, "status")
    rows = [line.split()[:2] for line in shown.stdout.splitlines()]
    assert ["kafka", "ok"] in rows, shown.stderr
    assert type_in(tmp_path, around, "down", "--remove-data").returncode == 0
    assert not (tmp_path / "stack").exists()


def test_what_goes_wrong_is_told_and_so_is_the_status(
    tmp_path: Path, around: dict[str, str]
) -> None:
    refused = type_in(tmp_path, around | {"STACK_SERVICES_PORT": "many"}, "up")
    assert refused.returncode == 1
    assert "STACK_SERVICES_PORT=many" in refused.stderr
    shown = type_in(tmp_path, around, "status")
    assert shown.returncode == 2, "the servers it was given run"
    assert "is not up: make up" in shown.stderr, "there is no archive to be asked"
    told = type_in(tmp_path, around, "status", "--json")
    assert told.returncode == 2
    answer = json.loads(told.stdout)
    assert answer["stack"]["parts"]
    assert answer["archive"] is None
    assert "is not up: make up" in answer["error"]


def test_where_there_is_no_clone_it_is_said_what_to_do(tmp_path: Path) -> None:
    assert has_stack()
    with pytest.raises(NoLocalStack, match="belongs to a clone"):
        run("up", clone=tmp_path)


def test_a_command_knows_what_is_set_and_else_what_the_stack_says(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, around: dict[str, str]
) -> None:
    for name, value in (around | {"STACK_DIR": str(tmp_path / "stack")}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AUTHORITY_FOLDER", raising=False)
    authority = str(tmp_path / "stack" / "identity" / "authority")
    assert environment()["AUTHORITY_FOLDER"] == authority
    monkeypatch.setenv("AUTHORITY_FOLDER", "/elsewhere")
    assert environment()["AUTHORITY_FOLDER"] == "/elsewhere"
    assert "IDENTITY_FOLDER" not in environment(clone=tmp_path), "an image has what is set"
    assert environment(clone=tmp_path)["KAFKA_BOOTSTRAP"] == stack.kafka_bootstrap


def test_a_table_is_enrolled_once_and_renewed_on_request(tmp_path: Path) -> None:
    authority = tmp_path / "authority"
    open_authority(authority)
    given = {"AUTHORITY_FOLDER": str(authority)}

    def enroll(*words: str) -> bytes:
        done = process("enroll", "BJ-07", "BJ-08", *words, **given)  # type: ignore[arg-type]
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.startswith(b"BJ-07     valid until 2")
        return Credentials(Name("table", "BJ-07"), tmp_path / "table" / "BJ-07").pair.certificate

    first = enroll()
    assert not is_due(Credentials(Name("table", "BJ-08"), tmp_path / "table" / "BJ-08").pair, now())
    assert enroll() == first, "it is good for long"
    assert enroll("--renew") != first


def now() -> datetime:
    return datetime.now(UTC)


def test_a_folder_can_be_named(tmp_path: Path) -> None:
    authority = tmp_path / "authority"
    open_authority(authority)
    arguments = ("enroll", "BJ-07", "--json", "--folder", tmp_path / "stick")
    done = process(*arguments, AUTHORITY_FOLDER=str(authority))
    assert json.loads(done.stdout)["folder"] == str(tmp_path / "stick" / "BJ-07")
    assert (tmp_path / "stick" / "BJ-07" / "tls.key").stat().st_mode & 0o077 == 0


def test_who_cannot_be_enrolled_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    authority = tmp_path / "authority"
    open_authority(authority)
    for name, folder, word in (
        ("BJ 7", authority, b"Invalid table"),
        ("..", authority, b"Invalid table"),
        ("BJ-07", tmp_path / "nowhere", b"no such folder"),
    ):
        done = process("enroll", "BJ-01", name, AUTHORITY_FOLDER=str(folder))
        assert done.returncode == 2
        assert word in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["authority"]
    elsewhere = {"STACK_DIR": str(tmp_path / "stack"), "AUTHORITY_FOLDER": ""}
    done = process("enroll", "BJ-07", **elsewhere)  # type: ignore[arg-type]
    assert done.returncode == 2
    assert b"pitctl up" in done.stderr
