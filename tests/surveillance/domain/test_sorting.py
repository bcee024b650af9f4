"""Sorting: whom a fact is about. Whatever a table or an office says stops nobody."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from alerting import office_facts, settings
from blackjack.facts import Event
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from surveillance.domain.event_routing import TAKEN
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting
from surveillance.domain.table_activity import ActivityTracker
from tests.strategies import FACTS, events, structs
from tests.surveillance.domain.watcher import Watcher, day_of, placed
from wire.alerts import decode_alert, encode_alert

OFFICES: tuple[type[Any], ...] = (
    *get_args(office_facts.DeskFact),
    *get_args(office_facts.CageFact),
    office_facts.DeadLetter,
    settings.PatronExcluded,
    settings.ExclusionLifted,
)
ANYTHING: st.SearchStrategy[RoutableFact] = st.one_of(
    events(*TAKEN),
    st.builds(JudgedRound, structs(SettledRound)),
    structs(Finding),
    structs(Withdrawal),
    *(structs(each) for each in OFFICES),
)


@given(events(*(each for each in FACTS if each not in TAKEN)))
def test_a_sieve_may_drop_what_sorting_has_no_use_for(event: Event) -> None:
    assert sort(event, day_of=day_of) == ()


@given(ANYTHING)
def test_the_same_fact_is_about_the_same_subjects(fact: RoutableFact) -> None:
    assert sort(fact, day_of=day_of) == sort(fact, day_of=day_of)


@given(st.lists(ANYTHING, max_size=12))
def test_nothing_that_is_said_stops_the_watch_and_every_alert_can_be_told(
    facts: list[RoutableFact],
) -> None:
    watcher = Watcher().see_all(placed("any/0", facts))
    hearing = ActivityTracker()
    for offset, fact in enumerate(facts):
        if isinstance(fact, Event):
            seen = enumerate(hearing.hear(fact))
            watcher.see_all(SourcedSighting("heard/0", offset, each, said) for each, said in seen)
    for alert in watcher.told:
        assert decode_alert(encode_alert(alert)) == alert
