"""The kept data equals a new computation."""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from odds.main_game import (
    MainRules,
    Move,
    StrategyTables,
    analyse,
    analyse_or_kept,
    kept,
    kept_tables,
    ranks_of,
    value_with_free_ace,
)
from odds.main_game.analysis_files import differences, error_bound_of, games, rounded, written
from odds.main_game.kept_analyses import FOLDER, file_name
from tests.odds.main_game.analysed import analysed

PAGE = Path(__file__).parents[3] / "docs" / "main-game.md"
BYTES_MAX = 60_000


def tables_of(rules: MainRules, decks: int) -> StrategyTables:
    tables = kept_tables(rules, decks)
    assert tables is not None
    return tables


def test_every_filed_game_is_kept_and_nothing_else() -> None:
    names = {file.name for file in FOLDER.iterdir()}
    assert names == {file_name(rules, decks) for rules, decks in games().values()}
    assert len(names) == 28


def test_a_kept_table_states_its_inputs() -> None:
    for rules, decks in games().values():
        tables = tables_of(rules, decks)
        assert tables.analysis.rules == tables.free_ace.rules == rules
        assert tables.analysis.ranks == tables.free_ace.ranks == ranks_of(decks)
        assert FOLDER.joinpath(file_name(rules, decks)).read_bytes() == written(tables)
        assert len(written(tables)) < BYTES_MAX


def test_a_kept_table_made_again_is_the_same() -> None:
    """One deck, and one effect of removal: `make main-game CHECK=1` looks at all."""
    tables = tables_of(MainRules(), 1)
    full = analysed(MainRules(), 1)
    assert differences(full, tables.analysis) == []
    assert differences(value_with_free_ace(MainRules(), ranks_of(1)), tables.free_ace) == []
    fewer_fives = analyse(MainRules(), (*full.ranks[:4], 3, *full.ranks[5:]))
    assert fewer_fives.edge - full.edge == pytest.approx(tables.removal[4], abs=1e-12)


def test_a_kept_edge_is_within_its_error_bound() -> None:
    """Its bound was once 1e-12, regardless of the rounding to ten digits."""
    tables = tables_of(MainRules(), 1)
    made = value_with_free_ace(MainRules(), ranks_of(1))
    assert abs(made.edge - tables.free_ace.edge) <= tables.free_ace.error_bound
    assert abs(analysed(MainRules(), 1).edge - tables.analysis.edge) <= tables.analysis.error_bound


@pytest.mark.parametrize(
    ("edge", "bound"),
    [(0.00402864, 1.5e-12), (-0.0263, 6e-12), (-0.4748, 5.1e-11), (0.0, 5.01e-10)],
)
def test_an_error_bound_is_half_a_unit_of_the_tenth_digit_more(edge: float, bound: float) -> None:
    assert error_bound_of(edge) == pytest.approx(bound, rel=1e-9)


def test_a_kept_table_is_rounded_already_and_its_bounds_include_that() -> None:
    for rules, decks in games().values():
        assert rounded(tables_of(rules, decks)) == tables_of(rules, decks)


def test_a_move_worth_nothing_is_written_and_one_not_allowed_is_not() -> None:
    """A surrender for exactly zero was once left off, and so read as not allowed."""
    tables = tables_of(MainRules(), 6)
    first, *others = tables.analysis.starts
    assert first.surrender is None
    even = structs.replace(first, surrender=0.0)
    changed = structs.replace(tables.analysis, starts=(even, *others))
    read = msgspec.json.decode(
        written(structs.replace(tables, analysis=changed)), type=StrategyTables
    )
    assert read.analysis.starts == (even, *others)


def test_differences_see_a_move_a_gap_and_a_missing_row() -> None:
    analysis = tables_of(MainRules(), 6).analysis
    first, *others = analysis.starts
    for changed in (
        (structs.replace(first, best=Move.SURRENDER), *others),
        (structs.replace(first, double=None), *others),
        (structs.replace(first, stand=first.stand + 1e-8), *others),
        tuple(others),
    ):
        assert differences(structs.replace(analysis, starts=changed), analysis)


def test_half_back_is_kept_for_six_and_eight_decks() -> None:
    found = {decks for rules, decks in games().values() if rules.half_back}
    assert found == {6, 8}


def test_a_full_shoe_is_looked_up_and_any_other_is_reckoned() -> None:
    assert analyse_or_kept(MainRules(), ranks_of(6)) is kept(MainRules(), 6)
    assert kept(MainRules(late_surrender=True), 6) is None
    less = (3, *ranks_of(1)[1:])
    rules = MainRules(hands_max=2)
    assert analyse_or_kept(rules, less) == analyse(rules, less)


def test_the_tables_can_be_read_back() -> None:
    tables = tables_of(MainRules(), 6)
    assert msgspec.json.decode(written(tables), type=StrategyTables) == tables


def test_the_page_prints_the_kept_tables() -> None:
    printed = set()
    for line in PAGE.read_text("utf-8").replace("−", "-").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 7 and cells[1].isdigit():
            printed.add(tuple(cells))
    expected = set()
    for rules, decks in games().values():
        tables = tables_of(rules, decks)
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
