"""What a round contributes, and to whom; and whole days of the simulator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import pytest

from blackjack.cards.card import cards
from blackjack.facts import RuleSetActivated
from blackjack.outcomes import Result, RoundStatus, SettledRound
from blackjack.play.table import Table
from blackjack.play.table import fold as settle
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.rule_set import FILED, RuleSet, compose
from odds.shoe import CardCounts
from surveillance.domain.sightings import PeerCounts, SourcedSighting, SubjectSighting
from surveillance.domain.statistics import (
    Alarm,
    StreamKind,
    Subject,
    alarms,
    contributions,
    dealt,
    fold,
    withdrawals,
)
from surveillance.domain.subjects import peers
from table_simulator.days.day import SimulatedDay
from tests.surveillance.domain.watcher import Watcher
from tests.surveillance.statistics.rounds import bet, dealers, hand, played, rules_of
from tests.table_simulator.days import a_day, events_of

RULES = rules_of("skweezit")
UP, HOLE, DRAWN, *DEALT = cards("6C 5H TD TS 9S 3D 9D")


def a_round(**changes: object) -> SettledRound:
    """Two patrons, one with a side bet, and one who brought a tip for the dealer."""
    tip = msgspec.structs.replace(bet(2, "skweezit", Result.LOST), tip=True)
    return msgspec.structs.replace(
        played(
            RULES,
            CardCounts.of_decks(6),
            dealer=dealers(UP, HOLE, DRAWN),
            hands=[hand(1, DEALT[:2]), hand(2, DEALT[2:])],
            outcomes=[
                bet(1, MAIN, Result.LOST),
                bet(1, "skweezit", Result.LOST, "loss"),
                bet(2, MAIN, Result.LOST),
                tip,
            ],
        ),
        **changes,
    )


def told(each: SettledRound) -> dict[str, list[str]]:
    return {
        found.subject: [evidence.stream for evidence in found.entry.evidence]
        for found in contributions(each, RULES)
    }


def test_a_round_speaks_of_table_shoe_dealer_patrons_and_dealer_with_patron() -> None:
    luck = ["luck/main", "luck/skweezit"]
    assert told(a_round()) == {
        "table:T-1": luck,
        "shoe:T-1/S-1": luck,
        "dealer:D-1": luck,
        "patron:P-1": [*luck, "count/main", "count/skweezit", "hole_card/main"],
        "pair:D-1/P-1": [*luck, "transfers/all"],
        "patron:P-2": ["luck/main", "count/main", "hole_card/main"],
        "pair:D-1/P-2": ["luck/main", "transfers/all"],
    }


@pytest.mark.parametrize("status", [RoundStatus.INCOMPLETE, RoundStatus.UNRESOLVED])
def test_a_round_that_is_not_settled_yet_says_nothing(status: RoundStatus) -> None:
    assert told(a_round(status=status)) == {}


@pytest.mark.parametrize(
    "what",
    [{"shoe_unread": 1}, {"shoe_complete": False}, {"shoe_seen": (6,) * 48 + (1,) * 4}],
    ids=["a card not read", "a part not logged", "too few cards left"],
)
def test_where_the_shoe_is_not_known_only_conduct_is_judged(what: dict[str, object]) -> None:
    each = a_round()
    context = msgspec.structs.replace(each.context, **what)
    found = told(msgspec.structs.replace(each, context=context))
    assert found == {
        "pair:D-1/P-1": ["transfers/all"],
        "pair:D-1/P-2": ["transfers/all"],
    }


def test_whom_a_later_version_does_not_speak_of_hears_that_it_is_withdrawn() -> None:
    first = contributions(a_round(), RULES)
    mistaken = [each for each in a_round().outcomes if each.seat == 1]
    later = a_round(version=2, outcomes=tuple(mistaken))
    now = contributions(later, RULES)
    gone = withdrawals([each.subject for each in first], later, now)
    assert [each.subject for each in gone] == ["pair:D-1/P-2", "patron:P-2"]
    states: dict[str, Subject] = {}
    for each in (*first, *now, *gone):
        states[each.subject] = fold(states.get(each.subject), each)
    assert states["patron:P-2"].tallies == {}
    assert states["patron:P-1"].tallies["luck/main"].rounds == 1


# whole days ----------------------------------------------------------------------------------


def settled(day: SimulatedDay) -> Iterator[tuple[SettledRound, RuleSet]]:
    for name, events in events_of(day.frames).items():
        rules = {}
        for event in events:
            if isinstance(event.fact, RuleSetActivated) and event.fact.definition is not None:
                composed = compose(event.fact.definition)
                rules[composed.hash] = composed
        for step in settle(Table.new(name), events)[1]:
            for each in step.rounds:
                yield each, rules.get(each.context.rule_set) or known(each.context.rule_set)


def known(rule_set: str) -> RuleSet:
    found = FILED.get(rule_set)
    assert found is not None
    return found


def watched(rounds: Iterable[tuple[SettledRound, RuleSet]]) -> list[Alarm]:
    states: dict[str, Subject] = {}
    for each, rules in rounds:
        for found in contributions(each, rules):
            states[found.subject] = fold(states.get(found.subject), found)
    return [alarm for _, state in sorted(states.items()) for alarm in alarms(state)]


def test_a_correct_day_is_silent() -> None:
    rounds = [*settled(a_day(11))]
    assert watched(rounds) == []
    assert compared(rounds) == set()


def compared(rounds: Iterable[tuple[SettledRound, RuleSet]]) -> set[tuple[str, str]]:
    """Who differs from those who deal the same game."""
    watcher = Watcher()
    for number, (each, rules) in enumerate(rounds):
        seen = SubjectSighting(peers(rules.spec.game), PeerCounts(dealt(each, rules)))
        watcher.see(SourcedSighting(f"settled-rounds/{each.table}", number, 0, seen))
    return {(each.kind, each.dealer or each.table) for each in watcher.standing()}


@pytest.mark.proof
def test_who_dumps_chips_errs_often_or_sees_the_hole_card_is_found() -> None:
    day = a_day(1, rounds=100, patterns=1)
    rounds = [*settled(day)]
    found = {(alarm.subject, alarm.kind) for alarm in watched(rounds)}
    truth = {each.fault: each for each in day.truths}
    gift = truth["dealer dumping"]
    assert found == {
        (f"pair:{gift.dealer}/{gift.patron}", StreamKind.TRANSFERS),
        (f"patron:{truth['plays the hole card'].patron}", StreamKind.HOLE_CARD),
        (f"patron:{truth['luck beyond chance'].patron}", StreamKind.LUCK),
    }
    substituted = truth["coupon substitution"]
    assert compared(rounds) == {
        ("dealer.error_rate", truth["dealer error rate"].dealer),
        ("coupon.substitution", substituted.dealer),
        ("coupon.substitution", substituted.table),
    }
