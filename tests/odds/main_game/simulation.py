"""Rounds of the main game with several seats, dealt at random and played as is best."""

from __future__ import annotations

from random import Random

from odds.main_game import MainRules, Move, Strategy, ranks_of

REPLACED = range(3, 7)
CARDS_A_SEAT = 40
"""More than a seat and the dealer can use up; a shoe has no more than its cards."""


def total_of(cards: list[int]) -> tuple[int, bool]:
    hard = sum(cards)
    return (hard + 10, True) if 1 in cards and hard <= 11 else (hard, False)


class Table:
    """One shuffled shoe after the other; a card is its rank, from 1 to 13."""

    def __init__(self, rules: MainRules, *, decks: int, seats: int, seed: int) -> None:
        self.rules = rules
        self.seats = seats
        self.random = Random(seed)
        self.strategy = Strategy(rules, ranks_of(decks))
        self.shoe = [rank for rank in range(1, 14) for _ in range(4 * decks)]
        self.cards: list[int] = []
        self.up = 0
        self.discarded = 0

    def draw(self) -> int:
        return self.cards.pop()

    def round(self) -> list[tuple[float, str]]:
        """By seat: net units, and how the first hand ended."""
        self.cards = self.random.sample(self.shoe, min(len(self.shoe), CARDS_A_SEAT * self.seats))
        ranks = [(self.draw(), self.draw()) for _ in range(self.seats)]
        self.up, self.discarded = min(self.draw(), 10), 0
        if self.rules.half_back and self.up in REPLACED:
            self.discarded, self.up = self.up, min(self.draw(), 10)
        hole = min(self.draw(), 10)
        if total_of([self.up, hole])[0] == 21:
            return [self.against_blackjack(*rank) for rank in ranks]
        played = [self.seat(*rank) for rank in ranks]
        dealer = self.dealer([self.up, hole])
        return [hand if isinstance(hand, tuple) else self.ended(hand, dealer) for hand in played]

    def against_blackjack(self, one: int, two: int) -> tuple[float, str]:
        natural = total_of([min(one, 10), min(two, 10)])[0] == 21
        return (0.0, "push") if natural else (-float(self.rules.units), "loss")

    def seat(self, first: int, second: int) -> tuple[float, str] | list[tuple[int, int]]:
        """A natural with what it wins, or the totals and stakes of the hands that were played."""
        one, two = min(first, 10), min(second, 10)
        if total_of([one, two])[0] == 21:
            return self.rules.natural_net * self.rules.units, "natural"
        move = self.strategy.first(
            (one, two), self.up, pair=first == second, discarded=self.discarded
        )
        if move is Move.SPLIT:
            return self.split(first)
        return [self.play([one, two], move)]

    def ended(self, hands: list[tuple[int, int]], dealer: int) -> tuple[float, str]:
        nets = [self.won(total, stake, dealer) for total, stake in hands]
        first = "win" if nets[0] > 0 else "loss" if nets[0] < 0 else "push"
        return float(sum(nets)), first

    def play(self, cards: list[int], move: Move) -> tuple[int, int]:
        units = self.rules.units
        if move is Move.DOUBLE:
            return total_of([*cards, min(self.draw(), 10)])[0], units + 1
        if move is Move.HIT:
            cards = [*cards, min(self.draw(), 10)]
        if move is not Move.STAND:
            while total_of(cards)[0] <= 21 and self.strategy.hits(
                cards, self.up, discarded=self.discarded
            ):
                cards.append(min(self.draw(), 10))
        return total_of(cards)[0], 1 if move is Move.RETURN else units

    def split(self, rank: int) -> list[tuple[int, int]]:
        made, waiting = 2, 2
        hands = []
        while waiting:
            second = self.draw()
            cards = [min(rank, 10), min(second, 10)]
            pair = rank == second
            stake = 1
            while True:
                if total_of(cards)[0] > 21:
                    break
                move = self.strategy.after_split(
                    tuple(cards), self.up, hands_made=made, pair=pair, discarded=self.discarded
                )
                if move is Move.SPLIT:
                    made, waiting = made + 1, waiting + 1
                    second = self.draw()
                    cards, pair = [min(rank, 10), min(second, 10)], rank == second
                    continue
                if move is Move.STAND:
                    break
                cards.append(min(self.draw(), 10))
                if move is Move.DOUBLE:
                    stake = 2
                    break
            hands.append((total_of(cards)[0], stake))
            waiting -= 1
        return hands

    def dealer(self, cards: list[int]) -> int:
        total, soft = total_of(cards)
        while total < 17 or (total == 17 and soft and self.rules.dealer_hits_soft_17):
            cards.append(min(self.draw(), 10))
            total, soft = total_of(cards)
        return total

    @staticmethod
    def won(total: int, stake: int, dealer: int) -> int:
        if total > 21 or total < dealer <= 21:
            return -stake
        return 0 if total == dealer else stake
