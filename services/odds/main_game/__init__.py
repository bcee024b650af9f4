"""The blackjack hand itself, by combinatorial analysis: best play and its value.

`analyse` takes the rules and the counts of the thirteen ranks and gives the house edge, the
spread of results, how the first hand ends, and the value of every move on every start.
`docs/main-game.md` explains the method, the class of strategies it is exact for, and the
differences from published numbers.
"""

from odds.main_game.analysis import Analysis, FirstHand, FreeAce, Move, Start, TotalRow
from odds.main_game.analyzer import analyse, starts_by_discard
from odds.main_game.chart import UP_CARDS, Advice, ByTheCards, ChartRow, StrategyChart
from odds.main_game.free_ace import value_with_free_ace
from odds.main_game.hit_or_stand import hit_or_stand
from odds.main_game.insurance import insurance_edge
from odds.main_game.kept_analyses import StrategyTables, analyse_or_kept, kept, kept_tables
from odds.main_game.main_rules import MainRules, NoMainGame, NotPlayable
from odds.main_game.ranks import NotRankCounts, Ranks, ShoeTooSmall, ranks_of
from odds.main_game.removal import effects_of_removal
from odds.main_game.strategy import Strategy

__all__ = [
    "UP_CARDS",
    "Advice",
    "Analysis",
    "ByTheCards",
    "ChartRow",
    "FirstHand",
    "FreeAce",
    "MainRules",
    "Move",
    "NoMainGame",
    "NotPlayable",
    "NotRankCounts",
    "Ranks",
    "ShoeTooSmall",
    "Start",
    "Strategy",
    "StrategyChart",
    "StrategyTables",
    "TotalRow",
    "analyse",
    "analyse_or_kept",
    "effects_of_removal",
    "hit_or_stand",
    "insurance_edge",
    "kept",
    "kept_tables",
    "ranks_of",
    "starts_by_discard",
    "value_with_free_ace",
]
