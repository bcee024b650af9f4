"""The theory of a round with several seats, compared with dealt rounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import pytest
from msgspec import structs

from blackjack.cards.card import ACE, DECK, TEN
from blackjack.rulebook.filings import FILINGS, Dealing
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN, PostedLimits
from blackjack.rulebook.rule_set import FILED, RuleSet, compose, filed_specs
from blackjack.settlement.side_bets import LOSS, SideBet, SideBetRole
from odds.main_game import MainRules, insurance_edge, kept, ranks_of
from odds.round_theory import theory_of
from odds.shoe import CardCounts
from odds.worth import worth
from tests.odds.main_game.simulation import Table

STAKES = (1, 3, 1, 2, 5)
"""What lies at each seat: all differ, so that squares and products are distinguished."""
ROUNDS = 30_000
SIGMAS = 5


def first_of(game: str, decks: int) -> RuleSet:
    specs = filed_specs(FILINGS[game])
    return next(compose(spec) for spec in specs if spec.decks == decks)


def variance_of(rules: RuleSet, wager: str) -> float:
    """Of a round with `STAKES`, by the formula that the theory is made for."""
    theory = theory_of(rules)[wager]
    squares, total = sum(stake**2 for stake in STAKES), sum(STAKES)
    return theory.variance * squares + theory.covariance * (total**2 - squares)


def assert_spread(results: Sequence[float], *, mean: float, variance: float) -> None:
    """The sample has this mean and variance, within what its own moments leave open."""
    assert abs(np.mean(results) - mean) < SIGMAS * sqrt(variance / len(results))
    squares = (np.array(results) - mean) ** 2
    assert abs(squares.mean() - variance) < SIGMAS * squares.std() / sqrt(len(results))


# Laws ----------------------------------------------------------------------------------


def test_every_wager_of_every_filed_rule_set_has_its_theory() -> None:
    for rules in FILED:
        expected = {*rules.filing.side_bets}
        if rules.filing.dealing is Dealing.STANDARD:
            expected |= {*rules.filing.base_wagers, INSURANCE}
        assert set(theory_of(rules)) == expected


def test_two_seats_never_hang_together_more_than_one_with_itself() -> None:
    for rules in FILED:
        for theory in theory_of(rules).values():
            assert theory.variance > 0.0
            assert abs(theory.covariance) <= theory.variance * (1 + 1e-12)


def test_a_side_bet_has_the_edge_and_the_variance_of_its_certificate() -> None:
    for rules in FILED:
        decks = rules.spec.decks
        for wager, filed in rules.filing.side_bets.items():
            house, paytable = rules.spec.house, rules.paytables[wager]
            exact = worth(filed, paytable, house, decks=decks, shoe=CardCounts.of_decks(decks))
            assert theory_of(rules)[wager].edge == float(exact.edge)
            assert theory_of(rules)[wager].variance == float(exact.variance)


def test_the_wagers_of_a_seat_add_up_to_its_main_game() -> None:
    """Half Back has two of equal height: a unit of each is one round of the analysis."""
    for rules in FILED:
        if rules.filing.dealing is not Dealing.STANDARD:
            continue
        analysis = kept(MainRules.of(rules), rules.spec.decks)
        assert analysis is not None
        parts = [theory_of(rules)[wager] for wager in rules.filing.base_wagers]
        assert sum(part.edge for part in parts) == pytest.approx(analysis.edge)
        assert sum(part.variance for part in parts) == pytest.approx(analysis.variance)
        assert sum(part.covariance for part in parts) == pytest.approx(analysis.covariance)


def test_half_back_is_two_wagers_and_other_games_have_one() -> None:
    assert HALF_BACK in theory_of(first_of("half_back", 6))
    assert HALF_BACK not in theory_of(first_of("skweezit", 6))
    assert MAIN not in theory_of(first_of("match_madness", 6))


def test_two_hands_against_one_dealer_are_as_near_as_is_published() -> None:
    """About 0.48 to 0.5 of a variance of about 1.3, with six decks."""
    theory = theory_of(first_of("skweezit", 6))[MAIN]
    assert theory.variance == pytest.approx(1.32, abs=0.03)
    assert theory.covariance == pytest.approx(0.49, abs=0.015)


def test_insurance_is_one_wager_for_all_seats() -> None:
    for decks in (1, 2, 5, 6, 8):
        rules = first_of("dead_mans_hand", decks)
        theory = theory_of(rules)[INSURANCE]
        won = Fraction(16 * decks, 52 * decks - 1)
        mean = 2 * won - (1 - won)
        assert insurance_edge(MainRules.of(rules), ranks_of(decks)) == -mean
        assert theory.edge == float(-mean)
        assert theory.variance == pytest.approx(float(4 * won + (1 - won) - mean**2))
        assert theory.covariance == theory.variance


def test_what_a_wager_is_worth_does_not_depend_on_limits() -> None:
    rules = first_of("double_action_iii", 6)
    other = compose(structs.replace(rules.spec, limits=PostedLimits(smallest_chip_cents=100)))
    assert other != rules
    assert theory_of(other) == theory_of(rules)
    assert theory_of(compose(rules.spec)) is theory_of(rules)


# Rounds that are dealt ------------------------------------------------------------------

OWN = (SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.THIRD)


def dealt(side_bet: SideBet, chance: Random, decks: int) -> list[str]:
    """The outcome at every seat of one round from a full shoe."""
    roles = side_bet.roles
    own = sum(role in OWN for role in roles)
    cards = chance.sample([*DECK] * decks, own * len(STAKES) + len(roles) - own)
    shared = cards[own * len(STAKES) :]
    outcomes = []
    for seat in range(len(STAKES)):
        outcome = side_bet.judge(*cards[own * seat : own * (seat + 1)], *shared)
        assert outcome is not None
        outcomes.append(outcome)
    return outcomes


def dead_mans_hand_dealt(side_bet: SideBet, chance: Random, decks: int) -> list[str]:
    """The same, each pair of aces or eights split as often as the first paytable allows."""
    cards = chance.sample([*DECK] * decks, 10 * len(STAKES))
    hands = [(cards.pop(), cards.pop()) for _ in STAKES]
    dealer = {cards.pop().points, cards.pop().points}
    outcomes = []
    for first, second in hands:
        outcome = side_bet.judge(first, second, None, None, None)
        if outcome is None:
            made, waiting, sets = 2, 2, 0
            while waiting:
                card = cards.pop()
                if card.rank == first.rank and made < (2 if first.rank == ACE else 4):
                    made, waiting = made + 1, waiting + 1
                else:
                    sets += {card.rank, first.rank} == {ACE, 8}
                    waiting -= 1
            outcome = side_bet.judge(first, second, dealer == {ACE, TEN}, True, sets)
        assert outcome is not None
        outcomes.append(outcome)
    return outcomes


@pytest.mark.parametrize(
    ("game", "decks", "wager"),
    [
        ("double_action_iii", 4, "double_action"),
        ("double_action_iii", 4, "match_madness"),
        ("match_madness", 1, "match_me"),
        ("match_madness", 6, "match_me_2"),
        ("skweezit", 2, "skweezit"),
        ("half_back", 6, "upcard_bonus"),
        ("dead_mans_hand", 1, "dead_mans_hand"),
    ],
)
def test_rounds_of_a_side_bet_spread_as_in_theory(game: str, decks: int, wager: str) -> None:
    rules = first_of(game, decks)
    paytable, side_bet = rules.paytables[wager], rules.side_bet(wager)
    deal = dead_mans_hand_dealt if SideBetRole.SETS in side_bet.roles else dealt
    chance = Random(f"{game}/{decks}/{wager}")
    pays = {LOSS: -1.0}
    for outcome in side_bet.outcomes:
        row = paytable.row(outcome)
        assert row is not None
        pays[outcome] = float(row.pays.ratio)
    results = [
        sum(
            stake * pays[outcome]
            for stake, outcome in zip(STAKES, deal(side_bet, chance, decks), strict=True)
        )
        for _ in range(ROUNDS)
    ]
    mean = -theory_of(rules)[wager].edge * sum(STAKES)
    assert_spread(results, mean=mean, variance=variance_of(rules, wager))


@pytest.mark.proof
@pytest.mark.parametrize(("game", "decks"), [("skweezit", 6), ("half_back", 6)])
def test_rounds_of_the_main_game_spread_as_in_theory(game: str, decks: int) -> None:
    rules = first_of(game, decks)
    table = Table(MainRules.of(rules), decks=decks, seats=len(STAKES), seed=20_260_301)
    results = [
        sum(stake * net for stake, (net, _) in zip(STAKES, table.round(), strict=True))
        for _ in range(ROUNDS)
    ]
    wagers = rules.filing.base_wagers
    mean = -sum(theory_of(rules)[wager].edge for wager in wagers) * sum(STAKES)
    variance = sum(variance_of(rules, wager) for wager in wagers)
    assert_spread(results, mean=mean, variance=variance)
