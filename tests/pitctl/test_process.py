"""The command as a process: its bytes, its pipes, its signals and its help."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from pitctl.__main__ import main
from table_simulator.days.randomness import play_day
from tests.pitctl import hands
from tests.pitctl.command import as_lines, pitctl, process, written


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    path = written(tmp_path, hands.ALL_GAMES + hands.CORRECTED)
    for arguments in (("--json",), ()):
        outputs = {
            process("settle", *arguments, path, PYTHONHASHSEED=seed).stdout for seed in "123"
        }
        assert len(outputs) == 1
        assert outputs != {b""}


def test_records_are_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    path = written(tmp_path, hands.SKWEEZIT.replace("R-17", '"Äß♠"'))
    ascii_only = process("settle", "--json", path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert "Äß♠" in ascii_only.stdout.decode()
    printed = process("settle", path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert printed.returncode == 0
    assert b"dealer  KD up  7C hole" in printed.stdout


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    lines = as_lines(tuple(play_day(seed=5, tables=3, rounds=20)))
    path = written(tmp_path, "\n".join(lines), "day.jsonl")
    for arguments in (("settle", str(path)), ("settle", "--json", str(path))):
        command = subprocess.Popen(
            [sys.executable, "-m", "pitctl", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert command.stdout is not None
        assert command.stderr is not None
        with command.stdout as output, command.stderr as errors:
            output.read(10)
            output.close()
            assert errors.read() == b""
        assert command.wait(timeout=120) == 141


def settling_live() -> subprocess.Popen[bytes]:
    """A command that has settled a round and waits for more."""
    lines = as_lines(tuple(play_day(seed=5, tables=1, rounds=2)))
    closed = next(at for at, line in enumerate(lines) if "roundClosed" in line)
    command = subprocess.Popen(
        [sys.executable, "-m", "pitctl", "settle", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Who starts the tests in the background may have it ignored, which is inherited.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert command.stdin is not None
    assert command.stdout is not None
    command.stdin.write("\n".join([*lines[: closed + 1], ""]).encode())
    command.stdin.flush()
    assert command.stdout.readline().startswith(b'{"round":')
    return command


def test_rounds_come_out_as_they_settle_not_at_the_end() -> None:
    command = settling_live()
    assert command.poll() is None
    command.communicate(timeout=120)
    assert command.returncode == 0


def test_ctrl_c_ends_it_quietly() -> None:
    command = settling_live()
    command.send_signal(signal.SIGINT)
    output, errors = command.communicate(timeout=120)
    assert (command.returncode, output, errors) == (130, b"", b"")


def test_ctrl_c_while_it_starts_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pitctl.cli.app", interrupted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_help_is_complete_and_has_examples() -> None:
    for arguments in ((), ("settle",), ("games",)):
        result = pitctl(*arguments, "--help")
        assert result.exit_code == 0
        assert "Examples:" in result.stdout
    settle = pitctl("settle", "--help").stdout
    for word in ("FILE", "--json", "--format", "--findings-only", "--chained", "Exit status:"):
        assert word in settle


def test_the_history_of_the_help_settles_without_a_finding() -> None:
    text = pitctl("settle", "--help").stdout.split("to try it with:\n")[1].split("\n\n")[0]
    result = pitctl("settle", "-", typed="\n".join(line.strip() for line in text.splitlines()))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "belly skweezer, 20 to 1 on $5.00 = $100.00" in result.stdout
    assert "1 round, 2 wagers" in result.stdout


def test_the_version_is_said() -> None:
    assert pitctl("--version").stdout.startswith("pitctl 0.")


def test_help_needs_neither_the_engine_nor_rich() -> None:
    """What makes the start slow is imported by the command that needs it."""
    code = (
        "import sys; from pitctl.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print({'rich', 'google.protobuf', 'blackjack.play.table'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert said.stdout.splitlines()[-1] == "set()"
