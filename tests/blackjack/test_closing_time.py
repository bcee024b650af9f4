"""Bets close at the call or the first card, by device time and not by the order of the log."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blackjack.facts import (
    Action,
    BetsClosed,
    CardDealt,
    CouponPresented,
    Event,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    WagerChanged,
    WagerPlaced,
)
from blackjack.findings import Kind
from blackjack.hand_history import parse
from blackjack.outcomes import SettledRound, Step
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.rulebook.rule_set import FILED
from tests.blackjack.test_laws import Recipe, recipes, seeds, settled, standing

BETS = (WagerPlaced, WagerChanged, CouponPresented)


def numbered(events: list[Event]) -> list[Event]:
    return [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(events, 1)]


def delayed(events: list[Event], rng: Random) -> list[Event]:
    """The same facts at the same device times; some bets are reported after the close."""
    log: list[Event] = []
    waiting: list[Event] = []
    is_betting = False
    for event in events:
        fact = event.fact
        is_betting = isinstance(fact, RoundOpened) or (
            is_betting and not isinstance(fact, BetsClosed | CardDealt)
        )
        if is_betting and isinstance(fact, BETS) and rng.random() < 0.4:
            waiting.append(event)
            continue
        if not isinstance(fact, BetsClosed):
            while (
                waiting and not is_betting and (isinstance(fact, RoundClosed) or rng.random() < 0.2)
            ):
                log.append(waiting.pop(rng.randrange(len(waiting))))
        log.append(event)
    return numbered(log)


def owed(steps: list[Step]) -> dict[str, list[object]]:
    return {
        name: [
            (one.seat, one.hand, one.wager, one.tip, one.stake_cents, one.result, one.outcome,
             one.owed_cents, one.taken_cents, one.coupon)
            for one in settled_round.outcomes
        ]
        for name, settled_round in settled(steps).items()
    }  # fmt: skip


@given(recipes(rounds=4), seeds)
def test_a_bet_made_in_time_counts_however_late_it_is_reported(recipe: Recipe, seed: int) -> None:
    events = recipe.play()
    late = delayed(events, Random(seed))
    table, steps = fold(Table.new("T1"), late)
    assert owed(steps) == owed(fold(Table.new("T1"), events)[1])
    found = {finding.kind for finding in standing(steps).values()} - {Kind.BIG_WIN}
    assert found == set(), "a report that is late is no fault"
    again = publish(table, FILED)[1]
    assert (again.rounds, again.withdrawals) == ((), ()), "folded again, it is the same"


def placed(played: SettledRound) -> int:
    """The bets before the deal."""
    return sum(one.placed_cents for one in played.outcomes if one.wager != INSURANCE)


def lone_bets(events: list[Event]) -> list[tuple[int, WagerPlaced]]:
    """Bets that nothing else in the log is about: no coupon, change or decision to add chips."""
    busy = {
        (fact.seat, getattr(fact, "wager", None))
        for event in events
        if isinstance(fact := event.fact, WagerChanged | CouponPresented)
        or (isinstance(fact, PlayerActed) and fact.action in (Action.DOUBLE, Action.SPLIT))
    }
    bets = [
        (at, event.fact) for at, event in enumerate(events) if isinstance(event.fact, WagerPlaced)
    ]
    return [
        (at, bet)
        for at, bet in bets
        if bet.cents and not {(bet.seat, bet.wager), (bet.seat, None)} & busy and not bet.coupon
    ]


@given(recipes(rounds=2), seeds, st.sampled_from((1, 500_000, 60_000_000)))
def test_a_bet_made_after_the_first_card_does_not_count_however_early_it_is_reported(
    recipe: Recipe, seed: int, late_us: int
) -> None:
    events = recipe.play()
    assume(found_bets := lone_bets(events))
    at, bet = Random(seed).choice(found_bets)
    closed = next(at for at in range(at, len(events)) if isinstance(events[at].fact, BetsClosed))
    first_card = events[closed + 1]
    assert isinstance(first_card.fact, CardDealt)
    close_at = min(events[closed].at, first_card.at)
    moved_us = close_at + late_us - events[at].at
    events[at] = msgspec.structs.replace(
        events[at],
        at=events[at].at + moved_us,
        ingested_at=events[at].ingested_at + moved_us if events[at].ingested_at else 0,
    )
    before = settled(fold(Table.new("T1"), recipe.play())[1])
    steps = fold(Table.new("T1"), events)[1]
    found = [finding for finding in standing(steps).values() if finding.kind is Kind.PAST_POST]
    reported = [(finding.seat, finding.wager, finding.cents) for finding in found]
    assert reported == [(bet.seat, bet.wager, bet.cents)]
    for name, after in settled(steps).items():
        lost = sum(finding.cents for finding in found if finding.round == name)
        assert placed(after) == placed(before[name]) - lost


HEAD = """
rules skweezit decks 6 skweezit 1
round R at 2026-03-01T20:00:00Z
bet 1 main 20.00
"""


@pytest.mark.parametrize(
    ("lines", "past_post_cents"),
    [
        # by the call, and equal times are in time
        ("no more bets @ 2026-03-01T20:00:10Z|change 1 main to 50 @ 2026-03-01T20:00:10Z", 0),
        ("no more bets @ 2026-03-01T20:00:10Z|change 1 main to 50 @ 2026-03-01T20:00:11Z", 3000),
        # a burn card closes nothing, the first card to a seat does
        ("burn 5C|change 1 main to 50|no more bets|deal 1 AC", 0),
        ("deal 1 AC|change 1 main to 50|no more bets", 3000),
        ("deal dealer 9D|change 1 main to 50|no more bets", 3000),
        # a wrong clock is not believed, neither the chip reader's nor the shoe's
        (
            "no more bets @ 2026-03-01T20:00:10Z"
            "|change 1 main to 50 @ 2026-03-01T20:00:09Z via chips received +2s",
            3000,
        ),
        (
            "change 1 main to 50 @ 2026-03-01T20:00:12Z"
            "|deal 1 AC @ 2026-03-01T20:00:09Z via shoe received +4s",
            0,
        ),
        # a report that waited for the network is right
        (
            "no more bets @ 2026-03-01T20:00:10Z"
            "|change 1 main to 50 @ 2026-03-01T20:00:09Z via chips received +2s waited +2s",
            0,
        ),
        # taken back in time, reported late: no pinch
        ("no more bets @ 2026-03-01T20:00:10Z|change 1 main to 5 @ 2026-03-01T20:00:09Z", 0),
        # an earlier time of the call than of the card counts, whatever came first
        (
            "deal 1 AC @ 2026-03-01T20:00:12Z|no more bets @ 2026-03-01T20:00:08Z"
            "|change 1 main to 50 @ 2026-03-01T20:00:09Z",
            3000,
        ),
    ],
)
def test_when_bets_close(lines: str, past_post_cents: int) -> None:
    history = parse(HEAD + lines.replace("|", "\n") + "\n")
    assert history.problems == ()
    name = history.events[0].table
    found = standing(fold(Table.new(name), history.events)[1]).values()
    cents = [finding.cents for finding in found if finding.kind is Kind.PAST_POST]
    assert cents == ([past_post_cents] if past_post_cents else [])
    assert not [finding for finding in found if finding.kind is Kind.PINCH]
