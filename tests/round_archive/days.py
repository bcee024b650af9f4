"""Days that went badly, and every version of every round that was said of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from blackjack.facts import Event
from blackjack.findings import Finding
from blackjack.outcomes import SettledRound
from blackjack.play.replayed_round import Replay
from blackjack.play.table import Table, fold
from round_archive.domain.replay import definitions_of, replay, select_events


class Version(NamedTuple):
    """A version of a round, what the log held when it was said, and what had been found."""

    settled: SettledRound
    log: list[Event]
    said: dict[str, Finding]

    def replay(self) -> Replay:
        definitions = definitions_of(event.fact for event in self.log)
        events = select_events(self.settled, self.log)
        return replay(
            self.settled, events, definitions=definitions, emitted_findings=self.said.values()
        )


def versions(table: str, events: list[Event]) -> Iterator[Version]:
    """Everything that is said of a stream's rounds, in the order in which it is said."""
    _, steps = fold(Table.new(table), events)
    said: dict[str, Finding] = {}
    for count, step in enumerate(steps, start=1):
        said.update((each.id, each) for each in step.findings)
        for settled in step.rounds:
            yield Version(settled, events[:count], dict(said))


def disordered(events: list[Event], rng: Random) -> list[Event]:
    """Some events come late, some twice, some never."""
    arrived: list[Event] = []
    waiting: list[tuple[int, Event]] = []
    for at, event in enumerate(events):
        chance = rng.random()
        if at and chance < 0.016:
            waiting.append((at + rng.randrange(1, 60), event))
        elif at and chance < 0.02:
            continue
        else:
            arrived += [event] * (2 if chance > 0.98 else 1)
        arrived += [each for due, each in waiting if due == at]
    return arrived
