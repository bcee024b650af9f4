"""Laws of the fold, on days played from any seed. Each test tries to break one."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from blackjack.facts import (
    BetsClosed,
    Event,
    RoundClosed,
    RoundOpened,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.findings import Finding, Kind
from blackjack.outcomes import Result, SettledRound, Step
from blackjack.play.table import ROUNDS_KEPT, Table, advance, fold
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.rulebook.rule_set import FILED, Catalogue, compose
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.plain import plain, weight

seeds = st.integers(0, 2**32)


@dataclass(frozen=True)
class Recipe:
    """How a table was played: short enough to print when a law breaks."""

    game: str
    at: int
    seed: int
    stacked: float
    rounds: int

    def play(self) -> list[Event]:
        return play(
            seed=self.seed,
            table_id="T1",
            spec=specs(self.game)[self.at],
            rounds=self.rounds,
            stacked=self.stacked,
        ).events


@st.composite
def recipes(draw: st.DrawFn, rounds: int = 6) -> Recipe:
    """A table of any game at which correct rounds are played."""
    game = draw(st.sampled_from(GAMES))
    at = draw(st.integers(0, len(specs(game)) - 1))
    return Recipe(game, at, draw(seeds), draw(st.sampled_from([0.0, 0.5])), rounds)


def settled(steps: list[Step]) -> dict[str, SettledRound]:
    """The latest version of every round."""
    return {settled_round.round: settled_round for step in steps for settled_round in step.rounds}


def standing(steps: list[Step]) -> dict[str, Finding]:
    """Findings that were made and not withdrawn."""
    found: dict[str, Finding] = {}
    for step in steps:
        found |= {finding.id: finding for finding in step.findings}
        for withdrawal in step.withdrawals:
            found.pop(withdrawal.id, None)
    return found


def judged(steps: list[Step]) -> dict[str, SettledRound]:
    """Rounds as judged, whatever number of versions it took."""
    return {
        name: msgspec.structs.replace(settled_round, version=0, cause="")
        for name, settled_round in settled(steps).items()
    }


@given(recipes(), st.data())
def test_replay_from_any_prefix_goes_on_as_if_never_interrupted(
    recipe: Recipe, data: st.DataObject
) -> None:
    events = recipe.play()
    cut = data.draw(st.integers(0, len(events)))
    whole, steps = fold(Table.new("T1"), events)
    first, before = fold(Table.new("T1"), events[:cut])
    second, after = fold(first, events[cut:])
    assert before + after == steps
    assert plain(second) == plain(whole)


@given(recipes(rounds=3), st.data())
def test_advance_leaves_its_argument_as_it_was(recipe: Recipe, data: st.DataObject) -> None:
    events = recipe.play()
    cut = data.draw(st.integers(0, len(events) - 1))
    table, _ = fold(Table.new("T1"), events[:cut])
    was = plain(table)
    one, step = advance(table, events[cut])
    assert plain(table) == was
    two, again = advance(table, events[cut])
    assert (plain(one), step) == (plain(two), again)


@given(recipes())
def test_advance_one_by_one_is_the_same_as_fold(recipe: Recipe) -> None:
    events = recipe.play()
    table = Table.new("T1")
    steps = []
    for event in events:
        table, step = advance(table, event)
        steps.append(step)
    folded, together = fold(Table.new("T1"), events)
    assert steps == together
    assert plain(table) == plain(folded)


@given(recipes())
def test_chips_are_conserved(recipe: Recipe) -> None:
    """What the tray gained in a round is what its wagers lost, to the cent."""
    events = recipe.play()
    table = Table.new("T1")
    before = 0
    for event in events:
        if isinstance(event.fact, RoundOpened):
            before = table.state.tray.expected or 0
        table, step = advance(table, event)
        for settled_round in step.rounds:
            gained = sum(one.collected_cents - one.paid_cents for one in settled_round.outcomes)
            sales = sum(
                getattr(other.fact, "cents", 0)
                for other in events
                if settled_round.first_seq < other.seq < settled_round.last_seq
                and type(other.fact).__name__ == "ChipsSold"
            )
            assert (table.state.tray.expected or 0) - before == gained - sales


@given(recipes())
def test_nothing_is_found_where_nothing_is_wrong(recipe: Recipe) -> None:
    events = recipe.play()
    _, steps = fold(Table.new("T1"), events)
    assert [
        finding for finding in standing(steps).values() if finding.kind is not Kind.BIG_WIN
    ] == []
    assert all(
        one.difference_cents == 0
        for settled_round in settled(steps).values()
        for one in settled_round.outcomes
    )


SETTLING = (WagerPaid, WagerCollected, WagerReturned)


@given(recipes(rounds=4), seeds)
def test_the_order_of_payments_does_not_change_the_amounts_owed(recipe: Recipe, seed: int) -> None:
    events = recipe.play()
    rng = Random(seed)
    mixed = list(events)
    places: list[int] = []
    for at, event in enumerate(mixed):
        if isinstance(event.fact, SETTLING):
            places.append(at)
        elif isinstance(event.fact, RoundClosed):
            facts = [mixed[place].fact for place in places]
            rng.shuffle(facts)
            for place, fact in zip(places, facts, strict=True):
                mixed[place] = msgspec.structs.replace(mixed[place], fact=fact)
            places = []
    _, in_order = fold(Table.new("T1"), events)
    _, shuffled = fold(Table.new("T1"), mixed)

    def owed(steps: list[Step]) -> list[object]:
        return [
            (settled_round.round, one.seat, one.hand, one.wager, one.tip, one.result, one.outcome,
             one.owed_cents, one.taken_cents)
            for settled_round in settled(steps).values()
            for one in settled_round.outcomes
        ]  # fmt: skip

    assert owed(shuffled) == owed(in_order)


@given(recipes(rounds=8), seeds)
def test_duplicates_change_nothing(recipe: Recipe, seed: int) -> None:
    """A controller resends unacknowledged events: anything from the last rounds again."""
    events = recipe.play()
    rng = Random(seed)
    resent: list[Event] = []
    for at, event in enumerate(events):
        resent.append(event)
        if rng.random() < 0.2:
            resent.extend(events[max(0, at - rng.randrange(30)) : at + 1])
    once, steps = fold(Table.new("T1"), events)
    twice, more = fold(Table.new("T1"), resent)
    assert plain(twice) == plain(once)
    assert [step for step in more if step != Step()] == [step for step in steps if step != Step()]


@given(recipes(rounds=8), seeds)
def test_late_facts_heal_the_rounds_they_were_missing_from(recipe: Recipe, seed: int) -> None:
    """Facts that come late, in any order, leave the same rounds and findings as in time."""
    events = recipe.play()
    rng = Random(seed)
    waiting: list[tuple[int, Event]] = []
    arrived: list[Event] = []
    for at, event in enumerate(events):
        if at > 0 and rng.random() < 0.02:
            waiting.append((at + rng.randrange(1, 60), event))
            continue
        arrived.append(event)
        due = [event for when, event in waiting if when <= at]
        waiting = [(when, event) for when, event in waiting if when > at]
        arrived.extend(due)
    arrived.extend(event for _, event in waiting)
    in_time, steps = fold(Table.new("T1"), events)
    late, healed = fold(Table.new("T1"), arrived)
    assert judged(healed) == judged(steps)
    assert standing(healed) == standing(steps)
    assert plain(late.state) == plain(in_time.state)


@given(recipes(rounds=5), st.booleans())
def test_a_settled_round_is_rebuilt_from_its_context_and_its_own_events(
    recipe: Recipe, skewed: bool
) -> None:
    events = recipe.play()
    if skewed:
        events = [
            msgspec.structs.replace(
                event,
                ingested_at=event.at + 700_000,
                digest=b"%32d" % event.seq,
                previous=b"%32d" % (event.seq - 1) if event.seq > 1 else b"",
            )
            for event in events
        ]
    definitions = [
        event.fact.definition
        for event in events
        if hasattr(event.fact, "definition") and event.fact.definition is not None
    ]
    catalogue: Catalogue = FILED.with_(*(compose(definition) for definition in definitions))
    terms = [event.fact.terms for event in events if hasattr(event.fact, "terms")]
    _, steps = fold(Table.new("T1", catalogue), events)
    for settled_round in settled(steps).values():
        own = [e for e in events if settled_round.first_seq <= e.seq <= settled_round.last_seq]
        resumed = Table.resumed(
            "T1",
            settled_round.context,
            first_seq=settled_round.first_seq,
            terms=terms,
            catalogue=catalogue,
        )
        _, again = fold(resumed, own)
        assert settled(again)[settled_round.round] == settled_round


def test_the_state_of_a_table_is_bounded() -> None:
    """However long a table plays, it holds its last rounds and no more."""
    spec = specs("double_action_iii")[0]
    events = play(seed=5, table_id="T1", spec=spec, rounds=400, seats=5).events
    table = Table.new("T1")
    weights: list[int] = []
    kept: list[int] = []
    for event in events:
        table, _ = advance(table, event)
        if isinstance(event.fact, RoundOpened):
            weights.append(weight(plain(table)))
            kept.append(sum(isinstance(event.fact, RoundOpened) for event in table.events))
    assert max(kept) <= ROUNDS_KEPT
    assert max(weights[200:]) < 1.25 * max(weights[20:200])


@given(recipes(rounds=12))
def test_placed_chips_are_those_of_the_facts_before_the_deal(recipe: Recipe) -> None:
    events = recipe.play()
    placed: dict[tuple[str, int, str, bool], int] = {}
    name, is_open = "", False
    for event in events:
        match event.fact:
            case RoundOpened(round=name):
                is_open = True
            case BetsClosed():
                is_open = False
            case (
                WagerPlaced(seat=seat, wager=wager, cents=cents, tip=tip)
                | WagerChanged(seat=seat, wager=wager, cents=cents, tip=tip)
            ) if is_open:
                placed[name, seat, wager, tip] = cents
            case _:
                pass
    _, steps = fold(Table.new("T1"), events)
    outcome_cents: dict[tuple[str, int, str, bool], int] = {}
    for settled_round in settled(steps).values():
        for outcome in settled_round.outcomes:
            if outcome.wager != INSURANCE:
                key = (settled_round.round, outcome.seat, outcome.wager, outcome.tip)
                outcome_cents[key] = outcome_cents.get(key, 0) + outcome.placed_cents
    assert {at: cents for at, cents in outcome_cents.items() if cents} == {
        at: cents for at, cents in placed.items() if cents
    }


@given(recipes(rounds=12))
def test_a_coupon_is_spent_by_a_decision_and_names_its_terms(recipe: Recipe) -> None:
    _, steps = fold(Table.new("T1"), recipe.play())
    for settled_round in settled(steps).values():
        for outcome in settled_round.outcomes:
            if not outcome.coupon:
                assert (outcome.coupon_promotion, outcome.coupon_spent) == ("", False)
                continue
            assert outcome.coupon_promotion
            if outcome.result in (Result.WON, Result.LOST, Result.SURRENDERED):
                assert outcome.coupon_spent
            elif outcome.result is not Result.PUSHED:
                assert not outcome.coupon_spent
