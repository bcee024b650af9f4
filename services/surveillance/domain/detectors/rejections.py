"""Rejected messages: events that gateway or settlement reject, entries that accounting rejects.

Rejections of one kind, at one table, are one alert as long as they continue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct, field

from alerting.alert import Evidence
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.phrases import counted
from surveillance.domain.sightings import MessageRejected, Sighting

OF_TABLE: Final = "log.refused"
OF_CAGE: Final = "office.refused"
RULE: Final = "Conventions of the log: a rejected message is kept with the reason"
ADVICE: Final = {
    "malformed": ("sent events that cannot be read", "have its controller checked"),
    "oversized": ("sent events over the size limit", "have its controller checked"),
    "foreign": ("sent events of another table", "check the wiring of its controller"),
    "chain_broken": (
        "sent an event that does not follow its last one",
        "check whether its controller was replaced or altered",
    ),
    "out_of_order": (
        "left events out",
        "have its controller send them or declare them lost",
    ),
    "conflict": (
        "sent conflicting events",
        "a second device may be using this table's identity. Call a technician.",
    ),
    "gap_too_large": (
        "skipped more event numbers than can be missing",
        "have its controller checked",
    ),
    "invalid_time": (
        "sent events dated before 2000 or after 2099",
        "set the clock of its controller",
    ),
    "quarantined": (
        "is quarantined: its rounds wait in the log",
        "call the service operator",
    ),
}
"""By code: the fault of a table, and the action to take. The reason is in the detail"""
KEPT_US: Final = 2 * 86_400_000_000
KEPT_MAX: Final = 200
"""Rejections remembered of one group: of a flood the first and the last; all are counted."""


class RejectionGroup(Struct, array_like=True):
    """Rejections of one code with no long pause between them, in the order of time."""

    messages: list[MessageRejected]
    count: int
    """Including those that are not remembered."""


class RejectionMemory(Memory):
    groups: dict[str, list[RejectionGroup]] = field(default_factory=dict, name="stories")
    """By code, and by topic for messages of no table."""


class RejectionDetector(Detector[RejectionMemory]):
    """About a table, or about the cage and the promotions desk."""

    name = "refusals"
    kinds = frozenset({OF_TABLE, OF_CAGE})
    sees = frozenset({MessageRejected})
    memory = RejectionMemory

    def fold(
        self, memory: RejectionMemory, sighting: Sighting, settings: Settings
    ) -> Iterable[str]:
        if not isinstance(sighting, MessageRejected):
            return ()
        gap = settings.microseconds("story_gap_seconds", sighting.at)
        key = _key(sighting)
        groups = memory.groups.setdefault(key, [])
        if sighting.origin and any(
            message.origin == sighting.origin for group in groups for message in group.messages
        ):
            return ()  # a copy, or the rejection of the same message by a second service
        if groups and sighting.at - groups[-1].messages[-1].at <= gap:
            _grow(groups[-1], sighting)
        else:
            groups.append(RejectionGroup([sighting], 1))
        memory.since = max(memory.since, sighting.at - KEPT_US)
        memory.groups[key] = [group for group in groups if group.messages[-1].at >= memory.since]
        return (key,)

    def judge(self, memory: RejectionMemory, key: str, settings: Settings) -> Iterator[Draft]:
        for group in memory.groups.get(key, ()):
            yield _draft(group.messages[0].code, group)


def _key(message: MessageRejected) -> str:
    """Rejections are grouped by code; those of messages of no table, also by topic."""
    return message.code if message.table or not message.topic else f"{message.code} {message.topic}"


def _grow(group: RejectionGroup, message: MessageRejected) -> None:
    """Add a rejection; dead letters come from one partition, in one order."""
    group.count += 1
    if len(group.messages) >= KEPT_MAX:
        del group.messages[KEPT_MAX // 2]
    group.messages.append(message)


def _draft(code: str, group: RejectionGroup) -> Draft:
    first = group.messages[0]
    kind = OF_CAGE if first.by_hand else OF_TABLE
    return Draft(
        kind=kind,
        identity=f"{code}/{first.id}",
        level=KINDS[kind].level,
        sentence=_of_cage(group) if first.by_hand else _of_table(code, group),
        rule=RULE,
        evidence=tuple(
            Evidence(
                at=message.at,
                words=message.reason,
                kind=code,
                table=message.table,
                entry_id=message.id,
            )
            for message in group.messages
        ),
        evidence_count=group.count,
        table=first.table,
        detail=f"Reason: {group.messages[-1].reason}",
    )


def _of_table(code: str, group: RejectionGroup) -> str:
    last = group.messages[-1]
    if last.topic and not last.table:
        count = counted(group.count, "message")
        return f"{count} rejected in topic {last.topic}: call the service operator"
    whose = last.table or "An unknown table"
    times = f" {counted(group.count, 'time')}" if group.count > 1 else ""
    fault, action = ADVICE.get(code, ("sent events that were rejected", "call a technician"))
    return f"{whose} {fault}{times}: {action}"


def _of_cage(group: RejectionGroup) -> str:
    """Entries by hand, at the cage or the promotions desk."""
    last = group.messages[-1]
    if group.count == 1:
        return f"Entry by {last.sender} rejected: correct and enter it again"
    return f"{group.count:,} entries rejected, last by {last.sender}: correct and enter them again"
