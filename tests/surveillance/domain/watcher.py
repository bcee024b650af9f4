"""A floor without a broker: every subject with its state, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from alerting.alert import Alert, AlertState
from alerting.settings import DEFAULTS, Settings
from surveillance.domain.detection import SubjectState, watch
from surveillance.domain.facts import RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting, SubjectSighting

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(SubjectState).decode
DAY_US = 86_400_000_000


def day_of(at: int) -> str:
    """Days that begin at noon UTC, by number."""
    return str((at - DAY_US // 2) // DAY_US)


class Watcher:
    """What a worker does, in memory: states travel as bytes from one sighting to the next."""

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings = settings
        self.states: dict[str, bytes] = {}
        self.told: list[Alert] = []
        self.alerts: dict[str, Alert] = {}
        """The last of each."""

    def see(self, placed: SourcedSighting) -> tuple[Alert, ...]:
        subject = placed.seen.subject
        kept = self.states.get(subject)
        state = None if kept is None else _DECODE(kept)
        watched = watch(state, placed, self.settings)
        self.states[subject] = _ENCODE(watched.state)
        self.told += watched.alerts
        self.alerts |= {each.id: each for each in watched.alerts}
        return watched.alerts

    def see_all(self, all_placed: Iterable[SourcedSighting]) -> Watcher:
        for placed in all_placed:
            self.see(placed)
        return self

    def standing(self, *kinds: str) -> list[Alert]:
        return [
            each
            for each in self.alerts.values()
            if each.state is AlertState.STANDING and (not kinds or each.kind in kinds)
        ]


def placed(source: str, facts: Iterable[RoutableFact]) -> list[SourcedSighting]:
    """Facts of one source, in its order, as the sorter sends them on."""
    return [
        SourcedSighting(source, offset, ordinal, seen)
        for offset, fact in enumerate(facts)
        for ordinal, seen in enumerate(sort(fact, day_of=day_of))
    ]


def placed_sightings(source: str, seen: Iterable[SubjectSighting]) -> list[SourcedSighting]:
    return [SourcedSighting(source, offset, 0, each) for offset, each in enumerate(seen)]
