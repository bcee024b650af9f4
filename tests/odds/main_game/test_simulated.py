"""Chance against reckoning: rounds are dealt at random and played as the analysis says."""

from collections import Counter
from math import sqrt
from random import Random

from odds.main_game import MainRules, Move, Strategy, analyse, ranks_of

ROUNDS = 40_000
SIGMAS = 5
DECKS = 1
RULES = MainRules(dealer_hits_soft_17=True, resplit_aces=True, hit_split_aces=True)


def total_of(cards: list[int]) -> tuple[int, bool]:
    hard = sum(cards)
    return (hard + 10, True) if 1 in cards and hard <= 11 else (hard, False)


class Dealer:
    """One shuffled deck after the other; a card is its rank, from 1 to 13."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.strategy = Strategy(RULES, ranks_of(DECKS))
        self.deck = [rank for rank in range(1, 14) for _ in range(4 * DECKS)]
        self.cards: list[int] = []

    def draw(self) -> int:
        return self.cards.pop()

    def round(self) -> tuple[float, str]:
        """Net units, and how the first hand ended."""
        self.cards = self.random.sample(self.deck, 40)
        ranks = [self.draw(), self.draw()]
        one, two = (min(rank, 10) for rank in ranks)
        up, hole = min(self.draw(), 10), min(self.draw(), 10)
        natural = total_of([one, two])[0] == 21
        if total_of([up, hole])[0] == 21:
            return (0.0, "push") if natural else (-1.0, "loss")
        if natural:
            return 1.5, "natural"
        move = self.strategy.first((one, two), up, pair=ranks[0] == ranks[1])
        if move is Move.SPLIT:
            hands = self.split(ranks[0], up)
        else:
            hands = [self.play([one, two], up, move)]
        dealer = self.dealer([up, hole])
        nets = [self.won(total, stake, dealer) for total, stake in hands]
        first = "win" if nets[0] > 0 else "loss" if nets[0] < 0 else "push"
        return float(sum(nets)), first

    def play(self, cards: list[int], up: int, move: Move) -> tuple[int, int]:
        if move is Move.DOUBLE:
            return total_of([*cards, min(self.draw(), 10)])[0], 2
        if move is Move.HIT:
            cards = [*cards, min(self.draw(), 10)]
            while total_of(cards)[0] <= 21 and self.strategy.hits(cards, up):
                cards.append(min(self.draw(), 10))
        return total_of(cards)[0], 1

    def split(self, rank: int, up: int) -> list[tuple[int, int]]:
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
                move = self.strategy.after_split(tuple(cards), up, hands_made=made, pair=pair)
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
        while total < 17 or (total == 17 and soft):
            cards.append(min(self.draw(), 10))
            total, soft = total_of(cards)
        return total

    @staticmethod
    def won(total: int, stake: int, dealer: int) -> int:
        if total > 21 or total < dealer <= 21:
            return -stake
        return 0 if total == dealer else stake


def test_random_rounds_spread_as_the_analysis_says() -> None:
    analysis = analyse(RULES, ranks_of(DECKS))
    dealer = Dealer(seed=20_260_301)
    results = [dealer.round() for _ in range(ROUNDS)]
    nets = [net for net, _ in results]

    mean = sum(nets) / ROUNDS
    assert abs(mean + analysis.edge) < SIGMAS * analysis.deviation / sqrt(ROUNDS)

    variance = sum((net - mean) ** 2 for net in nets) / ROUNDS
    fourth = sum((net + analysis.edge) ** 4 * chance for net, chance in analysis.net)
    error = sqrt((fourth - analysis.variance**2) / ROUNDS)
    assert abs(variance - analysis.variance) < SIGMAS * error

    ended = Counter(first for _, first in results)
    for name in ("natural", "win", "push", "loss"):
        expected = getattr(analysis.first_hand, name)
        error = sqrt(expected * (1 - expected) / ROUNDS)
        assert abs(ended[name] / ROUNDS - expected) < SIGMAS * error
