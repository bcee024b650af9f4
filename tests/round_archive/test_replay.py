"""A round is rebuilt from its own events to the same bytes, whatever became of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from blackjack.cards.card import card
from blackjack.facts import (
    Action,
    CardDealt,
    Event,
    PlayerActed,
    ReadCorrected,
    RoundOpened,
    SettlementCorrected,
    UpcardReplaced,
)
from blackjack.findings import Kind, Level
from blackjack.hand_history import parse
from blackjack.outcomes import DealerPlace, RoundStatus
from round_archive.domain.replay import NotReplayable, definitions_of, replay, select_events
from table_simulator.domain.games import GAMES
from tests.round_archive.days import Version, disordered, versions
from tests.table_simulator.days import a_day, events_of
from wire.settlement import encode_round

ROUNDS = sorted((Path(__file__).parents[1] / "rounds").glob("*.bj"))
SEED = 0
SEEDS = (SEED, pytest.param(7, marks=pytest.mark.proof))


def of_history(name: str) -> list[Version]:
    """Versions of the rounds of a hand history of tests/rounds."""
    (path,) = [each for each in ROUNDS if each.stem == name]
    streams: dict[str, list[Event]] = {}
    for event in parse(path.read_text("utf-8")).events:
        streams.setdefault(event.table, []).append(event)
    return [each for table, events in streams.items() for each in versions(table, events)]


def assert_same(version: Version) -> None:
    again = version.replay()
    assert again.differences == ()
    assert encode_round(again.replayed) == encode_round(version.settled)
    found = {each.id: each for step in again.steps for each in step.findings}
    for name in version.settled.findings:
        assert found[name] == version.said[name]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_round_of_a_day_with_every_fault_is_replayed_to_the_same_bytes(seed: int) -> None:
    games: Counter[str] = Counter()
    for table, events in events_of(a_day(seed, every=1, patterns=1).frames).items():
        for version in versions(table, events):
            assert_same(version)
            games[version.settled.game] += 1
    assert set(GAMES) <= set(games)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_version_of_a_disordered_day_is_replayed_to_the_same_bytes(seed: int) -> None:
    """Events late, twice and lost: what was said first had gaps, what was said then has none."""
    latest: Counter[int] = Counter()
    statuses: Counter[RoundStatus] = Counter()
    rng = Random(seed)
    for table, events in events_of(a_day(seed, every=1, patterns=1).frames).items():
        for version in versions(table, disordered(events, rng)):
            assert_same(version)
            latest[version.settled.version] += 1
            statuses[version.settled.status] += 1
    assert latest[2] > 10
    assert latest[3] > 0
    assert statuses[RoundStatus.INCOMPLETE] > 10


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_every_recorded_incident_is_replayed_to_the_same_bytes(path: Path) -> None:
    for version in of_history(path.stem):
        assert_same(version)


def test_an_unresolved_round_is_replayed_as_it_was_though_its_rules_are_known_now() -> None:
    (first, *_) = of_history("any_game-rule_set_nobody_knows")
    assert first.settled.status is RoundStatus.UNRESOLVED
    events = select_events(first.settled, first.log)
    everything = definitions_of(event.fact for each in all_versions() for event in each.log)
    again = replay(first.settled, events, definitions=everything)
    assert again.differences == ()
    assert again.rules is None


def all_versions() -> list[Version]:
    return of_history("skweezit-rows") + of_history("any_game-rule_set_nobody_knows")


def test_a_correction_after_the_round_is_a_step_of_its_own_and_moves_the_money() -> None:
    before, after = of_history("double_action_iii-correction_of_correction")[:2]
    (step,) = [
        each for each in after.replay().steps if isinstance(each.event.fact, SettlementCorrected)
    ]
    fact = step.event.fact
    assert isinstance(fact, SettlementCorrected)
    assert step.event.seq > after.settled.last_seq
    assert step.words.startswith(f"supervisor {fact.supervisor} ")

    def paid(version: Version) -> int:
        (outcome,) = [
            each
            for each in version.settled.outcomes
            if (each.seat, each.hand, each.wager) == (fact.seat, fact.hand, fact.wager)
        ]
        return outcome.paid_cents - outcome.collected_cents

    assert paid(after) - paid(before) == fact.cents
    (wager,) = [
        each
        for each in step.felt.wagers
        if (each.seat, each.hand, each.wager) == (fact.seat, fact.hand, fact.wager)
    ]
    assert wager.paid_cents - wager.collected_cents == paid(after)


def test_a_replaced_up_card_lies_beside_the_one_that_took_its_place() -> None:
    for version in of_history("half_back-upcard_bonus_rows"):
        again = version.replay()
        for step in again.steps:
            if isinstance(step.event.fact, UpcardReplaced):
                places = [each.place for each in step.felt.dealer]
                assert DealerPlace.REPLACED in places
                assert step.words.startswith("the dealer replaces the up card with ")
                return
    pytest.fail("no up card was replaced")


def test_the_hole_card_lies_face_down_until_it_is_shown() -> None:
    for version in of_history("skweezit-examples_of_the_filing"):
        shown = False
        for step in version.replay().steps:
            shown = shown or "shows the hole card" in step.words
            for laid in step.felt.dealer:
                if laid.place is DealerPlace.HOLE:
                    assert laid.face_down is not shown


def test_a_double_without_an_amount_is_said_with_what_the_rules_made_of_it() -> None:
    said: list[str] = []
    for version in of_history("half_back-double_has_three_units_in_action"):
        for step in version.replay().steps:
            fact = step.event.fact
            if isinstance(fact, PlayerActed) and fact.action is Action.DOUBLE and not fact.cents:
                said.append(step.words)
    assert said
    assert all(" doubles for $" in each for each in said)


def test_a_name_that_was_used_before_is_known_to_the_replay() -> None:
    (first, *_) = of_history("skweezit-examples_of_the_filing")
    again = [structs.replace(each, seq=each.seq + first.log[-1].seq) for each in first.log]
    second = [*versions(first.settled.table, first.log + again)][-1]
    assert second.settled.round == f"{first.settled.round}#{second.settled.first_seq}"
    assert_same(second)


def test_a_reading_corrected_in_the_middle_of_the_next_round_is_none_of_its_own() -> None:
    streams = events_of(a_day(SEED, every=1, patterns=1).frames)
    corrected = 0
    for table, events in streams.items():
        opened = [at for at, each in enumerate(events) if isinstance(each.fact, RoundOpened)]
        if len(opened) < 4:
            continue
        read = next(e for e in events[opened[1] :] if isinstance(e.fact, CardDealt))
        at = opened[2] + 2
        stream = [structs.replace(each, digest=b"", previous=b"") for each in events]
        for place in range(at, len(stream)):
            stream[place] = structs.replace(stream[place], seq=stream[place].seq + 1)
        fact = ReadCorrected(corrects_seq=read.seq, card=card("2C"))
        stream.insert(at, structs.replace(events[at], fact=fact, digest=b"", previous=b""))
        for version in versions(table, stream[: opened[3] + 1]):
            assert_same(version)
            corrected += "corrected by event" in version.settled.cause
    assert corrected


def test_what_is_different_is_said_wager_by_wager() -> None:
    (version, *_) = of_history("skweezit-examples_of_the_filing")
    outcome = version.settled.outcomes[0]
    forged = structs.replace(
        version.settled,
        closed_at=version.settled.closed_at + 1,
        outcomes=(
            structs.replace(outcome, owed_cents=outcome.owed_cents + 100),
            *version.settled.outcomes[1:],
        ),
        findings=(*version.settled.findings, "0" * 32),
        hands=version.settled.hands[1:],
    )
    again = Version(forged, version.log, version.said).replay()
    told = "\n".join(again.differences)
    assert f"seat {outcome.seat} hand {outcome.hand} {outcome.wager}, owed cents" in told
    assert f"emitted {outcome.owed_cents + 100}, replayed {outcome.owed_cents}" in told
    assert "round, closed at: emitted" in told
    assert f"finding {'0' * 32}: emitted, not replayed" in told
    assert "replayed, not emitted" in told


def test_a_round_whose_opening_is_not_at_hand_cannot_be_replayed() -> None:
    (version, *_) = of_history("skweezit-examples_of_the_filing")
    events = select_events(version.settled, version.log)
    definitions = definitions_of(event.fact for event in version.log)
    with pytest.raises(NotReplayable, match="does not have its first event"):
        replay(version.settled, events[1:], definitions=definitions)
    with pytest.raises(NotReplayable, match="does not have its last event"):
        replay(version.settled, events[:-1], definitions=definitions)


THREE_ERRORS = """
rules skweezit decks 6 skweezit 1
dealer arrives D-1
shoe SH decks 6
""" + "".join(
    f"""
round R{number}
bet 1 main 10.00
no more bets
deal 1 T{suit}, dealer 9{suit}, 1 8{suit}, dealer down 9{suit}
1 stands
dealer shows 9{suit}
pay 1 main 1.00
close round
"""
    for number, suit in enumerate("CDH", start=1)
)


def test_the_level_of_a_repeated_error_is_the_one_that_was_said() -> None:
    """The dealer's earlier errors, which make it urgent, are no facts of the round."""
    events = parse(THREE_ERRORS).events
    third = [*versions(events[0].table, list(events))][-1]
    (said,) = [each for each in third.said.values() if each.round == "R3"]
    assert (said.kind, said.level) == (Kind.OVERPAID, Level.P2)
    assert_same(third)
    unsaid = Version(third.settled, third.log, {}).replay()
    (found,) = [each for step in unsaid.steps for each in step.findings]
    assert found == structs.replace(said, level=Level.P3)
