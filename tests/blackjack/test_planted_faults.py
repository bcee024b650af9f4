"""Every irregularity that is planted into a correct stream is found, and nothing else is.

`table_simulator.domain.faults.fault_catalog` names each fault, what it must be found as, and
which other findings may come with it, each with the reason. The streams go through bytes,
as a controller would send them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from blackjack.cards.card import DECK
from blackjack.facts import CardDealt, Event, ReadCorrected
from blackjack.findings import Finding, Kind, Level
from blackjack.outcomes import Result, SettledRound
from blackjack.play.table import Table, fold
from table_simulator.days.event_chain import seal_events
from table_simulator.days.randomness import play, posted_rules
from table_simulator.domain.faults.cards import low_confidence, unread_card
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.fault import Fault, Preparation
from table_simulator.domain.faults.fault_catalog import BY_NAME, FAULTS
from table_simulator.domain.faults.planted_fault import PlantedFault, plant
from table_simulator.domain.faults.round_view import CannotPlant
from table_simulator.domain.faults.stations import Station
from table_simulator.domain.games import GAMES, SKWEEZIT_BLACKJACK
from table_simulator.domain.specs import specs
from table_simulator.domain.table_day import PlayedTable, TablePlan
from table_simulator.domain.table_day import play_table as play_evening
from wire.events import decode_event

SEEDS_TRIED_MAX = 60


def judged(events: list[Event]) -> tuple[dict[str, SettledRound], list[Finding]]:
    """Rounds in their last version, and findings that stand at the end."""
    _, steps = fold(Table.new(events[0].table), events)
    rounds = {settled_round.round: settled_round for step in steps for settled_round in step.rounds}
    withdrawn = {withdrawal.id for step in steps for withdrawal in step.withdrawals}
    found = [finding for step in steps for finding in step.findings if finding.id not in withdrawn]
    return rounds, found


def played_at(station: Station, fault: Fault, seed: int) -> PlayedTable:
    rng = Random(f"{seed} {station.name}")
    evening = TablePlan(
        table="T1",
        rules=posted_rules(rng.choice(station.specs)),
        rounds=40,
        kind=station.kind,
        seats=station.seats,
        stacked=station.stacked,
        is_shuffled=fault.preparation is not Preparation.UNSHUFFLED,
    )
    return play_evening(rng, evening)


def plantings(fault: Fault, *, count: int) -> Iterator[tuple[PlantedFault, list[Event], set[str]]]:
    """Planted streams, and the rounds of big wins; one without a fitting place is passed over."""
    found = 0
    for seed in range(SEEDS_TRIED_MAX):
        station = fault.stations[seed % len(fault.stations)]
        played = played_at(station, fault, seed)
        big_wins = {
            settled_round.round for settled_round in played.rounds if settled_round.big_wins
        }
        draft = StreamDraft(played.events, Random(seed))
        draft.used |= big_wins
        try:
            planted = plant(fault, draft)
        except CannotPlant:
            continue
        frames = seal_events(draft.entries()[0])
        yield (
            planted,
            [decode_event(frame.data, ingested_at=frame.ingested_at) for frame in frames],
            big_wins,
        )
        found += 1
        if found == count:
            return
    pytest.fail(f"{fault.name}: only {found} of {SEEDS_TRIED_MAX} streams had a place for it")


def fault_id(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


PLANTED = [fault for fault in FAULTS if fault.planter is not None]


@pytest.mark.parametrize("fault", PLANTED, ids=fault_id)
def test_a_planted_fault_is_found_and_nothing_else_is(fault: Fault) -> None:
    for planted, events, big_wins in plantings(fault, count=3):
        _, found = judged(events)
        here = {
            finding.kind for finding in found if not planted.round or finding.round == planted.round
        }
        assert set(fault.kinds) <= here, planted.round
        others = [
            finding
            for finding in found
            if finding.kind not in fault.kinds
            and finding.kind not in fault.companions
            and not (finding.kind is Kind.BIG_WIN and finding.round in big_wins)
        ]
        assert others == []
        elsewhere = {finding.round for finding in found if finding.kind in fault.kinds}
        assert not planted.round or elsewhere == {planted.round}


@pytest.mark.parametrize("fault", PLANTED, ids=fault_id)
def test_a_finding_is_stated_once(fault: Fault) -> None:
    for _, events, _ in plantings(fault, count=1):
        names = [finding.id for finding in judged(events)[1]]
        assert len(names) == len(set(names))


def test_every_kind_of_finding_is_planted() -> None:
    assert {kind for fault in FAULTS for kind in fault.kinds} == set(Kind)


def test_a_big_win_comes_by_the_cards() -> None:
    """It is no fault: the oracle knows where it is due, and there alone it is found."""
    (station,) = BY_NAME["big win"].stations
    for seed in range(SEEDS_TRIED_MAX):
        rng = Random(seed)
        evening = TablePlan("T1", posted_rules(station.specs[0]), rounds=3, lucky_round=2)
        played = play_evening(rng, evening)
        due = {settled_round.round for settled_round in played.rounds if settled_round.big_wins}
        assert {finding.round for finding in judged(played.events)[1]} == due
        if due:
            return
    pytest.fail("no patron ever won big")


def test_faults_have_names_of_their_own() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", GAMES)
def test_a_shoe_in_the_order_of_new_decks_is_found_within_its_first_rounds(game: str) -> None:
    events = play(seed=2, table_id="T1", spec=specs(game)[-1], rounds=3, is_shuffled=False).events
    found = [finding for finding in judged(events)[1] if finding.kind is Kind.UNSHUFFLED]
    assert [finding.level for finding in found] == [Level.P1]


def with_a_card_not_read(played: PlayedTable, seed: int) -> tuple[StreamDraft, str]:
    """A card of a player that no device saw, or hardly saw."""
    draft = StreamDraft(played.events, Random(seed))
    where = low_confidence(draft) if seed % 2 else unread_card(draft)
    return draft, where


@pytest.mark.parametrize("game", GAMES)
def test_what_hangs_on_a_card_not_read_is_undetermined_and_bounded(game: str) -> None:
    """The oracle has seen the card: the engine agrees with it, or has it within bounds."""
    undetermined = 0
    for spec, seed in product(specs(game), range(8)):
        played = play(seed=seed, table_id="T1", spec=spec, rounds=12, stacked=0.3)
        draft, where = with_a_card_not_read(played, seed)
        expected = next(
            settled_round for settled_round in played.rounds if settled_round.round == where
        )
        truth = {
            (wager.seat, wager.hand, wager.wager, wager.tip): wager for wager in expected.wagers
        }
        for outcome in judged(draft.finish())[0][where].outcomes:
            true = truth[outcome.seat, outcome.hand, outcome.wager, outcome.tip]
            assert outcome.owed_cents_least <= true.owed_cents <= outcome.owed_cents_most
            undetermined += outcome.result is Result.UNDETERMINED
            if outcome.result not in (Result.UNDETERMINED, Result.NOT_SETTLED):
                assert (outcome.result, outcome.outcome) == (true.result, true.outcome)
    assert undetermined > 10


def test_no_finding_blames_a_person_where_an_unread_card_may_excuse_them() -> None:
    """Seed 4: all hands broke, one of them with a card that was not read; the dealer stood."""
    for seed in range(30):
        spec = specs(SKWEEZIT_BLACKJACK)[2]
        played = play(seed=seed, table_id="T1", spec=spec, rounds=30)
        draft, _ = with_a_card_not_read(played, seed)
        kinds = {finding.kind for finding in judged(draft.finish())[1]}
        assert kinds <= {Kind.LOW_CONFIDENCE, Kind.BIG_WIN}


@pytest.mark.parametrize("is_late", [False, True], ids=["at-once", "after-the-round"])
@pytest.mark.parametrize("game", GAMES)
def test_a_misread_card_that_is_corrected_leaves_no_trace(game: str, is_late: bool) -> None:
    """The round is settled as the oracle settles it, and findings made in between are withdrawn."""
    for spec, seed in product(specs(game), range(3)):
        rng = Random(seed)
        played = play(seed=seed, table_id="T1", spec=spec, rounds=10, stacked=0.3)
        draft = StreamDraft(played.events, rng)
        view, (place, fact) = draft.pick(lambda view: view.of(CardDealt))
        assert fact.card is not None
        draft.alter(place, card=rng.choice([card for card in DECK if card is not fact.card]))
        correction = ReadCorrected(draft.original[place].seq, fact.card, "camera")
        draft.add(view.facts[-1][0] if is_late else place, correction)
        _, steps = fold(Table.new("T1"), draft.finish())
        withdrawn = {withdrawal.id for step in steps for withdrawal in step.withdrawals}
        left = [
            finding for step in steps for finding in step.findings if finding.id not in withdrawn
        ]
        assert [finding for finding in left if finding.kind is not Kind.BIG_WIN] == []
        rounds = {
            settled_round.round: settled_round for step in steps for settled_round in step.rounds
        }
        expected = next(
            settled_round for settled_round in played.rounds if settled_round.round == view.id
        )
        settled = {
            (outcome.seat, outcome.hand, outcome.wager, outcome.tip): (
                outcome.result,
                outcome.owed_cents,
            )
            for outcome in rounds[view.id].outcomes
        }
        assert settled == {
            (wager.seat, wager.hand, wager.wager, wager.tip): (wager.result, wager.owed_cents)
            for wager in expected.wagers
        }
