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

from blackjack.cards.hand import total_of
from blackjack.outcomes import HandCards, Result, SettledRound, WagerOutcome
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from odds.main_game import MainRules, Move, Start
from odds.main_game.arrays import Floats
from odds.main_game.dealer import final_totals, no_blackjack
from odds.shoe import CardCounts
from surveillance.domain.statistics.evidence import StreamEvidence, StreamKind, Ticket
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
_REPLACED: Final = slice(2, 6)
"""Three to six, as columns: Half Back replaces them once."""
_ONE_EACH: Final = np.eye(len(VALUES))

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


@lru_cache(maxsize=1024)
def _deal_array(rules: RuleSet) -> Floats:
    return np.array(deal_values(rules), np.float64)


def _brings(start: Start, rules: MainRules) -> float:
    """Before the peek, the unit itself included."""
    natural = start.best is Move.NATURAL
    against_blackjack = 1.0 if natural else 0.0
    played = 1.0 + start.value / rules.units
    return start.passes * played + (1.0 - start.passes) * against_blackjack


class MainLuck:
    """The main wager in one round; what all subjects share is worked out once."""

    def __init__(self, played: SettledRound, rules: RuleSet, shoe: CardCounts) -> None:
        self._played = played
        self._rules = MainRules.of(rules)
        self._table = deal_values(rules)
        self._up = up_card(played)
        counts = np.array(by_points(shoe), np.float64)
        self._average = _average(_deal_array(rules), counts, half_back=self._rules.half_back)
        self._due = self._dealers_ends(shoe)
        self._free_aces = {hand.seat for hand in played.hands if hand.free_ace}
        self._dealt_at = {seat: self._dealt(seat) for seat in {hand.seat for hand in played.hands}}

    def of(self, bets: Sequence[WagerOutcome]) -> StreamEvidence | None:
        """The evidence of the base wagers of one subject."""
        deal, end = self._deal(bets), self._end(bets)
        if not deal and not end:
            return None
        return StreamEvidence(
            StreamKind.LUCK,
            MAIN,
            (deal, end),
            observed=sum([bet.net_owed for bet in bets]),
            expected=round(sum([weight_of(bet) for bet in bets]) * (self._average - 1.0)),
        )

    def _deal(self, bets: Iterable[WagerOutcome]) -> tuple[Ticket, ...]:
        staked = back = 0.0
        for bet in bets:
            # Half Back's second wager is as high, and moves when a pair is split.
            if bet.wager == MAIN and bet.hand == 1 and bet.seat not in self._free_aces:
                staked += weight_of(bet)
                back += weight_of(bet) * self._dealt_at.get(bet.seat, 0.0)
        return (Ticket(back / staked / self._average),) if staked else ()

    def _dealt(self, seat: int) -> float:
        """What the deal to a seat brings back, best played; nothing where a card is unknown."""
        cards = first_cards(self._played.hands, seat, 2)
        if self._up is None or len(cards) < 2 or cards[0] is None or cards[1] is None:
            return 0.0
        return self._table[self._up.points - 1][cards[0].points - 1][cards[1].points - 1]

    def _end(self, bets: Iterable[WagerOutcome]) -> tuple[Ticket, ...]:
        back = due = 0.0
        for bet in bets:
            brings = self._due.get((bet.seat, bet.hand))
            if brings is None or bet.result is Result.RETURNED:
                continue
            due += bet.stake_cents * brings
            back += bet.stake_cents * _BRINGS.get(bet.result, 0.0)
        return (Ticket(back / due),) if due else ()

    def _dealers_ends(self, shoe: CardCounts) -> dict[tuple[int, int], float]:
        """What a unit on each hand that stands brings back on average, by seat and hand."""
        played = self._played
        if self._up is None or has_blackjack(played):
            return {}
        left = at_the_dealers_turn(played, shoe)
        if left is None or sum(left) < CARDS_MIN:
            return {}
        standing = {
            (hand.seat, hand.hand): total_of(card for card in hand.cards if card)[0]
            for hand in played.hands
            if _stands(hand)
        }
        column = self._up.points - 1
        counts = np.array([left], dtype=np.float64)
        passes = float(no_blackjack(counts, column)[0])
        if passes <= 0.0 or not standing:
            return {}
        soft = self._rules.dealer_hits_soft_17
        chances = final_totals(counts, column, hits_soft_17=soft)[0] / passes
        ends = {17 + place: float(chance) for place, chance in enumerate(chances)}
        ends[0] = 1.0 - sum(ends.values())  # a bust
        due = {total: _brings_against(total, ends) for total in set(standing.values())}
        return {place: due[total] for place, total in standing.items()}


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


def _average(values: Floats, counts: Floats, *, half_back: bool) -> float:
    """Of what a unit brings back, over all deals of two cards and an up card.

    `values` by up card and both cards of a hand, `counts` of the shoe.
    """
    cards = counts.sum()
    left = counts - _ONE_EACH
    weighed = counts * _over_hands(values, left)
    if half_back:
        # The first up card leaves the hand, and another one counts.
        first = left[_REPLACED]
        after = _over_hands(values, first[:, None, :] - _ONE_EACH)
        weighed[_REPLACED] = counts[_REPLACED] * (first * after).sum(axis=1) / (cards - 1)
    return float(weighed.sum() / cards)


def _over_hands(values: Floats, left: Floats) -> Floats:
    """The average over two cards of what is left; by up card, which is the axis before the last."""
    cards = left.sum(axis=-1)
    both = ((left[..., None, :] @ values)[..., 0, :] * left).sum(axis=-1)
    pairs = (left * values.diagonal(axis1=-2, axis2=-1)).sum(axis=-1)
    average: Floats = (both - pairs) / (cards * (cards - 1.0))
    return average


def has_main_game(rules: RuleSet) -> bool:
    """Whether there is a blackjack hand at all."""
    return rules.filing.dealing is Dealing.STANDARD
