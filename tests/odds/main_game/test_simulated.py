"""Chance against reckoning: rounds are dealt at random and played by the analysis."""

from collections import Counter
from math import sqrt

from odds.main_game import MainRules, analyse, ranks_of
from tests.odds.main_game.simulation import Table

ROUNDS = 40_000
SIGMAS = 5
DECKS = 1
RULES = MainRules(dealer_hits_soft_17=True, resplit_aces=True, hit_split_aces=True)


def test_random_rounds_spread_as_analyzed() -> None:
    analysis = analyse(RULES, ranks_of(DECKS))
    table = Table(RULES, decks=DECKS, seats=1, seed=20_260_301)
    results = [table.round()[0] for _ in range(ROUNDS)]
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
