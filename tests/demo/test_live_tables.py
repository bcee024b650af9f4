"""The tables that play on after the demonstration."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.demo.live_tables import day_from, first_at, floor_name
from deploy.demo.runs import Run

AT = 1_800_000_000_000_000


@pytest.mark.parametrize("number", [1, 2, 3, 17])
def test_the_first_of_them_opens_at_once(number: int, tmp_path: Path) -> None:
    run = Run(number, tmp_path)
    scripts = day_from(AT, run, rounds=3).scripts()
    assert min(map(first_at, scripts)) == AT
    assert all(script.stream.startswith(floor_name(run)) for script in scripts)
