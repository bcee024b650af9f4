"""What README and docs/odds.md show is what the commands print, and the example runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
ODDS = (ROOT / "docs" / "odds.md").read_text()
PAGE = (ROOT / "docs" / "hand-history.md").read_text()
HANDS = sorted((ROOT / "docs" / "hands").glob("*.bj"))


def pitctl(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "pitctl", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


SHOWN = re.findall(r"((?:<!-- pitctl [^\n]+ -->\n)+)```text\n(.*?)```", README + ODDS, re.DOTALL)
COMMANDS = [re.findall(r"<!-- pitctl (.+) -->", command) for command, _ in SHOWN]


def test_a_disputed_hand_and_a_certificate_are_shown() -> None:
    assert [commands[-1].split()[0] for commands in COMMANDS] == ["settle", "certify"]


@pytest.mark.parametrize(
    ("commands", "text"),
    list(zip(COMMANDS, [text for _, text in SHOWN], strict=True)),
    ids=[commands[-1] for commands in COMMANDS],
)
def test_what_is_shown_is_what_is_printed(commands: list[str], text: str) -> None:
    printed = [pitctl(*shlex.split(command)).stdout for command in commands]
    assert printed[-1].rstrip() == text.rstrip()


def test_the_example_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert example is not None
    exec(example[1], {})
    expected = re.search(r"# (\[.*\])", example[1])
    assert expected is not None
    assert capsys.readouterr().out.strip() == expected[1]


@pytest.mark.parametrize("hand", HANDS, ids=lambda path: path.stem)
def test_every_hand_of_the_demo_settles_as_it_expects(hand: Path) -> None:
    done = pitctl("settle", str(hand))
    assert done.returncode == (1 if hand.stem == "dispute" else 0)
    assert ", 0 not met" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("hand", HANDS, ids=lambda path: path.stem)
def test_the_hands_of_the_five_games_are_those_of_the_specification(hand: Path) -> None:
    if hand.stem != "dispute":
        assert hand.read_text() in PAGE
