"""Every irregularity that is planted into a correct stream is found, and nothing else is.

`tests.croupier.faults` names each fault, what it must be found as, and which other
findings are due with it, each with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from blackjack.cards import DECK
from blackjack.facts import CardDealt, Event, ReadCorrected
from blackjack.findings import Finding, Kind, Level
from blackjack.outcomes import Result, SettledRound
from blackjack.table import Table, fold
from tests.croupier import Played, play, specs
from tests.croupier.draft import Draft
from tests.croupier.fault_cards import low_confidence, unread_card
from tests.croupier.faults import FAULTS, CannotPlant, Fault, Planted, plant
from tests.croupier.games import (
    GAMES,
    SKWEEZIT_BLACKJACK,
)

SEEDS_TRIED_MAX = 40

NOT_PLANTED = {
    Kind.BIG_WIN: "not a fault: the oracle tells where it is due",
    Kind.COUPON_TERMS_UNSOUND: "a definition is wrong, not a round: it has tests of its own",
    Kind.UNSHUFFLED: "a whole shoe is wrong, not a fact: it has a test of its own",
}


def judged(events: list[Event]) -> tuple[dict[str, SettledRound], list[Finding]]:
    _, steps = fold(Table.new(events[0].table), events)
    rounds = {each.round: each for step in steps for each in step.rounds}
    return rounds, [each for step in steps for each in step.findings]


def plantings(fault: Fault, *, count: int) -> Iterator[tuple[list[Event], Planted]]:
    """Clean streams and what became of them; a stream without a fitting place is passed over."""
    found = 0
    for seed in range(SEEDS_TRIED_MAX):
        events = fault.setting.stream(seed)
        try:
            planted = plant(fault, events, seed)
        except CannotPlant:
            continue
        yield events, planted
        found += 1
        if found == count:
            return
    pytest.fail(f"{fault.name}: only {found} of {SEEDS_TRIED_MAX} streams had a place for it")


def is_urgent(finding: Finding) -> bool:
    return finding.level <= Level.P2


def fault_id(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


@pytest.mark.parametrize("fault", FAULTS, ids=fault_id)
def test_a_planted_fault_is_found_and_nothing_else_is(fault: Fault) -> None:
    for events, planted in plantings(fault, count=3):
        _, before = judged(events)
        _, after = judged(planted.events)
        here = {each.kind for each in after if not planted.round or each.round == planted.round}
        assert set(planted.kinds) <= here, planted.round
        due_before = {(each.kind, each.round, each.seat) for each in before}
        others = [
            each
            for each in after
            if is_urgent(each)
            and each.kind not in planted.kinds
            and each.kind not in fault.companions
            and (each.kind, each.round, each.seat) not in due_before
        ]
        assert others == []
        elsewhere = {each.round for each in after if each.kind in planted.kinds}
        assert not planted.round or elsewhere == {planted.round}


@pytest.mark.parametrize("fault", FAULTS, ids=fault_id)
def test_a_finding_is_stated_once(fault: Fault) -> None:
    for _, planted in plantings(fault, count=1):
        names = [each.id for each in judged(planted.events)[1]]
        assert len(names) == len(set(names))


def test_every_kind_of_finding_is_planted_or_said_not_to_be() -> None:
    planted = {kind for fault in FAULTS for kind in fault.kinds}
    assert planted.isdisjoint(NOT_PLANTED)
    assert planted | set(NOT_PLANTED) == set(Kind)


def test_faults_have_names_of_their_own() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", GAMES)
def test_a_shoe_in_the_order_of_new_decks_is_found_within_its_first_rounds(game: str) -> None:
    events = play(seed=2, table_id="T1", spec=specs(game)[-1], rounds=3, is_shuffled=False).events
    found = [each for each in judged(events)[1] if each.kind is Kind.UNSHUFFLED]
    assert [each.level for each in found] == [Level.P1]


def with_a_card_not_read(played: Played, seed: int) -> tuple[Draft, str]:
    """A card of a player that no device saw, or hardly saw."""
    draft = Draft(played.events, Random(seed))
    where = low_confidence(draft) if seed % 2 else unread_card(draft)
    return draft, where


@pytest.mark.parametrize("game", GAMES)
def test_what_hangs_on_a_card_not_read_is_undetermined_and_bounded(game: str) -> None:
    """The oracle has seen the card: what it says the engine says too, or has within bounds."""
    undetermined = 0
    for spec, seed in product(specs(game), range(8)):
        played = play(seed=seed, table_id="T1", spec=spec, rounds=12, stacked=0.3)
        draft, where = with_a_card_not_read(played, seed)
        expected = next(each for each in played.rounds if each.round == where)
        truth = {(each.seat, each.hand, each.wager, each.tip): each for each in expected.wagers}
        for each in judged(draft.finish())[0][where].outcomes:
            true = truth[each.seat, each.hand, each.wager, each.tip]
            assert each.owed_cents_least <= true.owed_cents <= each.owed_cents_most
            undetermined += each.result is Result.UNDETERMINED
            if each.result not in (Result.UNDETERMINED, Result.NOT_SETTLED):
                assert (each.result, each.outcome) == (true.result, true.outcome)
    assert undetermined > 10


def test_nobody_is_blamed_for_what_a_card_not_read_may_excuse() -> None:
    """Seed 4: all hands broke, one of them with a card that was not read; the dealer stood."""
    for seed in range(30):
        spec = specs(SKWEEZIT_BLACKJACK)[2]
        played = play(seed=seed, table_id="T1", spec=spec, rounds=30)
        draft, _ = with_a_card_not_read(played, seed)
        kinds = {each.kind for each in judged(draft.finish())[1]}
        assert kinds <= {Kind.LOW_CONFIDENCE, Kind.BIG_WIN}


@pytest.mark.parametrize("is_late", [False, True], ids=["at-once", "after-the-round"])
@pytest.mark.parametrize("game", GAMES)
def test_a_misread_card_that_is_corrected_leaves_no_trace(game: str, is_late: bool) -> None:
    """The round is settled as the oracle settles it, and what was found in between is withdrawn."""
    for spec, seed in product(specs(game), range(3)):
        rng = Random(seed)
        played = play(seed=seed, table_id="T1", spec=spec, rounds=10, stacked=0.3)
        draft = Draft(played.events, rng)
        view, (place, fact) = draft.pick(lambda view: view.of(CardDealt))
        assert fact.card is not None
        draft.alter(place, card=rng.choice([card for card in DECK if card is not fact.card]))
        correction = ReadCorrected(draft.original[place].seq, fact.card, "camera")
        draft.add(view.facts[-1][0] if is_late else place, correction)
        _, steps = fold(Table.new("T1"), draft.finish())
        withdrawn = {each.id for step in steps for each in step.withdrawals}
        left = [each for step in steps for each in step.findings if each.id not in withdrawn]
        assert [each for each in left if each.kind is not Kind.BIG_WIN] == []
        rounds = {each.round: each for step in steps for each in step.rounds}
        expected = next(each for each in played.rounds if each.round == view.id)
        settled = {
            (each.seat, each.hand, each.wager, each.tip): (each.result, each.owed_cents)
            for each in rounds[view.id].outcomes
        }
        assert settled == {
            (each.seat, each.hand, each.wager, each.tip): (each.result, each.owed_cents)
            for each in expected.wagers
        }
