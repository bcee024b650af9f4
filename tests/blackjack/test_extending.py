"""The worked example of docs/extending.md, run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from blackjack.rulebook.filings import BUILT_IN, CITED_IN_ANY_GAME, FILINGS, BadFiling, load

PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


def blocks(language: str) -> list[str]:
    text = PAGE.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_a_side_bet_is_one_data_file_and_one_evaluator(tmp_path: Path) -> None:
    evaluator, use = blocks("python")
    (tmp_path / "lucky_pair.toml").write_text(blocks("toml")[1], "utf-8")
    names: dict[str, Any] = {"folder": tmp_path}
    exec(evaluator, names)
    exec(use, names)
    assert set(names["filings"]) == {*FILINGS, "lucky_pair"}


def test_without_its_evaluator_the_data_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "lucky_pair.toml").write_text(blocks("toml")[1], "utf-8")
    with pytest.raises(BadFiling, match=r"side_bets.lucky_pair.evaluator: unknown evaluator"):
        load(BUILT_IN, tmp_path)


def test_a_paytable_is_a_block_of_data(tmp_path: Path) -> None:
    text = (BUILT_IN / "half_back.toml").read_text("utf-8")
    (tmp_path / "half_back.toml").write_text(text + "\n" + blocks("toml")[0], "utf-8")
    added = load(tmp_path)["half_back"].paytable("upcard_bonus", 8, 7)
    assert added is not None
    assert str(added.top) == "30 to 1"


def test_every_clause_that_is_cited_in_any_game_has_a_text_in_each() -> None:
    for filing in FILINGS.values():
        assert all(filing.clause(key) for key in CITED_IN_ANY_GAME)
