"""One more sighting of a subject: its new state, and the alerts that it changes.

The guard and the state that it guards are one value: what was seen is skipped, so that a message
that comes again after a crash changes nothing and says nothing new.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from alerting.alert import Alert, AlertState, alert_id, bookmarks, capped, tellable
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.registry import DETECTORS
from surveillance.domain.sightings import SourcedSighting

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    each.name: msgspec.msgpack.Decoder(each.memory) for each in DETECTORS
}

DISPROVED: Final = "later facts left nothing to prove it"


class Told(Struct, frozen=True, array_like=True):
    """The last that was said of an alert: all but its evidence, and a digest of the whole."""

    detector: str
    key: str
    digest: bytes
    head: Alert


class SubjectState(Struct, frozen=True):
    """All that is kept of a subject: how far each source was seen, and what came of it."""

    seen: dict[str, tuple[int, int]] = {}
    """The last offset and ordinal, by source."""
    memories: dict[str, bytes] = {}
    """Of each detector, by its name."""
    told: dict[str, Told] = {}
    """By the alert's id."""


class Watched(NamedTuple):
    """`alerts` are to be told before the state is kept: a repeat is an overwrite."""

    state: SubjectState
    alerts: tuple[Alert, ...]


def watch(
    state: SubjectState | None,
    placed: SourcedSighting,
    settings: Settings,
    detectors: Iterable[Detector[Any]] = DETECTORS,
) -> Watched:
    """The state after a sighting. One that was seen before leaves it as it is."""
    state = state or SubjectState()
    position = (placed.offset, placed.ordinal)
    if position <= state.seen.get(placed.source, (-1, -1)):
        return Watched(state, ())
    subject, sighting = placed.seen.subject, placed.seen.sighting
    memories, told = dict(state.memories), dict(state.told)
    changed: list[Alert] = []
    for detector in detectors:
        if type(sighting) not in detector.sees:
            continue
        memory = _remembered(detector, memories, subject)
        for key in dict.fromkeys(detector.fold(memory, sighting, settings)):
            drafts = detector.judge(memory, key, settings)
            changed += _tell(told, subject, detector.name, key, drafts, memory.since, settings)
        memories[detector.name] = _ENCODE(memory)
    seen = state.seen | {placed.source: position}
    return Watched(SubjectState(seen, memories, told), tuple(changed))


def _remembered(detector: Detector[Any], memories: dict[str, bytes], subject: str) -> Memory:
    """A copy of its own."""
    kept = memories.get(detector.name)
    if kept is None:
        return detector.memory(subject=subject)
    memory: Memory = _DECODERS[detector.name].decode(kept)
    return memory


def _tell(
    told: dict[str, Told],
    subject: str,
    detector: str,
    key: str,
    drafts: Iterable[Draft],
    since: int,
    settings: Settings,
) -> Iterator[Alert]:
    """What changed of the alerts under a key. What its detector has forgotten stays as it is."""
    standing = {each.id: each for each in (_alert(subject, draft, settings) for draft in drafts)}
    before = [name for name, each in told.items() if (each.detector, each.key) == (detector, key)]
    for name in before:
        if name in standing:
            continue
        last = told[name].head
        if last.changed_at < since:
            del told[name]
        elif last.state is AlertState.STANDING:
            standing[name] = replace(
                last, state=AlertState.WITHDRAWN, withdrawn_because=DISPROVED, evidence_count=0
            )
    for name, alert in standing.items():
        digest = _digest(alert)
        last_told = told.get(name)
        if last_told is not None and last_told.digest == digest:
            continue
        revision = last_told.head.revision + 1 if last_told is not None else 1
        new = replace(alert, revision=revision)
        told[name] = Told(detector, key, digest, replace(new, evidence=(), bookmarks=()))
        yield new


def _alert(subject: str, draft: Draft, settings: Settings) -> Alert:
    """A draft as it is told, but for its revision."""
    raised_at, changed_at = draft.evidence[0].at, draft.evidence[-1].at
    kept = capped(draft.evidence)
    return Alert(
        id=alert_id(draft.kind, subject, draft.identity),
        revision=0,
        state=AlertState.STANDING,
        kind=draft.kind,
        level=settings.level(draft.kind, draft.level, raised_at),
        sentence=draft.sentence,
        rule=draft.rule,
        raised_at=raised_at,
        changed_at=changed_at,
        label=KINDS[draft.kind].label if draft.kind in KINDS else "",
        table=draft.table,
        round=draft.round,
        seat=draft.seat,
        dealer=draft.dealer,
        patron=draft.patron,
        coupon=draft.coupon,
        cents=tellable(draft.cents),
        evidence=kept,
        evidence_count=max(len(draft.evidence), draft.evidence_count),
        bookmarks=bookmarks(kept),
        statistics=draft.statistics,
        tells_hole_card=draft.tells_hole_card,
        detail=draft.detail,
        suppressed_by=settings.suppressed_by(
            draft.kind, raised_at, table=draft.table, dealer=draft.dealer, patron=draft.patron
        ),
    )


def _digest(alert: Alert) -> bytes:
    return hashlib.blake2b(_ENCODE(replace(alert, revision=0)), digest_size=16).digest()
