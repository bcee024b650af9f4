"""Names for people: every game, wager and kind of finding has one that is no code."""

from __future__ import annotations

import re

from blackjack.display_names import finding_name, game_name, wager_name
from blackjack.findings import Kind
from blackjack.rulebook.filings import FILINGS

_CODE = re.compile(r"_|\w\.\w")


def test_no_name_looks_like_a_code() -> None:
    wagers = {wager for filing in FILINGS.values() for wager in filing.side_bets}
    names = [
        *map(game_name, FILINGS),
        *map(wager_name, wagers | {"main", "half_back", "insurance"}),
        *map(finding_name, Kind),
    ]
    assert [name for name in names if _CODE.search(name) or not name[0].isupper()] == []


def test_no_two_kinds_of_finding_share_a_name() -> None:
    names = [finding_name(kind) for kind in Kind]
    assert len(set(names)) == len(names)
