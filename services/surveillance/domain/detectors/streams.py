"""Statistics: streams of rounds on which a gambler against misconduct has grown too rich for luck.

What is told changes only when the e-value reaches a further power of ten: an alert that changed
with every round would be looked at by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import log
from typing import Final

from alerting.alert import Evidence, StatisticalProof
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.alarm_text import alarm_detail, alarm_headline, format_odds
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sightings import Sighting, StatisticsEntry
from surveillance.domain.statistics import Alarm, StreamKind, Subject, Tally, add, alarms, settle
from surveillance.domain.statistics.wealth import Mark, as_marked

_KINDS: Final = {
    StreamKind.LUCK: "luck.beyond_chance",
    StreamKind.COUNT: "play.count",
    StreamKind.HOLE_CARD: "play.hole_card",
    StreamKind.TRANSFERS: "dealer.dumping",
}
_OF_PAIRS: Final = {StreamKind.LUCK: "dealer.dumping"}
"""Luck that a patron has with one dealer is what dumping by wrong cards looks like."""

RULE: Final = "Statistical test with a guaranteed rate of false alarms (Ville's inequality)"


class StreamsMemory(Memory):
    state: Subject | None = None


class Streams(Detector[StreamsMemory]):
    """About a table, dealer, patron, shoe, or dealer with patron; an alert for each stream."""

    name = "streams"
    kinds = frozenset(_KINDS.values())
    sees = frozenset({StatisticsEntry})
    memory = StreamsMemory

    def fold(self, memory: StreamsMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, StatisticsEntry):
            return ()
        if memory.state is None:
            memory.state = Subject(memory.subject)
        tallies, entry = memory.state.tallies, sighting.entry
        streams = [evidence.stream for evidence in entry.evidence]
        before = [tallies[name].marks if name in tallies else () for name in streams]
        if not add(memory.state, entry):
            return ()
        tallies = memory.state.tallies
        return [
            name
            for name, marks in zip(streams, before, strict=True)
            if tallies[name].marks is not marks
        ]

    def settle(self, memory: StreamsMemory, settings: Settings) -> Iterable[str]:
        state = memory.state
        if state is None or not state.pending:
            return ()
        before = marks_of(state.tallies)
        settle(state)
        after = marks_of(state.tallies)
        return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))

    def judge(self, memory: StreamsMemory, key: str, settings: Settings) -> Iterator[Draft]:
        state = memory.state
        if state is not None and key in state.tallies:
            tally = state.tallies[key]
            for alarm in alarms(Subject(state.subject, {key: as_marked(tally)})):
                kind = (_OF_PAIRS if _is_pair(memory) else {}).get(alarm.kind) or _KINDS[alarm.kind]
                identity = f"{alarm.kind.value}/{alarm.wager}"
                yield draft_of(alarm, tally.marks, kind, identity, alarm.wager)


def _is_pair(memory: StreamsMemory) -> bool:
    return memory.subject.startswith("pair:")


def marks_of(tallies: Mapping[str, Tally]) -> dict[str, tuple[Mark, ...]]:
    return {name: tally.marks for name, tally in tallies.items() if tally.marks}


def draft_of(
    alarm: Alarm, marks: tuple[Mark, ...], kind: str, identity: str, wager: str = ""
) -> Draft:
    """An alarm as an alert, about whom its subject says."""
    whose, _, about = alarm.subject.partition(":")
    first, _, second = about.partition("/")
    of_pair = whose == "pair"
    return Draft(
        kind=kind,
        identity=identity,
        level=KINDS[kind].level,
        sentence=alarm_headline(alarm),
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=mark.at,
                words=f"After {mark.rounds:,} rounds: odds of 1 in {format_odds(mark.peak)}",
                kind=alarm.kind.value,
                table=mark.table,
                round=mark.round,
                wager=wager,
                dealer=first if whose in ("dealer", "pair") else "",
                patron=second if of_pair else about if whose == "patron" else "",
            )
            for mark in marks
            if mark.peak >= -log(alarm.level)
        ),
        table=first if whose in ("table", "shoe") else "",
        dealer=first if whose in ("dealer", "pair") else "",
        patron=second if of_pair else about if whose == "patron" else "",
        statistics=StatisticalProof(alarm.e_value, alarm.false_alarm_bound, alarm.rounds),
        detail=alarm_detail(alarm),
    )
