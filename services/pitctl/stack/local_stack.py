"""The local stack of the clone that `pitctl` was installed from.

`deploy.stack` runs servers and services on a developer's machine and is in no image; so it is
run as a command of its own, and where there is no clone that is said, with what to do instead.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

CLONE: Final = Path(__file__).resolve().parents[3]


class NoLocalStack(Exception):
    """There is no clone here, and so nothing that could be started."""

    def __str__(self) -> str:
        return (
            "there is no local stack here: it belongs to a clone of the repository (make env, "
            "then pitctl up); an image's services are started by whatever runs the image"
        )


def run(command: str, *options: str, clone: Path = CLONE) -> int:
    """`python -m deploy.stack COMMAND`, which speaks for itself; its exit status."""
    if not has_stack(clone):
        raise NoLocalStack
    return subprocess.run(_words(command, *options), **_around(clone), check=False).returncode


def read(command: str, *options: str, folder: str = "") -> subprocess.CompletedProcess[str]:
    """The same, with what it says as text; of the stack in `folder`, where one is named."""
    around = _around(CLONE)
    if folder:
        around["env"]["STACK_DIR"] = str(Path(folder).absolute())
    return subprocess.run(
        _words(command, *options), **around, check=False, capture_output=True, text=True
    )


def default_folder() -> Path:
    """Where the stack lies unless STACK_DIR says otherwise."""
    return (CLONE if has_stack() else Path()) / "build" / "stack"


def environment(clone: Path = CLONE) -> dict[str, str]:
    """Addresses and folders: what is set, and beside a stack that is up what it says of itself.

    So a command works in a clone with nothing set, and in an image with all of it set.
    """
    known: dict[str, str] = {}
    if has_stack(clone):
        asked = subprocess.run(
            _words("env", "--json"), **_around(clone), check=False, capture_output=True
        )
        known = json.loads(asked.stdout) if asked.returncode == 0 else {}
    return {**known, **{name: value for name, value in os.environ.items() if value}}


def has_stack(clone: Path = CLONE) -> bool:
    return (clone / "deploy" / "stack" / "__main__.py").is_file()


def _words(command: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "deploy.stack", command, *options]


def _around(clone: Path) -> dict[str, Any]:
    """The clone's own folder, so that its stack is meant wherever the command is typed."""
    around = dict(os.environ)
    if around.get("STACK_DIR"):
        around["STACK_DIR"] = str(Path(around["STACK_DIR"]).expanduser().absolute())
    return {"cwd": clone, "env": around}
