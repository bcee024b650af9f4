"""The local stack of the clone that `pitctl` was installed from.

`deploy.stack` runs servers and services on a developer's machine and is in no image; so it is
run as a command of its own, and an error names the alternative where there is no clone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from pitctl.errors import CommandError

CLONE: Final = Path(__file__).resolve().parents[3]


class NoLocalStack(CommandError):
    """There is no clone here, and so no stack to start."""

    def __str__(self) -> str:
        return (
            "no local stack: it belongs to a clone of the repository (make env, then pitctl up); "
            "the services of an image are started by its container runtime"
        )


def run(command: str, *options: str, clone: Path = CLONE) -> int:
    """Run `python -m deploy.stack COMMAND`, which prints by itself; return its exit status."""
    if not has_stack(clone):
        raise NoLocalStack
    return subprocess.run(_words(command, *options), **_around(clone), check=False).returncode


def read(command: str, *options: str, folder: str = "") -> subprocess.CompletedProcess[str]:
    """The same with captured output; for the stack in `folder`, if one is named."""
    around = _around(CLONE)
    if folder:
        around["env"]["STACK_DIR"] = str(Path(folder).absolute())
    return subprocess.run(
        _words(command, *options), **around, check=False, capture_output=True, text=True
    )


def default_folder() -> Path:
    """The folder of the stack, unless STACK_DIR names another."""
    return (CLONE if has_stack() else Path()) / "build" / "stack"


def environment(clone: Path = CLONE) -> dict[str, str]:
    """Addresses and folders: the environment, and the settings of a stack that is up.

    So a command works in a clone with an empty environment, and in an image.
    """
    known: dict[str, str] = {}
    if has_stack(clone):
        done = subprocess.run(
            _words("env", "--json"), **_around(clone), check=False, capture_output=True
        )
        known = json.loads(done.stdout) if done.returncode == 0 else {}
    return {**known, **{name: value for name, value in os.environ.items() if value}}


def has_stack(clone: Path = CLONE) -> bool:
    return (clone / "deploy" / "stack" / "__main__.py").is_file()


def _words(command: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "deploy.stack", command, *options]


def _around(clone: Path) -> dict[str, Any]:
    """Run in the clone's folder, so that the command finds its stack from anywhere."""
    around = dict(os.environ)
    if around.get("STACK_DIR"):
        around["STACK_DIR"] = str(Path(around["STACK_DIR"]).expanduser().absolute())
    return {"cwd": clone, "env": around}
