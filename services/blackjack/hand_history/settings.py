"""The settings of a rule set or a promotion in indented lines, and their keywords."""

from __future__ import annotations

from typing import Final

from blackjack.hand_history.forms import Option, clause, flag
from blackjack.hand_history.values import INTEGER, MONEY, NAME, ODDS, TEXT, TIME
from blackjack.money import Rounding
from blackjack.rulebook.house_rules import DoubleOn, Peek, SplitBy
from blackjack.rulebook.promotions import OnPush


def _switch(words: str, name: str) -> tuple[Option, Option]:
    return flag(words, name, True), flag(f"no {words}", name, False)


HOUSE: Final[tuple[Option, ...]] = (
    flag("dealer hits soft 17", "dealer_hits_soft_17", True),
    flag("dealer stands on soft 17", "dealer_hits_soft_17", False),
    clause("natural pays", "natural_pays", ODDS),
    flag("double on any two", "double_on", DoubleOn.ANY_TWO),
    flag("double on hard 9 to 11", "double_on", DoubleOn.HARD_9_TO_11),
    flag("double on hard 10 to 11", "double_on", DoubleOn.HARD_10_TO_11),
    *_switch("double after split", "double_after_split"),
    *_switch("double for less", "double_for_less"),
    flag("split by rank", "split_by", SplitBy.RANK),
    flag("split by value", "split_by", SplitBy.VALUE),
    clause("hands at most", "hands_max", INTEGER),
    *_switch("resplit aces", "resplit_aces"),
    *_switch("hit split aces", "hit_split_aces"),
    *_switch("insurance", "insurance"),
    *_switch("even money", "even_money"),
    *_switch("late surrender", "late_surrender"),
    flag("peek ace and ten", "peek", Peek.ACE_AND_TEN),
    flag("peek none", "peek", Peek.NONE),
    clause("read confidence", "read_confidence_min", INTEGER),
)
LIMITS: Final[tuple[Option, ...]] = (
    clause("limit", "wagers", NAME),
    clause("smallest chip", "smallest_chip_cents", MONEY),
    flag("rounding for player", "rounding", Rounding.FAVOUR_PLAYER),
    flag("rounding for house", "rounding", Rounding.FAVOUR_HOUSE),
    clause("other wager", "other_wagers", NAME),
)
LIMIT: Final[tuple[Option, ...]] = (
    clause("min", "cents_min", MONEY),
    clause("max", "cents_max", MONEY),
    clause("aggregate", "aggregate_cents", MONEY),
)
TERMS: Final[tuple[Option, ...]] = (
    clause("game", "games", NAME),
    clause("wager", "wagers", NAME),
    flag("no wagers", "wagers", ()),
    *_switch("match required", "match_required"),
    flag("one per round", "one_per_round", True),
    flag("several per round", "one_per_round", False),
    clause("daily limit", "patron_daily_limit", INTEGER),
    flag("patron bound", "patron_bound", True),
    flag("bearer", "patron_bound", False),
    clause("pays", "pays", ODDS),
    clause("natural pays", "natural_pays", ODDS),
    *(flag(f"push {choice.value}", "on_push", choice) for choice in OnPush),
    clause("from", "valid_from", TIME),
    clause("until", "valid_until", TIME),
    clause("outcome", "bonus_outcome", TEXT),
    clause("multiplier", "multiplier", INTEGER),
)
