"""The simulator as a process: what it does with a plan that cannot be followed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.process import ExitCode


def started(folder: Path, plan: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "TABLE_GATEWAY_ADDRESS": "127.0.0.1:1",
        "CERTIFICATES_FOLDER": str(folder),
        "JOURNAL_FOLDER": str(folder / "journals"),
        "PLAN": str(plan),
    }
    command = [sys.executable, "-m", "table_simulator"]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'every = -1\n[per_day]\n"over paid" = 1\n', ("every is -1", "did you mean 'overpaid'?")),
        (b"every: 1", ("not TOML",)),
        (b"\xff\xfe", ("utf-8",)),
        (None, ("cannot be read: No such file",)),
    ],
    ids=["wrong", "no TOML", "no text", "no file"],
)
def test_a_plan_that_cannot_be_followed_is_a_setting_that_is_wrong(
    tmp_path: Path, text: bytes | None, words: tuple[str, ...]
) -> None:
    plan = tmp_path / "plan.toml"
    if text is not None:
        plan.write_bytes(text)
    ended = started(tmp_path, plan)
    assert ended.returncode == ExitCode.BAD_SETTINGS
    assert "1 setting is missing or wrong" in ended.stderr
    assert all(word in ended.stderr for word in ("PLAN", *words))
    assert "Traceback" not in ended.stderr
