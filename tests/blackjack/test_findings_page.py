"""`docs/findings.md` lists every kind of finding with its level, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from blackjack.findings import Kind, Level

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"
ROW = re.compile(r"^\| `(?P<kind>[a-z_.0-9]+)` \| (?P<levels>[P\d/]+) \|", re.MULTILINE)
BY_AMOUNT = ("payout.", "tray.variance")


def test_every_kind_has_one_row_and_every_row_a_kind() -> None:
    listed = [row["kind"] for row in ROW.finditer(PAGE.read_text())]
    assert sorted(listed) == sorted(kind.value for kind in Kind)


def test_the_levels_listed_are_the_levels_given() -> None:
    for row in ROW.finditer(PAGE.read_text()):
        if not row["kind"].startswith(BY_AMOUNT):
            assert Level[row["levels"]] is Kind(row["kind"]).level
