"""Terms of a promotion that only the catalogue has: a coupon is paid by them, early or late."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from blackjack.facts import CouponPresented, Event, RoundOpened
from blackjack.findings import Kind
from blackjack.money import Odds
from blackjack.outcomes import SettledRound, Step, WagerOutcome
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.promotions import PromotionKind, Terms
from blackjack.rulebook.rule_set import FILED
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.settlement.streams import without_terms

WITH_COUPONS = [game for game in GAMES if game != "match_madness"]
"""The simulator's patrons play no coupons at that game."""


def evening(game: str, *, seed: int = 3) -> tuple[list[Event], list[Event], list[Terms]]:
    """A table that reports its promotions, the same where it only names them, and their terms."""
    reported = play(seed=seed, table_id="T1", spec=specs(game)[0], rounds=12).events
    named, terms = without_terms(reported)
    assert any(isinstance(event.fact, CouponPresented) for event in named)
    return reported, named, terms


def outcomes(steps: list[Step]) -> dict[str, tuple[WagerOutcome, ...]]:
    latest: dict[str, SettledRound] = {}
    for step in steps:
        for settled in step.rounds:
            latest[settled.round] = settled
    return {name: settled_round.outcomes for name, settled_round in latest.items()}


def kinds(steps: list[Step]) -> list[Kind]:
    return [finding.kind for step in steps for finding in step.findings]


@pytest.mark.parametrize("game", WITH_COUPONS)
def test_a_coupon_is_paid_by_the_terms_of_the_catalogue(game: str) -> None:
    reported, named, terms = evening(game)
    _, expected = fold(Table.new("T1"), reported)
    _, steps = fold(Table.new("T1", FILED.with_terms(*terms)), named)
    assert outcomes(steps) == outcomes(expected)
    assert kinds(steps) == kinds(expected)
    _, without = fold(Table.new("T1"), named)
    assert Kind.COUPON_TERMS_UNKNOWN in kinds(without)


@pytest.mark.parametrize("game", WITH_COUPONS)
def test_terms_that_are_published_late_heal_the_round(game: str) -> None:
    reported, named, terms = evening(game)
    at = next(at for at, event in enumerate(named) if isinstance(event.fact, CouponPresented))
    later = [at for at, event in enumerate(named[at:], start=at) if type(event.fact) is RoundOpened]
    cut = later[1]
    table, before = fold(Table.new("T1"), named[:cut])
    unknown = [finding.id for step in before for finding in step.findings
               if finding.kind is Kind.COUPON_TERMS_UNKNOWN]  # fmt: skip
    assert unknown
    assert table.state.unknown_terms_seq >= table.base.next_seq
    table, step = publish(table, FILED.with_terms(*terms))
    assert table.state.unknown_terms_seq < table.base.next_seq
    assert set(unknown) <= {withdrawal.id for withdrawal in step.withdrawals}
    assert {(settled_round.version, settled_round.cause) for settled_round in step.rounds} == {
        (2, "definition published")
    }
    _, after = fold(table, named[cut:])
    _, expected = fold(Table.new("T1"), reported)
    assert outcomes([*before, step, *after]) == outcomes(expected)
    again, nothing = publish(table, FILED.with_terms(*terms))
    assert nothing == Step()
    assert again.next_seq == table.next_seq


def test_terms_that_are_invalid_are_not_in_the_catalogue() -> None:
    free = Terms("free", PromotionKind.FREE_BET, 500)
    silly = replace(free, pays=Odds(1, 0))
    known = FILED.with_terms(free, silly)
    assert known.terms(free.hash) == free
    assert known.terms(silly.hash) is None
    assert known.with_().terms(free.hash) == free
    assert FILED.terms(free.hash) is None


def test_a_coupon_of_unknown_terms_counts_as_waiting_though_its_round_has_a_hole() -> None:
    _, named, _ = evening("skweezit")
    at = next(at for at, event in enumerate(named) if isinstance(event.fact, CouponPresented))
    opened = max(at for at, event in enumerate(named[:at]) if type(event.fact) is RoundOpened)
    held = [event for place, event in enumerate(named[: at + 1]) if place != opened + 1]
    assert len(held) == at
    table, steps = fold(Table.new("T1"), held)
    assert Kind.COUPON_TERMS_UNKNOWN not in kinds(steps)
    assert table.state.unknown_terms_seq == named[at].seq
