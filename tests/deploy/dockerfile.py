"""What a Dockerfile says, instruction by instruction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.places import ROOT

PATH = ROOT / "deploy/Dockerfile"


@dataclass(frozen=True, slots=True)
class Instruction:
    """`stage` counts from 0, at each FROM."""

    stage: int
    word: str
    text: str


def read(path: Path = PATH) -> list[Instruction]:
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    instructions: list[Instruction] = []
    stage = -1
    for line in filter(None, joined.splitlines()):
        word, _, text = line.partition(" ")
        stage += word == "FROM"
        instructions.append(Instruction(stage, word, text.strip()))
    return instructions


def copied_from_the_clone() -> list[str]:
    """The files and folders that COPY takes from what is sent to the engine."""
    return [
        source
        for instruction in read()
        if instruction.word == "COPY" and not instruction.text.startswith("--from=")
        for source in instruction.text.split()[:-1]
    ]
