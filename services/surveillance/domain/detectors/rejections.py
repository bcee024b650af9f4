"""What was refused: events that no gateway or engine takes, entries that accounting does not.

Refusals of one kind, at one table, are one story as long as they go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.sightings import MessageRejected, Sighting

OF_TABLE: Final = "log.refused"
OF_OFFICE: Final = "office.refused"
RULE: Final = "Conventions of the log: what is refused is kept with the reason"
WHAT_TO_DO: Final = {
    "malformed": ("sent what is no event", "have its controller looked at"),
    "oversized": ("sent more than an event may hold", "have its controller looked at"),
    "foreign": (
        "sent events of another table",
        "find out what is wired to its controller",
    ),
    "chain_broken": (
        "sent an event that does not follow its last one",
        "find out whether its controller was exchanged or altered",
    ),
    "out_of_order": (
        "left events out",
        "have its controller send what is missing, or declare that it is lost",
    ),
    "conflict": (
        "sent two different events under one number, of which the first counts",
        "find out what else speaks in its name",
    ),
    "gap_too_large": (
        "left out more events than can be missing",
        "find out how its numbers came to jump",
    ),
    "invalid_time": (
        "sent events dated before 2000 or after 2099",
        "set the clock of its controller",
    ),
    "quarantined": (
        "cannot be settled, and its rounds wait in the log",
        "call whoever keeps the services",
    ),
}
"""By code: what a table did, and what becomes of it. The reason stands with the evidence."""
KEPT_US: Final = 2 * 86_400_000_000
KEPT_MAX: Final = 200
"""Refusals that are remembered of one story: of a flood the first and the last; all count."""


class Story(Struct, array_like=True):
    """Refusals of one code that no long pause separates, in the order of time."""

    letters: list[MessageRejected]
    count: int
    """With those that are not remembered."""


class RefusalsMemory(Memory):
    stories: dict[str, list[Story]] = field(default_factory=dict)
    """By code, and by topic where it is no table's."""


class Refusals(Detector[RefusalsMemory]):
    """About a table, or about the offices."""

    name = "refusals"
    kinds = frozenset({OF_TABLE, OF_OFFICE})
    sees = frozenset({MessageRejected})
    memory = RefusalsMemory

    def fold(self, memory: RefusalsMemory, sighting: Sighting, settings: Settings) -> Iterable[str]:
        if not isinstance(sighting, MessageRejected):
            return ()
        gap = settings.microseconds("story_gap_seconds", sighting.at)
        key = _key(sighting)
        stories = memory.stories.setdefault(key, [])
        if sighting.origin and any(
            letter.origin == sighting.origin for story in stories for letter in story.letters
        ):
            return ()  # a copy, or what a second service says of the same message
        if stories and sighting.at - stories[-1].letters[-1].at <= gap:
            _grow(stories[-1], sighting)
        else:
            stories.append(Story([sighting], 1))
        memory.since = max(memory.since, sighting.at - KEPT_US)
        memory.stories[key] = [each for each in stories if each.letters[-1].at >= memory.since]
        return (key,)

    def judge(self, memory: RefusalsMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for story in memory.stories.get(key, ()):
            yield _draft(story.letters[0].code, story)


def _key(letter: MessageRejected) -> str:
    """Refusals of a table by code; of messages that are no table's, also by topic."""
    return letter.code if letter.table or not letter.topic else f"{letter.code} {letter.topic}"


def _grow(story: Story, letter: MessageRejected) -> None:
    """Dead letters come from one partition, in one order."""
    story.count += 1
    if len(story.letters) >= KEPT_MAX:
        del story.letters[KEPT_MAX // 2]
    story.letters.append(letter)


def _draft(code: str, story: Story) -> Draft:
    first = story.letters[0]
    kind = OF_OFFICE if first.by_hand else OF_TABLE
    return Draft(
        kind=kind,
        identity=f"{code}/{first.id}",
        level=KINDS[kind].level,
        sentence=_of_office(story) if first.by_hand else _of_table(code, story),
        rule=RULE,
        evidence=tuple(
            Evidence(at=each.at, words=each.reason, kind=code, table=each.table, entry_id=each.id)
            for each in story.letters
        ),
        evidence_count=story.count,
        table=first.table,
    )


def _of_table(code: str, story: Story) -> str:
    last = story.letters[-1]
    if last.topic and not last.table:
        count = f"{story.count} messages" if story.count > 1 else "A message"
        return f"{count} in {last.topic} could not be processed: {last.reason}"
    whose = f"Table {last.table}" if last.table else "A table that is not known"
    times = f" ({story.count} times)" if story.count > 1 else ""
    if code in WHAT_TO_DO:
        did, to_do = WHAT_TO_DO[code]
        return f"{whose} {did}{times}: {to_do}"
    return f"{whose} sent what cannot be taken{times}: {last.reason}"


def _of_office(story: Story) -> str:
    last = story.letters[-1]
    if story.count == 1:
        return f"What {last.sender} entered was refused: {last.reason}"
    return (
        f"What was entered was refused {story.count} times; last, by {last.sender}: {last.reason}"
    )
