"""The engine against an oracle that was written apart from it, from the same filings.

`table_simulator` plays days of all five games, pays by its own oracle, and records the
oracle's verdict on every wager. The engine, folding the same stream, must agree to the
cent, and find nothing: nothing was wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from msgspec.structs import replace

from blackjack.facts import (
    DEALER,
    Action,
    CardDealt,
    CardsRemoved,
    Event,
    PlayerActed,
    RoundClosed,
    ShoeCounted,
    ShoeKind,
    WagerCollected,
    WagerReturned,
)
from blackjack.findings import Finding, Kind
from blackjack.outcomes import Payment, Result, RoundStatus, SettledRound, WagerOutcome
from blackjack.play.table import Table, fold
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import compose
from table_simulator.days.randomness import play, play_day, plays_of_day
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.games import GAMES, SIDE_WAGERS
from table_simulator.domain.oracle.paytables import DECKS, options
from table_simulator.domain.record import ExpectedRound, ExpectedWager
from table_simulator.domain.specs import specs
from table_simulator.domain.table_day import PlayedTable

SUMMER_OF_2022 = 1_656_640_800_000_000
"""When one wager was $300 at most."""

Line = tuple[int, int, str, bool, int, str, str, int, int, int, int, int, str]


def judged(events: list[Event]) -> tuple[dict[str, SettledRound], list[Finding]]:
    """The rounds of one table as the engine settled them, and all it found."""
    _, steps = fold(Table.new(events[0].table), events)
    rounds = {settled_round.round: settled_round for step in steps for settled_round in step.rounds}
    return rounds, [finding for step in steps for finding in step.findings]


def expected_lines(expected: ExpectedRound) -> set[Line]:
    """The oracle's round: paid and collected are the amounts owed and due, by the same hand."""
    return {
        (
            wager.seat,
            wager.hand,
            wager.wager,
            wager.tip,
            wager.stake_cents,
            wager.result,
            wager.outcome,
            wager.owed_cents,
            wager.taken_cents,
            wager.owed_cents,
            wager.taken_cents,
            wager.coupon_owed_cents,
            Payment.EXACT,
        )
        for wager in expected.wagers
        if wager.result is not Result.NOT_SETTLED
    }


def settled_lines(settled: SettledRound) -> set[Line]:
    """The engine's round in the same words."""
    return {
        (
            outcome.seat,
            outcome.hand,
            outcome.wager,
            outcome.tip,
            outcome.stake_cents,
            outcome.result,
            outcome.outcome,
            outcome.owed_cents,
            outcome.taken_cents,
            outcome.paid_cents,
            outcome.collected_cents,
            outcome.coupon_owed_cents,
            outcome.payment,
        )
        for outcome in settled.outcomes
        if outcome.result is not Result.NOT_SETTLED
    }


def unjudged(wagers: Iterable[ExpectedWager | WagerOutcome]) -> set[tuple[int, str]]:
    """Wagers of other filings: both sides know them, neither judges them."""
    return {(wager.seat, wager.wager) for wager in wagers if wager.result is Result.NOT_SETTLED}


def assert_agreement(played: PlayedTable) -> None:
    rounds, findings = judged(played.events)
    assert list(rounds) == [settled_round.round for settled_round in played.rounds]
    for expected in played.rounds:
        settled = rounds[expected.round]
        assert settled.status is RoundStatus.SETTLED
        assert settled.game == expected.game
        assert settled_lines(settled) == expected_lines(expected), expected.round
        assert unjudged(settled.outcomes) == unjudged(expected.wagers)
    assert [finding for finding in findings if finding.kind is not Kind.BIG_WIN] == []
    big_wins = {finding.round for finding in findings if finding.kind is Kind.BIG_WIN}
    assert big_wins == {
        settled_round.round for settled_round in played.rounds if settled_round.big_wins
    }


EVERY_SPEC = [
    pytest.param(game, number, id=f"{game}-{number}")
    for game in GAMES
    for number in range(len(specs(game)))
]


@pytest.mark.parametrize(("game", "number"), EVERY_SPEC)
def test_every_paytable_is_paid_as_the_oracle_pays_it(game: str, number: int) -> None:
    """Every filed paytable under many house rules, one round in three with rare cards on top."""
    kind = ShoeKind.CONTINUOUS if number % 3 == 2 else ShoeKind.SHOE
    spec = specs(game)[number]
    played = play(seed=1000 + number, table_id="T1", spec=spec, rounds=60, kind=kind, stacked=0.35)
    assert_agreement(played)


@pytest.mark.parametrize("seed", range(3))
def test_a_day_of_all_games_is_settled_as_the_oracle_settles_it(seed: int) -> None:
    for played in plays_of_day(seed=seed, tables=10, rounds=40):
        assert_agreement(played)


@pytest.mark.parametrize("game", GAMES)
def test_limits_of_an_earlier_year_are_those_of_that_year(game: str) -> None:
    spec = specs(game)[0]
    played = play(seed=5, table_id="T1", spec=spec, rounds=60, start_at=SUMMER_OF_2022)
    assert_agreement(played)


def test_a_rule_set_changed_between_rounds_governs_the_rounds_after_it() -> None:
    """Six decks of Double Action: another paytable and other house rules at half time."""
    first, second = [spec for spec in specs(GAMES[0]) if spec.decks == 6][:2]
    played = play(seed=9, table_id="T1", spec=first, next_spec=second, rounds=80, stacked=0.3)
    assert_agreement(played)
    rounds, _ = judged(played.events)
    used = [settled_round.context.rule_set for settled_round in rounds.values()]
    assert used == [compose(first).hash] * 40 + [compose(second).hash] * 40


def test_the_specs_reach_every_paytable_of_every_filing() -> None:
    for game in GAMES:
        reached = {
            (spec.decks, wager, option)
            for spec in specs(game)
            for wager, option in spec.paytables.items()
        }
        filed = {
            (decks, wager, option)
            for decks in DECKS[game]
            for wager in SIDE_WAGERS[game]
            for option in range(1, len(options(game, wager, decks)) + 1)
        }
        assert reached == filed


def test_the_stacked_rounds_reach_every_row_of_every_paytable() -> None:
    """Otherwise agreement would mean little for rows that come once in a million deals."""
    won = {
        (played.rounds[0].game, wager.wager, wager.outcome)
        for game in GAMES
        for number, spec in enumerate(specs(game))
        for played in [play(seed=number, table_id="T1", spec=spec, rounds=90, stacked=0.5)]
        for round_ in played.rounds
        for wager in round_.wagers
        if wager.result in (Result.WON, Result.PUSHED)
    }
    filed = {
        (game, wager, row)
        for game in GAMES
        for decks in DECKS[game]
        for wager in SIDE_WAGERS[game]
        for pays in options(game, wager, decks)
        for row in pays
    }
    assert filed - won == set()


def test_the_same_seed_plays_the_same_day() -> None:
    assert play_day(seed=3, tables=6, rounds=8) == play_day(seed=3, tables=6, rounds=8)
    assert play_day(seed=3, tables=6, rounds=8) != play_day(seed=4, tables=6, rounds=8)


def test_an_interleaved_day_is_the_tables_one_by_one() -> None:
    day = play_day(seed=7, tables=6, rounds=8)
    assert [event.at for event in day] == sorted(event.at for event in day)
    for played in plays_of_day(seed=7, tables=6, rounds=8):
        table = played.events[0].table
        assert [event for event in day if event.table == table] == played.events


@pytest.mark.parametrize(("game", "number"), EVERY_SPEC)
def test_a_shoe_that_cannot_read_cards_face_down_settles_the_same(game: str, number: int) -> None:
    """What lies face down is known from the moment it is turned, and nothing is held back."""
    played = play(seed=number, table_id="T1", spec=specs(game)[number], rounds=20, stacked=0.35)
    events = []
    for event in played.events:
        match event.fact:
            case CardDealt(face_up=False):
                event = replace(event, fact=replace(event.fact, card=None))
            case ShoeCounted():
                event = replace(event, fact=replace(event.fact, cards=()))
            case _:
                pass
        events.append(event)
    assert_agreement(PlayedTable(events, played.rounds))


def drafted(number: int, *, seed: int = 2) -> StreamDraft:
    """A stream of a standard house with late surrender, to be reported another way."""
    spec = specs(GAMES[0])[number]
    played = play(seed=seed, table_id="T1", spec=spec, rounds=40)
    return StreamDraft(played.events, Random(seed))


def findings_of(draft: StreamDraft) -> list[Finding]:
    return judged(draft.finish())[1]


def test_the_other_half_of_a_surrender_may_be_reported_as_returned() -> None:
    """Half is taken and half goes back: together the stake, and nothing left the tray."""
    draft = drafted(0)
    reported = 0
    for view in draft.rounds():
        for _, act in view.of(PlayerActed):
            for place, fact in view.settlements(act.seat, MAIN):
                if act.action is Action.SURRENDER and isinstance(fact, WagerCollected):
                    rest = view.stake(act.seat, MAIN) - fact.cents
                    draft.add(place, WagerReturned(act.seat, MAIN, rest))
                    reported += 1
    assert reported
    assert findings_of(draft) == []


def test_the_dealers_own_cards_may_be_reported_as_removed() -> None:
    """`CardsRemoved` with seat 0 is in the contract: the dealer's cards are cleared last."""
    draft = drafted(1)
    for view in draft.rounds():
        closed, _ = view.first(RoundClosed)
        draft.add(closed - 1, CardsRemoved(DEALER))
    assert findings_of(draft) == []


def test_winnings_of_a_tip_are_the_dealers_and_make_no_big_win() -> None:
    """Round 45: $3,000 to the player, not over it, and $1,000 on the tip beside his wager."""
    spec = specs(GAMES[0])[21]
    played = play(seed=155, table_id="T22", spec=spec, rounds=200, stacked=0.6)
    expected = {settled_round.round for settled_round in played.rounds if settled_round.big_wins}
    found = {finding.round for finding in judged(played.events)[1] if finding.kind is Kind.BIG_WIN}
    assert found == expected
