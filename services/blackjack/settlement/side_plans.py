"""The plan of a side bet under a rule set: everything its settlement needs, looked up once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from blackjack.cards.card import Card
from blackjack.money import Odds
from blackjack.rulebook.filings import Dealing, FiledSideBet, Paytable, PaytableRow, Settles
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.side_bets import SideBetRole


class UnreadCard:
    """Stands for a card that lies on the table and was not read."""


class NumberRange:
    """Stands for a number that unread cards leave open."""

    __slots__ = ("least", "most")

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most


EITHER: Final = NumberRange(0, 1)
"""A yes or no that unread cards leave open."""

UNREAD: Final = UnreadCard()
UNREAD_HOLE: Final = UnreadCard()
"""An unread hole card: the dealer's announcement after the peek narrows it down."""
RoleValue = Card | bool | int | UnreadCard | NumberRange | None
"""What a role shows: None while it is not dealt or decided."""


_LOOKS: Final = {role: number for number, role in enumerate(SideBetRole)}
(
    FIRST,
    SECOND,
    THIRD,
    UP,
    REPLACEMENT,
    HOLE,
    MATCH_ME,
    MATCH_ME_2,
    DEALER_BLACKJACK,
    SPLIT,
    SETS,
) = range(len(_LOOKS))
"""Roles by number, in the order of `SideBetRole`: numbers compare fastest where it matters most."""


class Prize:
    """A row of a paytable."""

    __slots__ = ("is_push", "outcome", "pays")

    def __init__(self, row: PaytableRow) -> None:
        self.outcome = row.outcome
        self.pays: Odds = row.pays
        self.is_push = row.pays.is_push


class SidePlan:
    """One side bet under one rule set."""

    __slots__ = (
        "aggregate_cents",
        "clause",
        "filed",
        "first_cards",
        "judge",
        "keeps_cards",
        "looks",
        "paytable",
        "prizes",
        "waits",
    )

    def __init__(self, rules: RuleSet, filed: FiledSideBet) -> None:
        wager = filed.wager
        side_bet = rules.side_bet(wager)
        limit = rules.spec.limits.wagers.get(wager)
        self.filed = filed
        self.paytable: Paytable = rules.paytables[wager]
        self.clause = f"{rules.filing.title}, {self.paytable.clause}"
        self.prizes: dict[str, Prize] = {
            outcome: Prize(row)
            for outcome in side_bet.outcomes
            if (row := self.paytable.row(outcome)) is not None
        }
        self.judge: Callable[..., str | None] = side_bet.judge
        self.looks: list[int] = [_LOOKS[role] for role in side_bet.roles]
        self.waits = SideBetRole.SETS in side_bet.roles
        """Whether it may have to wait until the spot has played its splits."""
        self.keeps_cards = filed.settles is Settles.AFTER_HOLE_CARD
        """Whether the spot's first cards stay on the table until it is settled."""
        self.aggregate_cents = limit.aggregate_cents if limit is not None else 0
        self.first_cards = first_cards(rules)


def first_cards(rules: RuleSet) -> int:
    """How many cards a spot is dealt before the first decision."""
    return 3 if rules.filing.dealing is Dealing.MATCH_MADNESS else 2


@lru_cache(maxsize=256)
def plans_of(rules: RuleSet) -> dict[str, SidePlan]:
    """The side bets of a rule set, by wager."""
    return {wager: SidePlan(rules, filed) for wager, filed in rules.filing.side_bets.items()}
