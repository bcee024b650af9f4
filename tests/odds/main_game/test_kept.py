"""What is kept as data is what would be reckoned anew."""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from blackjack.filings import Dealing
from blackjack.rule_set import FILED
from odds.main_game import (
    MainRules,
    analyse,
    analyse_or_kept,
    kept,
    kept_tables,
    ranks_of,
)
from odds.main_game.keeping import FOLDER, Tables, file_name, make_tables, written

PAGE = Path(__file__).parents[3] / "docs" / "main-game.md"
BYTES_MAX = 60_000

GAMES = {
    (structs.replace(MainRules.of(filed), dealer_hits_soft_17=hits), filed.spec.decks)
    for filed in FILED
    if filed.filing.dealing is Dealing.STANDARD
    for hits in (False, True)
}


def test_every_filed_game_is_kept_and_nothing_else() -> None:
    names = {file.name for file in FOLDER.iterdir()}
    assert names == {file_name(rules, decks) for rules, decks in GAMES}
    assert len(names) == 28


def test_a_kept_table_says_what_it_was_made_from() -> None:
    for rules, decks in GAMES:
        tables = kept_tables(rules, decks)
        assert tables is not None
        assert tables.analysis.rules == tables.free_ace.rules == rules
        assert tables.analysis.ranks == tables.free_ace.ranks == ranks_of(decks)
        assert FOLDER.joinpath(file_name(rules, decks)).read_bytes() == written(tables)
        assert len(written(tables)) < BYTES_MAX


def test_a_kept_table_made_anew_is_the_same() -> None:
    made = make_tables(MainRules(), 1)
    assert flat(made) == pytest.approx(flat(kept_tables(MainRules(), 1)), rel=1e-9, abs=1e-9)


def flat(value: object) -> list[float]:
    """Every number of a table, in its order."""
    plain = msgspec.to_builtins(value)
    found: list[float] = []
    waiting = [plain]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)
        elif isinstance(each, float):
            found.append(each)
    return found


def test_half_back_is_kept_for_six_and_eight_decks() -> None:
    found = {decks for rules, decks in GAMES if rules.half_back}
    assert found == {6, 8}


def test_a_full_shoe_is_looked_up_and_any_other_is_reckoned() -> None:
    assert analyse_or_kept(MainRules(), ranks_of(6)) is kept(MainRules(), 6)
    assert kept(MainRules(late_surrender=True), 6) is None
    less = (3, *ranks_of(1)[1:])
    rules = MainRules(hands_max=2)
    assert analyse_or_kept(rules, less) == analyse(rules, less)


def test_the_tables_can_be_read_back() -> None:
    tables = kept_tables(MainRules(), 6)
    assert tables is not None
    assert msgspec.json.decode(written(tables), type=Tables) == tables


def test_the_page_prints_what_is_kept() -> None:
    printed = set()
    for line in PAGE.read_text("utf-8").replace("−", "-").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 7 and cells[1].isdigit():
            printed.add(tuple(cells))
    expected = set()
    for rules, decks in GAMES:
        tables = kept_tables(rules, decks)
        assert tables is not None
        game = "Half Back" if rules.half_back else "blackjack"
        expected.add(
            (
                f"{game}, aces split again" if rules.resplit_aces else game,
                str(decks),
                "hit" if rules.dealer_hits_soft_17 else "stood on",
                f"{100 * tables.analysis.edge:.4f}",
                f"{tables.analysis.deviation:.4f}",
                f"{tables.analysis.stake:.4f}",
                f"{-tables.free_ace.edge:.4f}",
            )
        )
    assert printed == expected
