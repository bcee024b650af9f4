"""Runs of the demonstration: each plays a floor of its own.

Streams of tables never end, but a day does. The number of a run names its tables and is the seed
of its day. Its folder, in the stack's folder, keeps the number as long as the stack's data.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table_simulator.days.fault_plan import Plan

TABLES, ROUNDS = 12, 40
DISPUTED: Final = {"took winner": 2, "unpaid": 2}
"""Hands to choose the disputed one from."""
BOOK_PATTERNS: Final = dict.fromkeys(
    (
        "drop short", "slip gap", "signer missing", "coupon used twice", "coupon unknown",
        "coupon void", "other patron's coupon", "cash over the line",
        "anonymous cash over the line",
    ),
    1,
)  # fmt: skip
"""Patterns that only the books can decide."""
PEOPLE_PATTERNS: Final = dict.fromkeys(
    ("excluded patron", "patron in two places", "coupon washing", "errs at several tables"), 1
)
"""Patterns of people at several tables or on several visits."""
FLOAT_PATTERNS: Final = {"pattern of shortages": 1}
PLAN: Final = Plan(every=1, per_day=DISPUTED | BOOK_PATTERNS | PEOPLE_PATTERNS | FLOAT_PATTERNS)

HOUR_US = 3_600_000_000
HOURS_BEFORE = 8
"""A day of forty rounds takes about three hours with its count, and an hour before for the
promotions desk, so all of it is in the last completed gaming day."""


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
        (int(path.name) for path in folder.iterdir() if path.name.isdecimal()), default=0
    )
    while True:
        made = folder / str(number)
        try:
            made.mkdir(0o700)
        except FileExistsError:  # another run took the number
            number += 1
            continue
        return Run(number, made)


def start_at(today_begins_at: int) -> int:
    """A full hour of the previous evening; `today_begins_at` is the latest roll-over."""
    return today_begins_at - today_begins_at % HOUR_US - HOURS_BEFORE * HOUR_US
