"""What is typed, and what is shown."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.stack import __main__ as command
from deploy.stack import stack as stack_module
from deploy.stack.__main__ import PIPE_CLOSED, main
from deploy.stack.errors import StackBusy
from deploy.stack.stack import Stack
from deploy.stack.state import locked
from tests.stack.plugin import SMALL


@pytest.fixture
def environment(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stack of the run's Kafka and a PostgreSQL of its own; its folder."""
    cache = stack.settings.cache
    for name, value in {
        **SMALL,
        "KAFKA_BOOTSTRAP": stack.kafka_bootstrap,
        "DATABASE_URL": "",
        "STACK_DIR": str(tmp_path / "stack"),
        "STACK_SERVICES": "none",
        "STACK_CACHE_DIR": str(cache),
    }.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "stack"


def test_a_stack_is_started_shown_and_ended_by_words(
    environment: Path, capsys: pytest.CaptureFixture[str], stack: Stack
) -> None:
    assert main(["status"]) == 3
    assert capsys.readouterr().out.splitlines() == [
        f"ok        kafka             {stack.kafka_bootstrap:<22}  given",
        "stopped   postgres",
    ]
    try:
        assert main(["up"]) == 0
        kafka, postgres, topics = capsys.readouterr().out.splitlines()
        assert kafka == f"ok        kafka             {stack.kafka_bootstrap:<22}  given"
        assert re.fullmatch(r"ok        postgres          127\.0\.0\.1:\d+ +\d+\.\d s", postgres)
        assert re.fullmatch(r"ok        topics            .* \d+ created, \d+ exist", topics)

        assert main(["status", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["folder"] == str(environment)
        assert [part["condition"] for part in shown["parts"]] == ["ok", "ok"]
        assert shown["parts"][1]["log"] == str(environment / "log" / "postgres.log")

        assert main(["topics"]) == 0
        assert "found     table-events" in capsys.readouterr().out.splitlines()

        assert main(["env"]) == 0
        words = shlex.split(capsys.readouterr().out)
        assert words[1] == f"KAFKA_BOOTSTRAP={stack.kafka_bootstrap}"
        assert words[3].startswith("DATABASE_URL=postgresql://pitledger:")
    finally:
        assert main(["down"]) == 0
    assert re.match(r"stopped   postgres ", capsys.readouterr().out)
    assert main(["down", "--remove-data"]) == 0
    assert not environment.exists()


def test_a_reader_that_goes_away_ends_neither_up_nor_down(environment: Path) -> None:
    try:
        assert unread("up") == 0
        assert main(["status"]) == 0
        assert unread("status") == PIPE_CLOSED
    finally:
        assert unread("down") == 0
    assert main(["status"]) == 3
    assert main(["down", "--remove-data"]) == 0
    assert not environment.exists()


def unread(word: str) -> int:
    """The command with a pipe for its output that nobody reads; nothing is complained of."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "deploy.stack", word],
            check=False, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=300,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert ended.stderr == ""
    return ended.returncode


def test_a_shell_that_has_its_env_still_has_its_own_stack(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["up"]) == 0
    capsys.readouterr()
    try:
        assert main(["env", "--json"]) == 0
        known = json.loads(capsys.readouterr().out)
        assert known["IDENTITY_FOLDER"] == str(environment / "identity" / "operator" / "local")
        for name, value in known.items():
            monkeypatch.setenv(name, value)
        assert main(["status"]) == 0
        assert re.search(r"postgres +127\.0\.0\.1:\d+ +pid \d+$", capsys.readouterr().out, re.M)
    finally:
        assert main(["down"]) == 0
    assert main(["up"]) == 0, "it is started, and not taken for somebody else's"
    assert main(["down"]) == 0


def test_without_a_stack_there_is_nothing_to_talk_to(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["env"]) == 1
    assert capsys.readouterr().err == (
        f"env: postgres does not run in {environment}: python -m deploy.stack up\n"
    )


def test_to_end_a_stack_that_never_was_is_no_mistake(environment: Path) -> None:
    assert main(["down"]) == 0
    assert not environment.exists()


def test_a_given_server_that_is_silent_is_told(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del environment
    monkeypatch.setenv("KAFKA_BOOTSTRAP", "127.0.0.1:1")
    monkeypatch.setattr(stack_module, "GIVEN_SECONDS_MAX", 0.1)
    assert main(["up"]) == 1
    assert capsys.readouterr().err == (
        "up: kafka at 127.0.0.1:1 does not answer, or not to us: start it, mend KAFKA_BOOTSTRAP, "
        "or unset KAFKA_BOOTSTRAP to have one started\n"
    )


def test_two_at_work_in_one_folder_wait_for_each_other(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(StackBusy), locked(tmp_path, seconds_max=0.2):
        pass
    with locked(tmp_path, seconds_max=0.2):
        pass


def test_a_state_that_cannot_be_read_is_told(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.mkdir()
    (environment / "state.json").write_text("{")
    assert main(["status"]) == 1
    assert "state.json: cannot be read" in capsys.readouterr().err


def test_every_command_is_carried_out_or_told() -> None:
    with pytest.raises(SystemExit):
        main(["dance"])
    assert set(command.COMMANDS) == {"up", "down", "status", "topics", "env", "warm", "jars"}
