"""A process that is no service belongs to its stack all the same, and ends with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from deploy.stack.process import is_alive
from deploy.stack.stack import Stack
from deploy.stack.state import make_folder
from tests.stack.plugin import settings_in

SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_what_is_started_beside_the_stack_is_ended_by_name_or_with_it(tmp_path: Path) -> None:
    stack = Stack(settings_in(tmp_path / "stack"), services=())
    make_folder(stack.settings.folder)
    (stack.settings.folder / "log").mkdir()
    stack.end_beside("other")  # nothing of that name
    for name in ("one", "other"):
        stack.start_beside(name, SLEEPS, directory=tmp_path, environment=os.environ)
    one, other = (stack.state.processes[name] for name in ("one", "other"))
    stack.end_beside("other")
    assert (is_alive(one), is_alive(other)) == (True, False)
    stack.down(remove_data=True)
    assert not is_alive(one)
