"""What holds for every evaluator, whatever its game."""

from __future__ import annotations

import pytest

from blackjack.rulebook.filings import FILINGS
from blackjack.settlement.side_bets import EVALUATORS, LOSS, SideBet

EACH = pytest.mark.parametrize("side_bet", EVALUATORS.values(), ids=EVALUATORS.keys())


def test_the_registry_knows_each_by_its_own_name() -> None:
    assert all(side_bet.evaluator == name for name, side_bet in EVALUATORS.items())


def test_every_evaluator_serves_a_filing() -> None:
    served = {
        filed.at(decks).evaluator
        for filing in FILINGS.values()
        for filed in filing.side_bets.values()
        for decks in filing.decks
    }
    assert served == set(EVALUATORS)


@EACH
def test_nothing_is_decided_before_the_first_card(side_bet: SideBet) -> None:
    assert side_bet.judge(*[None] * len(side_bet.roles)) is None


@EACH
def test_roles_and_outcomes_are_named_once(side_bet: SideBet) -> None:
    assert len(set(side_bet.roles)) == len(side_bet.roles)
    assert len(set(side_bet.outcomes)) == len(side_bet.outcomes)
    assert LOSS not in side_bet.outcomes
