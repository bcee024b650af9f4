"""The worked example of docs/accounting.md is what the ledger really posts."""

from __future__ import annotations

import re
from pathlib import Path

from accounting.domain.rounds import RoundVersion, SettledWager, transfers

PAGE = Path(__file__).parents[2] / "docs" / "accounting.md"


def test_the_overpaid_wager_of_the_page_is_posted_as_it_says() -> None:
    wager = SettledWager(
        1, 1, "main", False, "", "won", "wrong", stake=50_00, placed=50_00, owed=50_00, least=50_00,
        most=50_00, taken=0, paid=75_00, collected=0, difference=25_00,
    )  # fmt: skip
    played = RoundVersion("BJ-07", "R-1", 1, 1, "settled", "skweezit", "", "", "", 1, (wager,))
    posted = [
        (transfer.debit.code, transfer.credit.code, transfer.cents)
        for transfer in transfers(played)
    ]
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [(debit, credit, int(cents)) for debit, credit, cents in rows] == posted
