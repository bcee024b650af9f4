"""Each run of the demo plays its own floor: streams of tables go on for ever, and a day is over.

The number of a run names its tables, and is the seed of its day. It is kept by the folder that
the run makes in the stack's own, so that it is forgotten with the stack's data.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HOUR_US = 3_600_000_000
HOURS_AGO = 4
"""A day of forty rounds takes some three hours, and should be over by now."""


@dataclass(frozen=True, slots=True)
class Run:
    number: int
    folder: Path

    @property
    def floor_name(self) -> str:
        return f"D{self.number}-"

    @property
    def seed(self) -> int:
        return self.number

    @property
    def journals(self) -> Path:
        return self.folder / "journals"

    @property
    def truth(self) -> Path:
        return self.folder / "truth.jsonl"


def next_run(stack_folder: Path) -> Run:
    """The run after the last one of this stack, with an empty folder."""
    folder = stack_folder / "demo"
    folder.mkdir(0o700, exist_ok=True)
    number = 1 + max(
        (int(each.name) for each in folder.iterdir() if each.name.isdecimal()), default=0
    )
    while True:
        made = folder / str(number)
        try:
            made.mkdir(0o700)
        except FileExistsError:  # another run was a moment faster
            number += 1
            continue
        return Run(number, made)


def start_at(now_us: int) -> int:
    """A full hour, early enough that the day is over by now."""
    return now_us - now_us % HOUR_US - HOURS_AGO * HOUR_US
