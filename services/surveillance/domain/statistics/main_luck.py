"""Luck in the main game, whatever the strategy: chance is bet on, decisions are not.

How a player decides is not known, so his results have no known law. But between his decisions
there is only chance, and its law is exact. Two angles:

- *the deal*: the value of the two cards and the up card, as a table of best play says it,
  against its average over all deals from the shoe that is left. Any table makes a fair ticket;
  this one pays for what helps.
- *the dealer's end*: what the hands that stand bring back, against its average over the hole
  card and all that may be drawn to it, given every card that was seen by then. All spots share
  one end, so that they are one ticket. Stakes are those of then, doubles and splits among them.

Cards that players draw are not bet on. Doubling or drawing well or badly changes nothing in
either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from blackjack.cards.card import Card
from blackjack.cards.hand import total_of
from blackjack.outcomes import HandCards, Result, SettledRound, WagerOutcome
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from odds.main_game import MainRules, Move, Start
from odds.main_game.dealer import final_totals, no_blackjack
from odds.shoe import Shoe
from surveillance.domain.statistics.evidence import Evidence, Kind, Ticket
from surveillance.domain.statistics.main_tables import tables_for
from surveillance.domain.statistics.side_luck import weight_of
from surveillance.domain.statistics.unseen import (
    at_the_dealers_turn,
    by_points,
    first_cards,
    has_blackjack,
    up_card,
)

VALUES: Final = range(10)
REPLACED: Final = range(2, 6)
"""Three to six, as columns: Half Back replaces them once."""

CARDS_MIN: Final = 20
"""With fewer the dealer might run out of cards."""

Table = tuple[tuple[tuple[float, ...], ...], ...]
"""What a unit brings back on average, by up card and both cards of a hand, as columns."""


@lru_cache(maxsize=1024)
def deal_values(rules: RuleSet) -> Table:
    """What every deal brings back, best played."""
    analysis = tables_for(rules).analysis
    brings = {(row.up, row.low, row.high): _brings(row, analysis.rules) for row in analysis.starts}
    return tuple(
        tuple(
            tuple(brings[up + 1, min(one, two) + 1, max(one, two) + 1] for two in VALUES)
            for one in VALUES
        )
        for up in VALUES
    )


def _brings(start: Start, rules: MainRules) -> float:
    """Before the peek, the unit itself included."""
    natural = start.best is Move.NATURAL
    against_blackjack = 1.0 if natural else 0.0
    played = 1.0 + start.value / rules.units
    return start.passes * played + (1.0 - start.passes) * against_blackjack


class MainLuck:
    """The main wager in one round; what all subjects share is worked out once."""

    def __init__(self, played: SettledRound, rules: RuleSet, shoe: Shoe) -> None:
        self._played = played
        self._rules = MainRules.of(rules)
        self._table = deal_values(rules)
        self._up = up_card(played)
        self._average = _average(self._table, by_points(shoe), half_back=self._rules.half_back)
        self._ends = self._dealers_ends(shoe)

    def of(self, bets: Sequence[WagerOutcome]) -> Evidence | None:
        """What the base wagers of one subject say."""
        deal, end = self._deal(bets), self._end(bets)
        if not deal and not end:
            return None
        return Evidence(
            Kind.LUCK,
            MAIN,
            (deal, end),
            observed=sum([bet.net_owed for bet in bets]),
            expected=round(sum([weight_of(bet) for bet in bets]) * (self._average - 1.0)),
        )

    def _deal(self, bets: Iterable[WagerOutcome]) -> tuple[Ticket, ...]:
        staked = back = 0.0
        for bet in bets:
            # Half Back's second wager is as high, and moves when a pair is split.
            if bet.wager == MAIN and bet.hand == 1 and not self._free_ace(bet.seat):
                cards = first_cards(self._played.hands, bet.seat, 2)
                staked += weight_of(bet)
                back += weight_of(bet) * self._dealt(cards)
        return (Ticket(back / staked / self._average),) if staked else ()

    def _dealt(self, cards: tuple[Card | None, ...]) -> float:
        if self._up is None or len(cards) < 2 or cards[0] is None or cards[1] is None:
            return 0.0
        return self._table[self._up.points - 1][cards[0].points - 1][cards[1].points - 1]

    def _free_ace(self, seat: int) -> bool:
        return any(hand.seat == seat and hand.free_ace for hand in self._played.hands)

    def _end(self, bets: Iterable[WagerOutcome]) -> tuple[Ticket, ...]:
        if self._ends is None:
            return ()
        standing = {
            (hand.seat, hand.hand): total_of(card for card in hand.cards if card)[0]
            for hand in self._played.hands
            if _stands(hand)
        }
        back = due = 0.0
        for bet in bets:
            total = standing.get((bet.seat, bet.hand))
            if total is None or bet.result is Result.RETURNED:
                continue
            due += bet.stake_cents * _brings_against(total, self._ends)
            back += bet.stake_cents * _BRINGS.get(bet.result, 0.0)
        return (Ticket(back / due),) if due else ()

    def _dealers_ends(self, shoe: Shoe) -> Mapping[int, float] | None:
        """How likely the dealer ends with each total, given no blackjack; 0 is a bust."""
        left = at_the_dealers_turn(self._played, shoe)
        if left is None or left.total < CARDS_MIN or self._up is None:
            return None
        if has_blackjack(self._played):
            return None
        column = self._up.points - 1
        counts = np.array([by_points(left)], dtype=np.float64)
        passes = float(no_blackjack(counts, column)[0])
        if passes <= 0.0:
            return None
        soft = self._rules.dealer_hits_soft_17
        chances = final_totals(counts, column, hits_soft_17=soft)[0] / passes
        ends = {17 + place: float(chance) for place, chance in enumerate(chances)}
        return {**ends, 0: 1.0 - sum(ends.values())}


_BRINGS: Final = {Result.WON: 2.0, Result.PUSHED: 1.0}


def _stands(hand: HandCards) -> bool:
    """Whether the hand is still to be decided when the dealer turns over."""
    if hand.surrendered or hand.free_ace or None in hand.cards:
        return False
    total, _ = total_of(card for card in hand.cards if card)
    natural = total == 21 and len(hand.cards) == 2 and not hand.from_split
    return total <= 21 and not natural


def _brings_against(total: int, ends: Mapping[int, float]) -> float:
    return sum([chance * (2.0 if end < total else end == total) for end, chance in ends.items()])


def _average(table: Table, counts: list[int], *, half_back: bool) -> float:
    """Of what a unit brings back, over all deals of two cards and an up card."""
    cards = sum(counts)
    weighed = 0.0
    for first in VALUES:
        left = _less(counts, first)
        if not (half_back and first in REPLACED):
            weighed += counts[first] * _over_hands(table[first], left)
            continue
        for up in VALUES:
            chance = left[up] / (cards - 1)
            weighed += counts[first] * chance * _over_hands(table[up], _less(left, up))
    return weighed / cards


def _over_hands(table: tuple[tuple[float, ...], ...], counts: list[int]) -> float:
    cards = sum(counts)
    weighed = 0.0
    for one, row in enumerate(table):
        both = sum([count * value for count, value in zip(counts, row, strict=True)])
        weighed += counts[one] * (both - row[one])
    return weighed / (cards * (cards - 1))


def _less(counts: list[int], column: int) -> list[int]:
    return [count - (place == column) for place, count in enumerate(counts)]


def has_main_game(rules: RuleSet) -> bool:
    """Whether there is a blackjack hand at all."""
    return rules.filing.dealing is Dealing.STANDARD
