"""Many tables dealt at once: shuffled shoes, players who hit and stand, a dealer who must.

A fast form for measurements, in arrays by day: each day is a table with a few spots, of which
the first is that of a patron who is watched. Cards come from whole shoes, shuffled and dealt to
the cut; nothing is drawn from a law. `as_settled_round` gives any round as the engine would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from blackjack.cards.card import DECK
from blackjack.outcomes import HandCards, Result, SettledRound, WagerOutcome
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.side_bets import LOSS
from odds.shoe import CardCounts
from tests.surveillance.statistics.rounds import bet, dealers, hand, played, rules_of

Cards = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

RULES: Final[RuleSet] = rules_of("skweezit")
DECKS: Final = RULES.spec.decks
SIDE: Final = "skweezit"
SEATS: Final = 3
CUT: Final = 234
"""Three quarters of the shoe are dealt."""

HANDS_MAX: Final = 12
"""Cards that a hand can have at most here."""

POINTS: Final = np.array([card.points for card in DECK])
BY_POINTS: Final = (POINTS[:, None] == np.arange(1, 11)).astype(np.int64)
_NONE: Final = -1


def _brings() -> Floats:
    """What a unit on the side bet brings back, by first, second and up card."""
    side_bet, table = RULES.side_bet(SIDE), RULES.paytables[SIDE]
    found = np.zeros((52, 52, 52))
    for up in DECK:
        for one in DECK:
            for two in DECK[: one.index + 1]:
                outcome = side_bet.judge(one, two, up)
                row = table.row(outcome or LOSS)
                if row is not None:
                    found[one.index, two.index, up.index] = 1 + row.pays.win / row.pays.stake
                    found[two.index, one.index, up.index] = 1 + row.pays.win / row.pays.stake
    return found


BRINGS: Final = _brings()


@dataclass(frozen=True)
class Round:
    """One round of every day."""

    left: Cards
    """By day and card: what was left when it was dealt."""
    shoe: Cards
    """By day: the number of the shoe."""
    hands: Cards
    """By seat, day and place: the cards of a hand, -1 where there is none."""
    up: Cards
    hole: Cards
    dealer: Cards
    """The dealer's total, 0 for a bust; 21 with a blackjack."""
    blackjack: Booleans
    unseen: Cards
    """By day and value: what the hole card was one of when all had acted."""
    stakes: Cards
    """By seat and day, on the main wager."""

    @property
    def totals(self) -> Cards:
        """By seat and day."""
        return totals_of(self.hands)


class Misconduct:
    """What is wrong at the tables: nothing."""

    def stakes(self, floor: Floor) -> Cards:
        """Main wagers by seat and day; by chance, whatever the cards."""
        return floor.rng.choice([10_00, 10_00, 10_00, 20_00, 50_00], size=(SEATS, floor.days))

    def helps(self, floor: Floor) -> None:
        """The cards before they are dealt."""

    def draws(self, floor: Floor, total: Cards, soft: Booleans, up: Cards, hole: Cards) -> Booleans:
        """Whether the patron draws; one decision in ten is made without any thought."""
        del hole
        usual = basic(total, soft, up)
        random = floor.rng.random(floor.days) < 0.1
        return np.where(random & (total < 20), floor.rng.random(floor.days) < 0.5, usual)


def basic(total: Cards, soft: Booleans, up: Cards) -> Booleans:
    """Hit or stand, near enough to basic strategy."""
    strong = (up == 1) | (up >= 7)
    return np.where(soft, total <= 17, total < np.where(strong, 17, 12))


class Floor:
    """Tables that are dealt in step."""

    def __init__(self, days: int, seed: int, misconduct: Misconduct | None = None) -> None:
        self.days = days
        self.rng = np.random.default_rng(seed)
        self.misconduct = misconduct or Misconduct()
        self.every = np.arange(days)
        self.cards = np.zeros((days, 52 * DECKS), dtype=np.int64)
        self.place = np.full(days, 52 * DECKS)
        self.left = np.zeros((days, 52), dtype=np.int64)
        self.shoe = np.zeros(days, dtype=np.int64)

    def deal(self) -> Round:
        """The next round of every day."""
        self._shuffle()
        before = self.left.copy()
        stakes = self.misconduct.stakes(self)
        self.misconduct.helps(self)
        everybody = np.ones(self.days, dtype=np.bool_)
        hands = np.full((SEATS, self.days, HANDS_MAX), _NONE)
        for seat in range(SEATS):
            hands[seat, :, 0] = self._draw(everybody)
        up = self._draw(everybody)
        for seat in range(SEATS):
            hands[seat, :, 1] = self._draw(everybody)
        hole = self._draw(everybody)
        blackjack = POINTS[up] + POINTS[hole] == 11
        blackjack &= (POINTS[up] == 1) | (POINTS[hole] == 1)
        for seat in range(SEATS):
            self._play(seat, hands[seat], up, hole, ~blackjack)
        unseen = self.left @ BY_POINTS
        unseen[self.every, POINTS[hole] - 1] += 1
        dealer = self._dealer(up, hole)
        return Round(before, self.shoe.copy(), hands, up, hole, dealer, blackjack, unseen, stakes)

    def _shuffle(self) -> None:
        over = self.place >= CUT
        if over.any():
            fresh = np.tile(np.repeat(np.arange(52), DECKS), (int(over.sum()), 1))
            self.cards[over] = self.rng.permuted(fresh, axis=1)
            self.place[over] = 0
            self.left[over] = DECKS
            self.shoe[over] += 1

    def _draw(self, who: Booleans) -> Cards:
        """A card for these days, -1 for the others."""
        found = np.full(self.days, _NONE)
        days = self.every[who]
        found[who] = self.cards[days, self.place[days]]
        self.place[days] += 1
        self.left[days, found[who]] -= 1
        return found

    def _play(self, seat: int, cards: Cards, up: Cards, hole: Cards, acting: Booleans) -> None:
        for size in range(2, HANDS_MAX):
            total, soft = total_and_soft(cards)
            if seat == 0:
                wish = self.misconduct.draws(self, total, soft, POINTS[up], POINTS[hole])
            else:
                wish = basic(total, soft, POINTS[up])
            acting = acting & wish & (total < 21)
            if not acting.any():
                return
            cards[:, size] = self._draw(acting)

    def _dealer(self, up: Cards, hole: Cards) -> Cards:
        cards = np.full((self.days, HANDS_MAX), _NONE)
        cards[:, 0], cards[:, 1] = up, hole
        for size in range(2, HANDS_MAX):
            total, _ = total_and_soft(cards)
            drawing = total < 17
            if not drawing.any():
                break
            cards[:, size] = self._draw(drawing)
        total, _ = total_and_soft(cards)
        return np.where(total > 21, 0, total)


def total_and_soft(cards: Cards) -> tuple[Cards, Booleans]:
    """The best total of a hand by day, and whether an ace counts eleven in it."""
    points = np.where(cards >= 0, POINTS[cards], 0)
    hard = points.sum(axis=-1)
    soft = (points == 1).any(axis=-1) & (hard <= 11)
    return np.where(soft, hard + 10, hard), soft


def totals_of(hands: Cards) -> Cards:
    return total_and_soft(hands)[0]


def side_brings(each: Round, seat: int) -> Floats:
    """What a unit on the side bet of a spot brought back."""
    return BRINGS[each.hands[seat, :, 0], each.hands[seat, :, 1], each.up]


def standing(each: Round) -> Booleans:
    """By seat and day: whether a hand is still to be decided at the dealer's turn."""
    natural = (each.totals == 21) & (each.hands[:, :, 2] == _NONE)
    stand: Booleans = (each.totals <= 21) & ~natural & ~each.blackjack
    return stand


def results(each: Round) -> Cards:
    """By seat and day: 2 for a win, 1 for a push, 0 for a loss."""
    natural = (each.totals == 21) & (each.hands[:, :, 2] == _NONE)
    bust = each.totals > 21
    won = np.where(each.totals > each.dealer, 2, np.where(each.totals == each.dealer, 1, 0))
    won = np.where(natural, np.where(each.blackjack, 1, 2), won)
    won = np.where(each.blackjack & ~natural, 0, won)
    return np.where(bust, 0, won)


_RESULTS: Final = (Result.LOST, Result.PUSHED, Result.WON)


def as_settled_round(each: Round, day: int, number: int) -> SettledRound:
    """What the engine would say of it, as far as statistics look."""
    hands: list[HandCards] = []
    outcomes: list[WagerOutcome] = []
    for seat in range(SEATS):
        cards = [DECK[card] for card in each.hands[seat, day] if card >= 0]
        hands.append(hand(seat + 1, cards))
        cents = int(each.stakes[seat, day])
        result = _RESULTS[int(results(each)[seat, day])]
        outcomes.append(bet(seat + 1, MAIN, result, cents=cents))
        outcome = RULES.side_bet(SIDE).judge(cards[0], cards[1], DECK[each.up[day]]) or LOSS
        result = Result.LOST if outcome == LOSS else Result.WON
        outcomes.append(bet(seat + 1, SIDE, result, outcome, cents=5_00))
    return played(
        RULES,
        CardCounts(tuple(int(count) for count in each.left[day])),
        dealer=dealers(DECK[each.up[day]], DECK[each.hole[day]]),
        hands=hands,
        outcomes=outcomes,
        number=number,
        shoe_name=str(each.shoe[day]),
    )
