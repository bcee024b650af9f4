"""The printed figures against the filings: each typed once more, and every rejection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from blackjack.rulebook.filings import FILINGS
from odds import printed
from odds.printed import (
    BUILT_IN,
    PRINTED,
    BadPrinted,
    FigureKind,
    PrintedFigure,
    Unit,
    load,
    parse_figure,
    printed_figures_for,
)

# Every option repeats the rates of its deck count in print, and any of them may be wrong on its
# own: so they are typed once for every option. A column that is no kind of figure is an outcome,
# and `all` is a figure printed for all options.

DOUBLE_ACTION_RATES = """
decks option | match flush straight three_of_a_kind straight_flush suited_three_of_a_kind
4     1      | 7.8   17.4  32.1     209.0           481.2          7107.0
4     2      | 7.8   17.4  32.1     209.0           481.2          7107.0
4     3      | 7.8   17.4  32.1     209.0           481.2          7107.0
4     4      | 7.8   17.4  32.1     209.0           481.2          7107.0
4     5      | 7.8   17.4  32.1     209.0           481.2          7107.0
4     6      | 7.8   17.4  32.1     209.0           481.2          7107.0
5     1      | 7.73  17.22 32.17    202.49          482.60         5568.50
5     2      | 7.73  17.22 32.17    202.49          482.60         5568.50
5     3      | 7.73  17.22 32.17    202.49          482.60         5568.50
5     4      | 7.73  17.22 32.17    202.49          482.60         5568.50
5     5      | 7.73  17.22 32.17    202.49          482.60         5568.50
5     6      | 7.73  17.22 32.17    202.49          482.60         5568.50
6     1      | 7.7   17.1  32.2     198.4           483.5          4820.5
6     2      | 7.7   17.1  32.2     198.4           483.5          4820.5
6     3      | 7.7   17.1  32.2     198.4           483.5          4820.5
6     4      | 7.7   17.1  32.2     198.4           483.5          4820.5
6     5      | 7.7   17.1  32.2     198.4           483.5          4820.5
8     1      | 7.65  16.99 32.31    193.48          484.71         4090.71
8     2      | 7.65  16.99 32.31    193.48          484.71         4090.71
8     3      | 7.65  16.99 32.31    193.48          484.71         4090.71
8     4      | 7.65  16.99 32.31    193.48          484.71         4090.71
8     5      | 7.65  16.99 32.31    193.48          484.71         4090.71
"""

DOUBLE_ACTION_TOTALS = """
decks option | total_hit_rate total_hit_percentage house_edge
4     1      | 4.46           22.4%                5.53%
4     2      | 4.46           22.4%                6.71%
4     3      | 4.46           22.4%                7.42%
4     4      | 4.46           22.4%                8.46%
4     5      | 4.46           22.4%                7.05%
4     6      | 4.46           22.4%                8.09%
5     1      | 4.39           22.8%                4.11%
5     2      | 4.39           22.8%                5.50%
5     3      | 4.39           22.8%                6.40%
5     4      | 4.39           22.8%                7.43%
5     5      | 4.39           22.8%                12.20%
5     6      | 4.39           22.8%                11.33%
6     1      | 4.42           22.6%                3.12%
6     2      | 4.42           22.6%                4.66%
6     3      | 4.42           22.6%                5.70%
6     4      | 4.42           22.6%                6.73%
6     5      | 4.42           22.6%                11.54%
8     1      | 4.39           22.8%                3.07%
8     2      | 4.39           22.8%                3.58%
8     3      | 4.39           22.8%                4.81%
8     4      | 4.39           22.8%                5.84%
8     5      | 4.39           22.8%                10.69%
"""

MATCH_MADNESS_BESIDE_BLACKJACK_RATES = """
decks option | unsuited_match suited_match double_match triple_match triple_suited
4     1      | 6.6            26.5         72.3         3,209        1,456,935
4     2      | 6.6            26.5         72.3         3,209        1,456,935
5     1      | 6.6            24.9         69.7         2,966        715,552
5     2      | 6.6            24.9         69.7         2,966        715,552
6     1      | 6.7            24.0         68.1         2,819.5      496,511.5
6     2      | 6.7            24.0         68.1         2,819.5      496,511.5
8     1      | 6.6            24.9         69.7         2,966        715,552
8     2      | 6.6            24.9         69.7         2,966        715,552
"""

MATCH_MADNESS_BESIDE_BLACKJACK_TOTALS = """
decks option | total_hit_rate total_hit_percentage house_edge
4     1      | 4.9            20.29%               11.1%
4     2      | 4.9            20.29%               7.67%
5     1      | 4.9            20.50%               8.2%
5     2      | 4.9            20.50%               5.34%
6     1      | 4.9            20.29%               10.5%
6     2      | 4.9            20.29%               7.95%
8     1      | 4.9            20.50%               8.2%
8     2      | 4.9            20.50%               6.2%
"""

MATCH_MADNESS_ONE_DECK_RATES = """
decks option | uncolored_match colored_match double_match triple_match
1     1      | 1/9.2           1/18.5        1/145        1/20,825
"""

MATCH_MADNESS_SEVERAL_DECKS_RATES = """
decks option | unsuited_match suited_match double_match triple_match triple_suited
4     1      | 1/6.6          1/26.5       1/72.3       1/3,209.1    1/1,456,935
6     1      | 1/6.7          1/24.0       1/68.1       1/2819.5     1/496,512
6     2      | 1/6.7          1/24.0       1/68.1       1/2819.5     1/496,512
7     1      | 1/6.7          1/23.4       1/67.0       1/2,721.6    1/395,313
7     2      | 1/6.7          1/23.4       1/67.0       1/2,721.6    1/395,313
8     1      | 1/6.7          1/23.0       1/66.2       1/2651.6     1/337,893
8     2      | 1/6.7          1/23.0       1/66.2       1/2651.6     1/337,893
"""

MATCH_MADNESS_TOTALS = """
decks option | total_hit_rate total_hit_percentage house_edge
1     1      | 1/5.9          16.95%               10.18%
4     1      | 1/4.9          20.29%               11.092%
6     1      | 1/4.8          20.65%               9.235%
6     2      | 1/4.8          20.65%               10.462%
7     1      | 1/4.82         20.75%               10.883%
7     2      | 1/4.82         20.75%               9.187%
8     1      | 1/4.8          20.82%               9.912%
8     2      | 1/4.8          20.82%               8.225%
"""

SKWEEZIT = """
decks option | house_edge total_hit_percentage
2     1      | 4.64%      26.80%
4     1      | 6.02%      26.42%
5     1      | 6.30%      26.34%
6     1      | 6.48%      26.29%
7     1      | 6.61%      26.25%
8     1      | 6.70%      26.22%
"""

DEAD_MANS_HAND_BY_PAYTABLE = """
decks option | house_edge payout_percentage
1     1      | 8.57%      91.43%
2     1      | 8.10%      91.90%
5     1      | 7.81%      92.19%
6     1      | 7.77%      92.23%
8     1      | 7.73%      92.27%
1     2      | 8.08%      91.92%
2     2      | 7.71%      92.29%
5     2      | 7.48%      92.52%
6     2      | 7.45%      92.55%
8     2      | 7.42%      92.58%
1     3      | 7.96%      92.04%
2     3      | 7.56%      92.44%
5     3      | 7.30%      92.70%
6     3      | 7.27%      92.73%
8     3      | 7.23%      92.77%
1     4      | 9.52%      90.48%
2     4      | 9.36%      90.64%
5     4      | 9.25%      90.75%
6     4      | 9.24%      90.76%
8     4      | 9.22%      90.78%
1     5      | 6.60%      93.40%
2     5      | 6.17%      93.83%
5     5      | 5.89%      94.11%
6     5      | 5.86%      94.14%
8     5      | 5.82%      94.18%
"""

DEAD_MANS_HAND_FOR_ALL = """
decks option | total_hit_percentage
1     all    | 28.66%
2     all    | 28.53%
5     all    | 28.45%
6     all    | 28.44%
8     all    | 28.43%
"""

Texts = dict[tuple[int, int | None, FigureKind, str | None], str]


def typed(*tables: str) -> Texts:
    """The contents of each text table, by decks, option, kind and outcome."""
    texts: Texts = {}
    for table in tables:
        head, *lines = table.strip().splitlines()
        columns = head.partition("|")[2].split()
        for line in lines:
            choice, _, row_texts = line.partition("|")
            decks, option = choice.split()
            for column, figure in zip(columns, row_texts.split(), strict=True):
                is_outcome = column not in set(FigureKind)
                key = (
                    int(decks),
                    None if option == "all" else int(option),
                    FigureKind.HIT_RATE if is_outcome else FigureKind(column),
                    column if is_outcome else None,
                )
                assert key not in texts
                texts[key] = figure
    return texts


def filed(game: str, wager: str) -> Texts:
    """The contents of the data file, in the same form."""
    return {
        (figure.decks, figure.option, figure.kind, figure.outcome): figure.text
        for figure in PRINTED[game]
        if wager in figure.wagers
    }


MATCH_MADNESS = (
    MATCH_MADNESS_ONE_DECK_RATES,
    MATCH_MADNESS_SEVERAL_DECKS_RATES,
    MATCH_MADNESS_TOTALS,
)


@pytest.mark.parametrize(
    ("game", "wager", "tables"),
    [
        ("double_action_iii", "double_action", (DOUBLE_ACTION_RATES, DOUBLE_ACTION_TOTALS)),
        (
            "double_action_iii",
            "match_madness",
            (MATCH_MADNESS_BESIDE_BLACKJACK_RATES, MATCH_MADNESS_BESIDE_BLACKJACK_TOTALS),
        ),
        ("match_madness", "match_me", MATCH_MADNESS),
        ("match_madness", "match_me_2", MATCH_MADNESS),
        ("skweezit", "skweezit", (SKWEEZIT,)),
        (
            "dead_mans_hand",
            "dead_mans_hand",
            (DEAD_MANS_HAND_BY_PAYTABLE, DEAD_MANS_HAND_FOR_ALL),
        ),
    ],
)
def test_every_figure_is_the_one_that_the_filing_prints(
    game: str, wager: str, tables: tuple[str, ...]
) -> None:
    assert filed(game, wager) == typed(*tables)


class TestCounts:
    @pytest.mark.parametrize(
        ("game", "count_by_kind"),
        [
            (
                "double_action_iii",
                {
                    "hit_rate": 22 * 6 + 8 * 5,
                    "total_hit_rate": 30,
                    "total_hit_percentage": 30,
                    "house_edge": 30,
                },
            ),
            (
                "match_madness",
                {
                    "hit_rate": 4 + 7 * 5,
                    "total_hit_rate": 8,
                    "total_hit_percentage": 8,
                    "house_edge": 8,
                },
            ),
            ("skweezit", {"house_edge": 6, "total_hit_percentage": 6}),
            (
                "dead_mans_hand",
                {"house_edge": 25, "total_hit_percentage": 5, "payout_percentage": 25},
            ),
        ],
    )
    def test_a_filing_prints_so_many_of_a_kind(
        self, game: str, count_by_kind: dict[str, int]
    ) -> None:
        assert Counter(figure.kind.value for figure in PRINTED[game]) == count_by_kind

    def test_there_are_392_printed_figures(self) -> None:
        assert sum(map(len, PRINTED.values())) == 262 + 63 + 12 + 55 == 392

    def test_only_half_back_prints_none(self) -> None:
        assert set(FILINGS) - set(PRINTED) == {"half_back"}

    def test_every_other_paytable_has_a_house_edge_in_print(self) -> None:
        for game in PRINTED:
            for table in FILINGS[game].tables:
                for wager in table.wagers:
                    for decks in table.decks:
                        kinds = [
                            f.kind for f in printed_figures_for(game, wager, decks, table.option)
                        ]
                        assert kinds.count(FigureKind.HOUSE_EDGE) == 1


class TestPrintedFigures:
    def test_a_figure_keeps_its_text_and_its_place(self) -> None:
        assert printed_figures_for("match_madness", "match_me_2", 4, 1)[3] == PrintedFigure(
            game="match_madness",
            wagers=("match_me", "match_me_2"),
            decks=4,
            option=1,
            kind=FigureKind.HIT_RATE,
            outcome="triple_match",
            text="1/3,209.1",
            value=Fraction(32091, 10),
            digits=1,
            clause="Payouts, Four Decks",
        )

    def test_only_a_hit_rate_has_an_outcome(self) -> None:
        for of_game in PRINTED.values():
            for figure in of_game:
                assert (figure.outcome is not None) is (figure.kind is FigureKind.HIT_RATE)

    def test_a_hit_rate_stands_beside_the_payout_of_its_outcome(self) -> None:
        for game, of_game in PRINTED.items():
            for figure in of_game:
                if figure.option is None or figure.outcome is None:
                    continue
                for wager in figure.wagers:
                    table = FILINGS[game].paytable(wager, figure.decks, figure.option)
                    assert table is not None
                    assert figure.clause == table.clause
                    assert figure.outcome in {row.outcome for row in table.rows}

    def test_a_figure_for_all_options_is_found_for_each(self) -> None:
        for option in (1, 2, 3, 4, 5):
            of_wager = printed_figures_for("dead_mans_hand", "dead_mans_hand", 8, option)
            assert [f.text for f in of_wager if f.option is None] == ["28.43%"]
            assert {f.option for f in of_wager} == {None, option}

    def test_dead_mans_hand_prints_each_edge_twice_and_the_two_agree(self) -> None:
        for option in (1, 2, 3, 4, 5):
            for decks in FILINGS["dead_mans_hand"].decks:
                of_wager = printed_figures_for("dead_mans_hand", "dead_mans_hand", decks, option)
                value = {figure.kind: figure.value for figure in of_wager}
                assert value[FigureKind.HOUSE_EDGE] + value[FigureKind.PAYOUT_PERCENTAGE] == 100

    @pytest.mark.parametrize(
        ("game", "wager", "decks", "option"),
        [
            ("half_back", "upcard_bonus", 6, 1),
            ("skweezit", "skweezit", 6, 2),
            ("skweezit", "skweezit", 3, 1),
            ("skweezit", "main", 6, 1),
        ],
    )
    def test_nothing_is_printed_for_unfiled_wagers_or_without_statistics(
        self, game: str, wager: str, decks: int, option: int
    ) -> None:
        assert printed_figures_for(game, wager, decks, option) == ()

    def test_the_package_exports_what_it_has(self) -> None:
        assert all(hasattr(printed, name) for name in printed.__all__)


EDGE, RATE = FigureKind.HOUSE_EDGE, FigureKind.HIT_RATE


class TestNumbers:
    @pytest.mark.parametrize(
        ("kind", "text", "value", "digits"),
        [
            (EDGE, "22.4%", Fraction(224, 10), 1),
            (EDGE, "9.52%", Fraction(952, 100), 2),
            (EDGE, "11.092%", Fraction(11092, 1000), 3),
            (EDGE, "0.5%", Fraction(1, 2), 1),
            (EDGE, "0%", Fraction(0), 0),
            (EDGE, "100%", Fraction(100), 0),
            (RATE, "4.46", Fraction(446, 100), 2),
            (RATE, "5568.50", Fraction(55685, 10), 2),
            (RATE, "24.0", Fraction(24), 1),
            (RATE, "2,966", Fraction(2966), 0),
            (RATE, "496,511.5", Fraction(4965115, 10), 1),
            (RATE, "1,456,935", Fraction(1456935), 0),
            (RATE, "1/9.2", Fraction(92, 10), 1),
            (RATE, "1/2819.5", Fraction(28195, 10), 1),
            (RATE, "1/20,825", Fraction(20825), 0),
        ],
    )
    def test_a_final_zero_is_a_digit_and_a_comma_is_none(
        self, kind: FigureKind, text: str, value: Fraction, digits: int
    ) -> None:
        assert parse_figure(kind, text) == (value, digits)

    def test_an_edge_may_be_the_players_and_a_payout_more_than_all(self) -> None:
        assert parse_figure(FigureKind.HOUSE_EDGE, "-0.18%") == (Fraction("-0.18"), 2)
        assert parse_figure(FigureKind.PAYOUT_PERCENTAGE, "100.18%")[0] == Fraction("100.18")

    @pytest.mark.parametrize("text", ["100.01%", "-1%"])
    def test_hits_are_between_nothing_and_the_whole(self, text: str) -> None:
        with pytest.raises(ValueError, match="between nothing and the whole"):
            parse_figure(FigureKind.TOTAL_HIT_PERCENTAGE, text)

    @pytest.mark.parametrize("text", ["", "5.53", "5.53 %", "5,53%", "--1%", "1/5%"])
    def test_no_percentage(self, text: str) -> None:
        with pytest.raises(ValueError, match="is no house_edge"):
            parse_figure(EDGE, text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "often",
            "7.8%",
            "2/9",
            "1/",
            "7.",
            ".5",
            "07",
            "1,45",
            "1456,935",
            "0.9",
            "\u0667",
            "7\n",
        ],
    )
    def test_no_rate(self, text: str) -> None:
        with pytest.raises(ValueError, match="is no hit_rate"):
            parse_figure(RATE, text)

    def test_rates_are_one_in_so_many_and_all_else_is_per_cent(self) -> None:
        assert {kind for kind in FigureKind if kind.unit is Unit.ONE_IN} == {
            FigureKind.HIT_RATE,
            FigureKind.TOTAL_HIT_RATE,
        }


HITS_AGAIN = """
[[series]]
wagers = ["dead_mans_hand"]
kind = "total_hit_percentage"
clause = "Winning Outcome Hit Percentage"
by_decks = { 6 = "28.44%" }
"""

Rejection = Callable[[str, str, str], BadPrinted]


class TestRejections:
    """One change to a good file, and the error of the loader."""

    @pytest.fixture
    def rejection(self, tmp_path: Path) -> Rejection:
        def change(game: str, old: str, new: str) -> BadPrinted:
            text = (BUILT_IN / f"{game}.toml").read_text("utf-8")
            assert old in text
            (tmp_path / "changed.toml").write_text(text.replace(old, new, 1), "utf-8")
            with pytest.raises(BadPrinted) as caught:
                load(tmp_path)
            assert caught.value.file == "changed.toml"
            assert str(caught.value).startswith(f"changed.toml: {caught.value.key}: ")
            return caught.value

        return change

    @pytest.mark.parametrize(
        ("old", "new", "key", "problem"),
        [
            ('game = "match', 'shade = 1\ngame = "match', "(file)", "unknown field `shade`"),
            ("house_edge =", "house_hold =", "blocks[0]", "unknown field `house_hold`"),
            ("[[blocks]]", "[[blocks]", "(file)", "Expected ']]'"),
            ('"match_madness"', '"half_madness"', "game", "'half_madness' is not filed"),
            ('"match_me_2"', '"match_me_3"', "blocks[0].wagers", "'match_me_3' is no side bet"),
            ('"match_me_2"', '"match_me"', "blocks[0].wagers", "each once"),
            ('["match_me", "match_me_2"]', "[]", "blocks[0].wagers", "at least one"),
            ("decks = 4", "decks = 5", "blocks[1].decks", "5 is not among 1, 4, 6, 7, 8"),
            ("option = 1", "option = 2", "blocks[0].option", "1 decks has no option 2"),
            ("option = 1", "option = true", "blocks[0].option", "bool"),
            ("option = 1\n", "", "blocks[0]", "missing required field `option`"),
            ('"Payouts, Single Deck"', '""', "blocks[0].clause", "empty"),
            (
                "hit_rates.colored_match",
                "hit_rates.suited_match",
                "blocks[0].hit_rates.suited_match",
                "match_me at 1 decks has no such outcome",
            ),
            (
                "hit_rates.suited_match",
                "hit_rates.loss",
                "blocks[1].hit_rates.loss",
                "no such outcome",
            ),
            ('"1/9.2"', '"1/9,2"', "blocks[0].hit_rates.uncolored_match", "'1/9,2' is no hit_rate"),
            ('"1/9.2"', "9.2", "blocks[0].hit_rates[...]", "Expected `str`"),
            ('"1/5.9"', '"16.95%"', "blocks[0].total_hit_rate", "is no total_hit_rate"),
            ('"16.95%"', '"16.95"', "blocks[0].total_hit_percentage", "is no total_hit_percentage"),
            ('"10.18%"', '"ten"', "blocks[0].house_edge", "'ten' is no house_edge"),
            (
                "decks = 6\noption = 2",
                "decks = 6\noption = 1",
                "blocks[3].hit_rates.unsuited_match",
                "printed already for match_me at 6 decks",
            ),
        ],
    )
    def test_a_bad_block_is_named_with_its_file(
        self, rejection: Rejection, old: str, new: str, key: str, problem: str
    ) -> None:
        bad = rejection("match_madness", old, new)
        assert bad.key == key
        assert problem in bad.problem

    @pytest.mark.parametrize(
        ("old", "new", "key", "problem"),
        [
            ("{ 1 =", "{ 4 =", "series[0].by_decks.4", "4 is not among 1, 2, 5, 6, 8"),
            ("{ 1 =", "{ one =", "series[0].by_decks.one", "one is not among"),
            ("{ 1 =", "{ 01 =", "series[0].by_decks.01", "01 is not among"),
            ("option = 5", "option = 6", "series[4].option", "1 decks has no option 6"),
            ("option = 2", "option = 1", "series[1].by_decks.1", "printed already"),
            ('"house_edge"', '"hit_rate"', "series[0].kind", "one outcome"),
            ('"house_edge"', '"house_hold"', "series[0].kind", "house_hold"),
            ('"8.57%"', '"8.57"', "series[0].by_decks.1", "is no house_edge"),
            ('["dead_mans_hand"]', '["main"]', "series[0].wagers", "'main' is no side bet"),
            ('"House Hold Percentage, Paytable #1"', '""', "series[0].clause", "empty"),
        ],
    )
    def test_a_bad_series_is_named_with_its_file(
        self, rejection: Rejection, old: str, new: str, key: str, problem: str
    ) -> None:
        bad = rejection("dead_mans_hand", old, new)
        assert bad.key == key
        assert problem in bad.problem

    def test_a_figure_for_all_options_that_is_printed_twice(self, rejection: Rejection) -> None:
        bad = rejection("dead_mans_hand", "[[series]]", f"{HITS_AGAIN}\n[[series]]")
        assert bad.key == "series[6].by_decks.6"

    def test_a_file_that_states_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "half_back.toml").write_text('game = "half_back"\n', "utf-8")
        with pytest.raises(BadPrinted, match="states nothing"):
            load(tmp_path)

    def test_a_game_that_has_two_files(self, tmp_path: Path) -> None:
        text = (BUILT_IN / "skweezit.toml").read_text("utf-8")
        (tmp_path / "again.toml").write_text(text, "utf-8")
        with pytest.raises(BadPrinted, match=r"again.toml: game: 'skweezit' has a file already"):
            load(BUILT_IN, tmp_path)
