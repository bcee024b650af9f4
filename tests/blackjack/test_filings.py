"""The data files against the filings: every printed figure, typed once more, and every error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from blackjack.money import Odds
from blackjack.rulebook.filings import BUILT_IN, FILINGS, BadFiling, NoSuchClause, Paytable, load
from blackjack.rulebook.house_rules import HouseRules
from blackjack.settlement.side_bets import EVALUATORS, LOSS

# Odds are "to 1" unless a stroke parts them; a dash is a row that the table does not have.

DOUBLE_ACTION = """
decks option | match flush straight three_of_a_kind straight_flush suited_three_of_a_kind
4     1      | 1     3     6        21              50             200
4     2      | 1     3     6        20              50             150
4     3      | 1     3     6        20              50             100
4     4      | 1     3     6        20              45             100
4     5      | 1     3     6        20              45             200
4     6      | 1     3     6        20              40             200
5     1      | 1     3     6        21              50             200
5     2      | 1     3     6        20              50             150
5     3      | 1     3     6        20              50             100
5     4      | 1     3     6        20              45             100
5     5      | 1     2     6        20              50             100
5     6      | 1     3     6        10              50             100
6     1      | 1     3     6        21              50             200
6     2      | 1     3     6        20              50             150
6     3      | 1     3     6        20              50             100
6     4      | 1     3     6        20              45             100
6     5      | 1     2     6        20              50             100
8     1      | 1     3     6        21              50             150
8     2      | 1     3     6        20              50             150
8     3      | 1     3     6        20              50             100
8     4      | 1     3     6        20              45             100
8     5      | 1     2     6        20              50             100
"""

MATCH_MADNESS_BESIDE_BLACKJACK = """
decks option | unsuited_match suited_match double_match triple_match triple_suited
4     1      | 1              6            20           100          1000
4     2      | 2              7            10           50           100
5     1      | 1              6            20           100          1000
5     2      | 2              7            10           50           100
6     1      | 1              5            20           100          1000
6     2      | 2              6            10           50           100
8     1      | 1              5            20           100          1000
8     2      | 2              6            10           50           100
"""

MATCH_MADNESS_ONE_DECK = """
decks option | uncolored_match colored_match double_match triple_match
1     1      | 3               6             10           200
"""

MATCH_MADNESS_SEVERAL_DECKS = """
decks option | unsuited_match suited_match double_match triple_match triple_suited
4     1      | 1              6            20           100          1000
6     1      | 1              6            18           100          1000
6     2      | 1              5            20           100          1000
7     1      | 1              6            16           125          1000
7     2      | 1              5            20           100          1000
8     1      | 1              6            16           100          1000
8     2      | 1              5            20           100          1000
"""

SKWEEZIT = """
decks         option | suited_belly_skweezer belly_skweezer one_colour_skweezer skweezer
2,4,5,6,7,8   1      | 100                   20             4                   1
"""

DEAD_MANS_HAND_SETS = """
decks     option | four_sets three_sets two_sets one_set
1,2,5,6,8 1      | -         -          50       14
1,2,5,6,8 2      | -         -          25       4
1,2,5,6,8 3      | -         -          50       4
1,2,5,6,8 4      | 500       250        25       4
1,2,5,6,8 5      | 500       250        50       5
"""

DEAD_MANS_HAND_REST = """
decks     option | pair_no_set any_ace_or_eight pair_with_dealer_blackjack
1,2,5,6,8 1      | 3           3/2              50
1,2,5,6,8 2      | 4           2                25
1,2,5,6,8 3      | 4           2                50
1,2,5,6,8 4      | 4           2                50
1,2,5,6,8 5      | 4           2                50
"""

UPCARD_BONUS = """
decks option | suited_blackjack unsuited_blackjack ace_up ten_up seven_to_nine_up
6,8   1      | 40               15                 8      3      1
6,8   2      | 20               20                 8      3      1
6,8   3      | 20               20                 8      4      push
6,8   4      | 12               12                 6      4      2
6,8   5      | 15               15                 4      4      2
6,8   6      | 20               20                 4      3      2
"""

Printed = dict[tuple[int, int], dict[str, Odds]]


def odds_of(figure: str) -> Odds:
    win, _, stake = figure.partition("/")
    return Odds(0) if figure == "push" else Odds(int(win), int(stake or 1))


def printed(*texts: str) -> Printed:
    """The odds of each text table, by decks and option."""
    odds: Printed = {}
    for text in texts:
        head, *lines = text.strip().splitlines()
        outcomes = head.partition("|")[2].split()
        for line in lines:
            choice, _, pays = line.partition("|")
            decks, option = choice.split()
            row = dict(zip(outcomes, pays.split(), strict=True))
            for count in decks.split(","):
                listed = odds.setdefault((int(count), int(option)), {})
                listed |= {outcome: odds_of(pay) for outcome, pay in row.items() if pay != "-"}
    return odds


def filed(game: str, wager: str) -> Printed:
    """The odds of the data file, in the same form."""
    filing = FILINGS[game]
    return {
        (decks, table.option): {row.outcome: row.pays for row in table.rows}
        for decks in filing.decks
        for table in filing.paytables(wager, decks)
    }


@pytest.mark.parametrize(
    ("game", "wager", "texts"),
    [
        ("double_action_iii", "double_action", (DOUBLE_ACTION,)),
        ("double_action_iii", "match_madness", (MATCH_MADNESS_BESIDE_BLACKJACK,)),
        ("match_madness", "match_me", (MATCH_MADNESS_ONE_DECK, MATCH_MADNESS_SEVERAL_DECKS)),
        ("match_madness", "match_me_2", (MATCH_MADNESS_ONE_DECK, MATCH_MADNESS_SEVERAL_DECKS)),
        ("skweezit", "skweezit", (SKWEEZIT,)),
        ("dead_mans_hand", "dead_mans_hand", (DEAD_MANS_HAND_SETS, DEAD_MANS_HAND_REST)),
        ("half_back", "upcard_bonus", (UPCARD_BONUS,)),
    ],
)
def test_every_figure_is_the_one_that_the_filing_prints(
    game: str, wager: str, texts: tuple[str, ...]
) -> None:
    assert filed(game, wager) == printed(*texts)


class TestCounts:
    @pytest.mark.parametrize(
        ("game", "wager", "count_by_decks"),
        [
            ("double_action_iii", "double_action", {4: 6, 5: 6, 6: 5, 8: 5}),
            ("double_action_iii", "match_madness", {4: 2, 5: 2, 6: 2, 8: 2}),
            ("match_madness", "match_me", {1: 1, 4: 1, 6: 2, 7: 2, 8: 2}),
            ("match_madness", "match_me_2", {1: 1, 4: 1, 6: 2, 7: 2, 8: 2}),
            ("skweezit", "skweezit", {2: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}),
            ("dead_mans_hand", "dead_mans_hand", {1: 5, 2: 5, 5: 5, 6: 5, 8: 5}),
            ("half_back", "upcard_bonus", {6: 6, 8: 6}),
        ],
    )
    def test_each_deck_count_has_as_many_options_as_are_filed(
        self, game: str, wager: str, count_by_decks: dict[int, int]
    ) -> None:
        filing = FILINGS[game]
        assert {d: len(filing.paytables(wager, d)) for d in filing.decks} == count_by_decks

    def test_there_are_81_choices_of_paytable_and_decks(self) -> None:
        assert sum(len(table.decks) for filing in FILINGS.values() for table in filing.tables) == 81

    def test_options_count_from_one_without_a_gap(self) -> None:
        for filing in FILINGS.values():
            for wager in filing.side_bets:
                for decks in filing.decks:
                    options = [table.option for table in filing.paytables(wager, decks)]
                    assert options == list(range(1, len(options) + 1))


class TestFilings:
    def test_the_five_games_name_their_filings(self) -> None:
        assert {game: filing.filing for game, filing in FILINGS.items()} == {
            "double_action_iii": "000_329339b601c7c06d.txt",
            "match_madness": "001_e7d5d178fdbab8d2.txt",
            "skweezit": "002_47de5865003da8fd.txt",
            "dead_mans_hand": "003_335134e1a6ad6b54.txt",
            "half_back": "004_8e481b8b635b1242.txt",
        }

    def test_the_base_wagers_are_those_of_the_game(self) -> None:
        assert {game: filing.base_wagers for game, filing in FILINGS.items()} == {
            "double_action_iii": ("main",),
            "match_madness": (),
            "skweezit": ("main",),
            "dead_mans_hand": ("main",),
            "half_back": ("main", "half_back"),
        }

    def test_only_double_action_has_its_owners_consent_to_promotions(self) -> None:
        assert [game for game, filing in FILINGS.items() if filing.allows_promotions] == [
            "double_action_iii"
        ]

    def test_only_skweezit_has_more_wagers_four_at_most_and_one_of_five_dollars(self) -> None:
        listed = {
            game: filing.more_wagers for game, filing in FILINGS.items() if filing.more_wagers
        }
        assert list(listed) == ["skweezit"]
        assert listed["skweezit"].wagers_max == 4
        assert listed["skweezit"].small_wager_cents_max == 500

    def test_a_clause_that_the_filing_lacks_is_the_one_on_the_game_itself(self) -> None:
        assert FILINGS["skweezit"].clause("double") == FILINGS["skweezit"].clause("game")
        assert FILINGS["half_back"].clause("double") == "Rules 17, fourth option"

    def test_a_clause_key_that_is_not_known_is_an_error_with_its_name(self) -> None:
        with pytest.raises(NoSuchClause, match="dubble") as caught:
            FILINGS["half_back"].clause("dubble")
        assert (caught.value.game, caught.value.key) == ("half_back", "dubble")

    def test_every_side_bet_has_its_clauses(self) -> None:
        for filing in FILINGS.values():
            for wager, side_bet in filing.side_bets.items():
                assert filing.clause(f"{wager}.settle") == side_bet.clause
                assert filing.clause(f"{wager}.win")

    def test_one_deck_of_match_madness_has_evaluators_of_its_own(self) -> None:
        side_bets = FILINGS["match_madness"].side_bets
        assert side_bets["match_me"].at(1) is EVALUATORS["match_me_one_deck"]
        assert side_bets["match_me_2"].at(1) is EVALUATORS["match_me_2_one_deck"]
        assert side_bets["match_me"].at(7) is EVALUATORS["match_me"]

    def test_a_house_rule_that_a_filing_fixes_exists(self) -> None:
        for filing in FILINGS.values():
            for fixed in (*filing.house, *(r for t in filing.tables for r in t.requires)):
                assert type(fixed.value) is type(getattr(HouseRules(), fixed.rule))


class TestPaytables:
    def table(self, game: str, wager: str, decks: int, option: int) -> Paytable:
        table = FILINGS[game].paytable(wager, decks, option)
        assert table is not None
        return table

    def test_a_loss_has_no_row(self) -> None:
        assert all(t.row(LOSS) is None for filing in FILINGS.values() for t in filing.tables)

    def test_every_outcome_of_an_evaluator_is_paid_by_a_row(self) -> None:
        for filing in FILINGS.values():
            for table in filing.tables:
                for wager in table.wagers:
                    for decks in table.decks:
                        outcomes = filing.side_bets[wager].at(decks).outcomes
                        assert all(table.row(outcome) is not None for outcome in outcomes)

    @pytest.mark.parametrize("option", [1, 2, 3])
    def test_three_or_more_sets_pay_as_two_where_aces_are_split_once(self, option: int) -> None:
        table = self.table("dead_mans_hand", "dead_mans_hand", 6, option)
        assert table.row("four_sets") == table.row("three_sets") == table.row("two_sets")

    def test_the_highest_outcome_of_several_is_never_paid_less(self) -> None:
        """Only these can coincide in one hand, so that the evaluator must choose."""
        for filing in FILINGS.values():
            for table in filing.tables:
                if {"dead_mans_hand", "upcard_bonus"} & set(table.wagers):
                    continue
                ranked = filing.side_bets[table.wagers[0]].at(table.decks[0]).outcomes
                pays = [row.pays.win for outcome in ranked if (row := table.row(outcome))]
                assert pays == sorted(pays)

    def test_the_top_odds_are_compared_as_ratios(self) -> None:
        assert self.table("dead_mans_hand", "dead_mans_hand", 6, 1).top == Odds(50)
        assert self.table("half_back", "upcard_bonus", 6, 4).top == Odds(12)
        assert self.table("match_madness", "match_me", 1, 1).top == Odds(200)

    def test_no_two_paytables_share_a_hash(self) -> None:
        hashes = [table.hash for filing in FILINGS.values() for table in filing.tables]
        assert len(set(hashes)) == len(hashes) == 50

    def test_a_choice_that_is_not_filed_is_none(self) -> None:
        assert FILINGS["skweezit"].paytable("skweezit", 6, 2) is None
        assert FILINGS["skweezit"].paytable("skweezit", 3, 1) is None
        assert FILINGS["skweezit"].paytable("main", 6, 1) is None


class TestBadFilings:
    """One change to a good file, and the error of the loader."""

    @pytest.fixture
    def error_of(self, tmp_path: Path) -> Callable[[str, str, str], BadFiling]:
        def change(game: str, old: str, new: str) -> BadFiling:
            text = (BUILT_IN / f"{game}.toml").read_text("utf-8")
            assert old in text
            (tmp_path / "changed.toml").write_text(text.replace(old, new, 1), "utf-8")
            with pytest.raises(BadFiling) as caught:
                load(tmp_path)
            assert caught.value.file == "changed.toml"
            assert str(caught.value).startswith(f"changed.toml: {caught.value.key}: ")
            return caught.value

        return change

    @pytest.mark.parametrize(
        ("old", "new", "key", "problem"),
        [
            ('game = "skw', 'colour = 1\ngame = "skw', "(file)", "unknown field `colour`"),
            (
                "right_to_left = true",
                'right_to_left = "yes"',
                "side_bets[...].right_to_left",
                "bool",
            ),
            ("right_to_left = true\n", "", "side_bets[...]", "missing required field"),
            ('"100 to 1"', '"100:1"', "paytables[0].pays.suited_belly_skweezer", "no odds"),
            ('"100 to 1"', '"0 to 1"', "paytables[0].pays.suited_belly_skweezer", "no odds"),
            ('"100 to 1"', '"loss"', "paytables[0].pays.suited_belly_skweezer", "no odds"),
            ('skweezer = "1 to 1"', 'loss = "1 to 1"', "paytables[0].pays.loss", "never a row"),
            ('skweezer = "1 to 1"', 'flush = "1 to 1"', "paytables[0].pays.flush", "unknown"),
            ('skweezer = "1 to 1"\n', "", "paytables[0].pays.skweezer", "no row"),
            (
                '"skweezit"\nsettles',
                '"squeeze"\nsettles',
                "side_bets.skweezit.evaluator",
                "squeeze",
            ),
            ('"after_deal"', '"at_dawn"', "side_bets[...].settles", "at_dawn"),
            ("option = 1", "option = 0", "paytables[0].option", "from 1"),
            ("option = 1", "option = true", "paytables[0].option", "bool"),
            ('wagers = ["skweezit"]', 'wagers = ["main"]', "paytables[0].wagers", "main"),
            ('wagers = ["skweezit"]', "wagers = []", "paytables[0].wagers", "at least one"),
            ("decks = [2, 4", "decks = [0, 4", "decks", "0 is not among"),
            ("decks = [2, 4", "decks = [4, 2", "decks", "rising order"),
            ("decks = [2, 4", "decks = [2, 3, 4", "paytables", "none for skweezit at 3 decks"),
            ('base_wagers = ["main"]', "base_wagers = []", "base_wagers", "standard dealing"),
            ('base_wagers = ["main"]', 'base_wagers = ["ante"]', "base_wagers", "ante"),
            ('dealing = "standard"', 'dealing = "odd"', "dealing", "odd"),
            ('game = "skweezit"', 'game = "Skweezit!"', "game", "no name"),
            ('game = "Skweezit Blackjack, first paragraph"\n', "", "clauses.game", "missing"),
            ("[labels]\nskweezer", "[labels]\nsquisher", "labels.skweezer", "missing"),
            ("[clauses]", "[clauses", "(file)", "Expected ']'"),
        ],
    )
    def test_a_bad_key_is_named_with_its_file(
        self,
        error_of: Callable[[str, str, str], BadFiling],
        old: str,
        new: str,
        key: str,
        problem: str,
    ) -> None:
        bad = error_of("skweezit", old, new)
        assert bad.key == key
        assert problem in bad.problem

    def test_an_option_that_is_filed_twice(
        self, error_of: Callable[[str, str, str], BadFiling]
    ) -> None:
        bad = error_of("half_back", "option = 2", "option = 1")
        assert bad.key == "paytables[1].option"
        assert "already" in bad.problem

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('"late_surrender"', '"early_surrender"', "house[0].rule"),
            ("value = 4", 'value = "four"', "house[5].value"),
            ('"3 to 2"', '"3:2"', "house[6].value"),
        ],
    )
    def test_a_fixed_house_rule_that_is_none(
        self, error_of: Callable[[str, str, str], BadFiling], old: str, new: str, key: str
    ) -> None:
        assert error_of("half_back", old, new).key == key

    @pytest.mark.parametrize(
        ("old", "new", "key"),
        [
            ('{ three_sets = "two', '{ three_sets = "six', "paytables[0].pays_as.three_sets"),
            (', four_sets = "two_sets" }', " }", "paytables[0].pays.four_sets"),
        ],
    )
    def test_an_outcome_that_nothing_pays(
        self, error_of: Callable[[str, str, str], BadFiling], old: str, new: str, key: str
    ) -> None:
        assert error_of("dead_mans_hand", old, new).key == key

    def test_an_evaluator_for_decks_that_are_not_filed(
        self, error_of: Callable[[str, str, str], BadFiling]
    ) -> None:
        bad = error_of("match_madness", "{ 1 =", "{ 2 =")
        assert bad.key == "side_bets.match_me.evaluator_at_decks.2"

    def test_a_game_that_is_filed_twice(self, tmp_path: Path) -> None:
        text = (BUILT_IN / "skweezit.toml").read_text("utf-8")
        (tmp_path / "again.toml").write_text(text, "utf-8")
        with pytest.raises(BadFiling, match=r"again.toml: game: 'skweezit' is filed already"):
            load(BUILT_IN, tmp_path)
