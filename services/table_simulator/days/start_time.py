"""The start of a day that is sent: the same moment again after an interruption."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from table_simulator.domain.table_day import START_AT
from table_simulator.grpc.floor_sender import REAL_TIME

LEAD_SECONDS: Final = 10
"""Time to simulate a day before its first event is due."""


def start_at(folder: Path, floor: str, speed: float) -> int:
    """In real time that is now, and is kept in the folder for the next start."""
    if speed != REAL_TIME:
        return START_AT
    kept = folder / f"{floor}.start"
    if not kept.exists():
        folder.mkdir(0o700, parents=True, exist_ok=True)
        now = int(time.time()) + LEAD_SECONDS
        kept.write_text(f"{now * 1_000_000}\n", "utf-8")
    return int(kept.read_text("utf-8"))
