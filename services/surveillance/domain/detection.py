"""One more sighting of a subject: its new state, and the alerts that it changes.

The guard and the state that it guards are one value: a sighting that was watched before is
skipped, so that a message that comes again after a crash changes nothing and raises nothing new.

A worker watches many sightings of a subject before it stores the state. So memories are decoded
when a detector first needs them, and encoded when the state is stored, and only those that changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from alerting.alert import Alert, AlertState, alert_id, bookmarks, capped, clamp_cents
from alerting.kinds import KINDS
from alerting.settings import Settings
from surveillance.domain.detector import Detector, Draft, Memory
from surveillance.domain.registry import DETECTORS
from surveillance.domain.sightings import SourcedSighting

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    detector.name: msgspec.msgpack.Decoder(detector.memory) for detector in DETECTORS
}

DISPROVED: Final = "later facts left nothing to prove it"
_NEVER: Final = (-1, -1)


class UnreadableMemory(Exception):
    """A stored memory of another version, or damaged."""

    def __init__(self, detector: str, error: Exception) -> None:
        super().__init__(f"memory of {detector!r}: {error}")


class AlertRecord(Struct, frozen=True, array_like=True):
    """The last revision of an alert: all but its evidence, and a digest of the whole."""

    detector: str
    key: str
    digest: bytes
    head: Alert


class SubjectState(Struct, frozen=True):
    """All that is kept of a subject: the position of each source, and what came of it."""

    seen: dict[str, tuple[int, int]] = {}
    """The last offset and ordinal, by source."""
    memories: dict[str, bytes] = {}
    """Of each detector, by its name."""
    told: dict[str, AlertRecord] = {}
    """By the alert's id."""


class Watched(NamedTuple):
    """`alerts` are published before the state is stored: a repeat is an overwrite."""

    state: SubjectState
    alerts: tuple[Alert, ...]


def watch(
    state: SubjectState | None,
    placed: SourcedSighting,
    settings: Settings,
    detectors: Iterable[Detector[Any]] = DETECTORS,
) -> Watched:
    """The state after one sighting. One that was watched before leaves it as it is."""
    subject = LiveSubject(placed.seen.subject, state, detectors)
    alerts = (*subject.watch(placed, settings), *subject.settle(settings))
    return Watched(subject.state, alerts)


class LiveSubject:
    """A subject whose sightings are watched one after the other, before its state is stored.

    If a detector raises, the state is not to be used any more: what was stored still holds.
    """

    def __init__(
        self,
        subject: str,
        state: SubjectState | None,
        detectors: Iterable[Detector[Any]] = DETECTORS,
    ) -> None:
        self.subject = subject
        self._stored = state or SubjectState()
        self._detectors = detectors
        self._seen = dict(self._stored.seen)
        self._memories: dict[str, Memory] = {}
        """Those that were decoded."""
        self._changed: dict[str, Detector[Any]] = {}
        """By name: whose memory is not encoded since it changed."""
        self._unsettled: dict[str, Detector[Any]] = {}
        self._records = dict(self._stored.told)
        self._ids: dict[tuple[str, str], list[str]] | None = None
        """Of the alerts that are recorded, by detector and key."""

    def watch(self, placed: SourcedSighting, settings: Settings) -> tuple[Alert, ...]:
        """The alerts that a sighting changes; none if it was watched before."""
        position = (placed.offset, placed.ordinal)
        if position <= self._seen.get(placed.source, _NEVER):
            return ()
        sighting = placed.seen.sighting
        changed: list[Alert] = []
        for detector in _watching(type(sighting), self._detectors):
            memory = self._memory(detector)
            keys = detector.fold(memory, sighting, settings)
            changed += self._judge(detector, memory, keys, settings)
            self._changed[detector.name] = self._unsettled[detector.name] = detector
        self._seen[placed.source] = position
        return tuple(changed)

    def settle(self, settings: Settings) -> tuple[Alert, ...]:
        """The alerts that change when detectors have done what they put off."""
        changed: list[Alert] = []
        for name, detector in self._unsettled.items():
            memory = self._memories[name]
            changed += self._judge(detector, memory, detector.settle(memory, settings), settings)
        self._unsettled.clear()
        return tuple(changed)

    @property
    def state(self) -> SubjectState:
        """To be stored, once it is settled."""
        if self._seen != self._stored.seen:
            encoded = {name: _ENCODE(self._memories[name]) for name in self._changed}
            memories = self._stored.memories | encoded
            self._stored = SubjectState(dict(self._seen), memories, dict(self._records))
            self._changed.clear()
        return self._stored

    def _memory(self, detector: Detector[Any]) -> Memory:
        memory = self._memories.get(detector.name)
        if memory is None:
            stored = self._stored.memories.get(detector.name)
            memory = detector.memory(subject=self.subject)
            if stored is not None:
                try:
                    memory = _DECODERS[detector.name].decode(stored)
                except Exception as error:  # also of text and of depth
                    raise UnreadableMemory(detector.name, error) from error
            self._memories[detector.name] = memory
        return memory

    def _judge(
        self, detector: Detector[Any], memory: Memory, keys: Iterable[str], settings: Settings
    ) -> list[Alert]:
        found: list[Alert] = []
        for key in dict.fromkeys(keys):
            drafts = detector.judge(memory, key, settings)
            found += self._revise(detector.name, key, drafts, memory.since, settings)
        return found

    def _revise(
        self, detector: str, key: str, drafts: Iterable[Draft], since: int, settings: Settings
    ) -> Iterator[Alert]:
        """The alerts under a key that changed. One that its detector has forgotten stays as it
        is."""
        records = self._records
        alerts = [_alert(self.subject, draft, settings) for draft in drafts]
        standing = {alert.id: alert for alert in alerts}
        ids = self._ids_of(detector, key)
        for name in tuple(ids):
            if name in standing:
                continue
            last = records[name].head
            if last.changed_at < since:
                del records[name]
                ids.remove(name)
            elif last.state is AlertState.STANDING:
                standing[name] = replace(
                    last, state=AlertState.WITHDRAWN, withdrawn_because=DISPROVED, evidence_count=0
                )
        for name, alert in standing.items():
            digest = _digest(alert)
            record = records.get(name)
            if record is None:
                ids.append(name)
            elif record.digest == digest:
                continue
            revision = record.head.revision + 1 if record is not None else 1
            new = replace(alert, revision=revision)
            head = replace(new, evidence=(), bookmarks=())
            records[name] = AlertRecord(detector, key, digest, head)
            yield new

    def _ids_of(self, detector: str, key: str) -> list[str]:
        """In the order in which they were raised."""
        if self._ids is None:
            self._ids = {}
            for name, record in self._records.items():
                self._ids.setdefault((record.detector, record.key), []).append(name)
        return self._ids.setdefault((detector, key), [])


def _watching(sighting: type[Any], detectors: Iterable[Detector[Any]]) -> tuple[Detector[Any], ...]:
    """The detectors that look at such a sighting."""
    if detectors is not DETECTORS:
        return tuple(detector for detector in detectors if sighting in detector.sees)
    found = _BY_SIGHTING.get(sighting)
    if found is None:
        found = tuple(detector for detector in DETECTORS if sighting in detector.sees)
        _BY_SIGHTING[sighting] = found
    return found


_BY_SIGHTING: Final[dict[type[Any], tuple[Detector[Any], ...]]] = {}


def _alert(subject: str, draft: Draft, settings: Settings) -> Alert:
    """A draft as an alert, but for its revision."""
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
        cents=clamp_cents(draft.cents),
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
