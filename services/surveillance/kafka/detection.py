"""Sightings to alerts: the agent that keeps a state for every subject.

Alerts are published, and acknowledged, before the state that records them is stored. So a crash
between the two publishes them again, the same id and revision, and never loses one.

Findings go before rounds: rounds are the matter of statistics, and none of them is urgent. Nothing
depends on the order of sources, which no topic fixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
from faust.types import Message
from msgspec.structs import replace

from alerting.alert import Alert
from alerting.settings import Settings
from runtime import logs
from runtime.kafka.records import Headers, Output
from runtime.tracing import TRACEPARENT, batch_span, trace_id_of
from surveillance.domain.detection import LiveSubject, UnreadableMemory
from surveillance.kafka.live_subjects import LiveSubjects
from surveillance.kafka.rejections import MISPLACED, NOT_WATCHED, UNREADABLE, dead_letter
from surveillance.kafka.sighting_records import Sighted, decode
from surveillance.kafka.states import States, StateWrite
from surveillance.kafka.writer import Sending, Turn, Writer
from surveillance.metrics import Figures
from wire import topics
from wire.alerts import encode_alert
from wire.errors import Misplaced, NotARecord

STATE_BYTES_MAX: Final = topics.MESSAGE_BYTES_MAX - 64 * 1024
"""Of a state, with room for its key and what the protocol puts around it."""
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_Read = tuple[Message, Sequence[Sighted]]
_log = logs.logger(__name__)


class StateTooLarge(Exception):
    """A state that no broker would take."""

    def __init__(self, size: int) -> None:
        super().__init__(f"its state has {size} bytes, more than {STATE_BYTES_MAX}")


@dataclass(slots=True)
class _Change:
    """A subject whose state is not stored yet."""

    live: LiveSubject
    watched: list[Sighted] = field(default_factory=list)
    """What changed it, in order."""
    message: Message | None = None
    """The last that did."""


@dataclass(slots=True)
class _Batch:
    """What is not stored yet. Of what changes several times in it, only the last is written."""

    changes: dict[bytes, _Change] = field(default_factory=dict)
    alerts: dict[str, tuple[Alert, Output]] = field(default_factory=dict)
    """By the alert's id, as it is written; not written yet."""
    letters: list[Output] = field(default_factory=list)
    count: int = 0


class Watching:
    def __init__(
        self,
        states: States,
        writer: Writer,
        settings: Callable[[], Settings],
        figures: Figures,
        *,
        generation: int,
        prefix: str,
    ) -> None:
        self._states = states
        self._subjects = LiveSubjects(states.get)
        self._sending = Sending(writer, self._take)
        self._settings = settings
        self._figures = figures
        self._generation = generation
        self._alerts = prefix + topics.ALERTS
        self._letters = prefix + topics.DEAD_LETTERS
        self._batch = _Batch()

    async def tell(self, messages: Sequence[Message]) -> None:
        found, counted = self._read(messages)
        turn = Turn()
        given = (*found, *counted)
        traceparents = (each.trace for _, sighted in given for each in sighted)
        with batch_span((message.topic for message, _ in given), len(given), traceparents):
            for message, sighted in given:
                self._watch(message, sighted)
                self._sending.begin()
                await turn.give_way()

    async def keep(self, are_ours: Callable[[], bool]) -> None:
        batch = self._batch
        states = await self._encode(batch)
        await self._sending.end()
        if are_ours():
            await self._states.write(states)
            for subject, state in states.items():
                self._subjects.keep(subject, batch.changes[subject].live, state.state)
            self._figures.watched(batch.count)
        else:
            for subject in batch.changes:
                self._subjects.forget(subject)
        self._batch = _Batch()

    def _read(self, messages: Sequence[Message]) -> tuple[list[_Read], list[_Read]]:
        """Those of which something may be told at once, and those of rounds."""
        found: list[_Read] = []
        counted: list[_Read] = []
        for message in messages:
            try:
                sighted = decode(message.value or b"", message.partition)
            except Misplaced as refused:
                letter = self._set_aside(message, MISPLACED, str(refused))
                self._batch.letters.append(letter)
            except NotARecord as refused:
                letter = self._set_aside(message, UNREADABLE, str(refused))
                self._batch.letters.append(letter)
            else:
                (counted if _of_rounds(sighted) else found).append((message, sighted))
        return found, counted

    def _take(self) -> Sequence[Output]:
        """What is not written yet of alerts and letters."""
        batch = self._batch
        for alert, output in batch.alerts.values():
            self._count(alert, output)
        outputs = [*(output for _, output in batch.alerts.values()), *batch.letters]
        batch.alerts.clear()
        batch.letters.clear()
        return outputs

    def _watch(self, message: Message, sighted: Sequence[Sighted]) -> None:
        settings = self._settings()
        for each in sighted:
            subject = each.placed.seen.subject.encode()
            change = self._batch.changes.get(subject)
            if change is None:
                change = self._batch.changes[subject] = _Change(self._restore(subject, message))
            try:
                self._add(change.live.watch(each.placed, settings), each)
            except UnreadableMemory as error:
                change.live = self._begin_again(subject, message, error)
                self._add(change.live.watch(each.placed, settings), each)
            except Exception as failed:
                _log.error("not watched", subject=subject, exc_info=True)
                self._batch.letters.append(self._set_aside(message, NOT_WATCHED, repr(failed)))
                change.live = self._without(subject, change.watched, settings)
                continue
            change.message = message
            change.watched.append(each)
            self._batch.count += 1

    def _add(self, alerts: Iterable[Alert], cause: Sighted) -> None:
        self._batch.alerts |= {alert.id: (alert, self._tell(alert, cause)) for alert in alerts}

    def _without(
        self, subject: bytes, watched: Iterable[Sighted], settings: Settings
    ) -> LiveSubject:
        """The subject as it was before a sighting that broke a detector."""
        self._subjects.forget(subject)
        live = self._subjects.get(subject)
        for each in watched:
            live.watch(each.placed, settings)
        return live

    async def _encode(self, batch: _Batch) -> dict[bytes, StateWrite]:
        """The states that changed. One that no broker would take, or that cannot be settled, stays
        as it was: its subject is not watched on."""
        settings, turn = self._settings(), Turn()
        states: dict[bytes, StateWrite] = {}
        for subject, change in batch.changes.items():
            message = change.message
            if message is None:
                continue
            try:
                self._add(change.live.settle(settings), change.watched[-1])
                state = _ENCODE(change.live.state)
                if len(state) > STATE_BYTES_MAX:
                    raise StateTooLarge(len(state))
            except Exception as failed:
                _log.error("not watched", subject=subject, exc_info=True)
                batch.letters.append(self._set_aside(message, NOT_WATCHED, repr(failed)))
                self._subjects.forget(subject)
            else:
                states[subject] = StateWrite(message.partition, state)
            await turn.give_way()
        return states

    def _restore(self, subject: bytes, message: Message) -> LiveSubject:
        """The subject as it was stored."""
        try:
            return self._subjects.get(subject)
        except Exception as error:
            return self._begin_again(subject, message, error)

    def _begin_again(self, subject: bytes, message: Message, error: Exception) -> LiveSubject:
        """A state that cannot be read is rejected, and its subject begins with none: what is lost
        is back once surveillance is rebuilt."""
        reason = f"the state of {subject!r} cannot be read: {error!r}; rebuild surveillance"
        _log.error("state unusable", subject=subject, reason=repr(error))
        self._batch.letters.append(self._set_aside(message, NOT_WATCHED, reason))
        return LiveSubject(subject.decode(), None)

    def _tell(self, alert: Alert, cause: Sighted) -> Output:
        known: Headers = [(TRACEPARENT, cause.trace.encode())] if cause.trace else []
        value = encode_alert(replace(alert, generation=self._generation))
        return Output(self._alerts, value, alert.id.encode(), headers=known)

    def _count(self, alert: Alert, output: Output) -> None:
        self._figures.told(alert)
        trace_id = trace_id_of(dict(output.headers or ()).get(TRACEPARENT))
        _log.info(
            "alert",
            id=alert.id,
            revision=alert.revision,
            state=alert.state.value,
            kind=alert.kind,
            priority=alert.level.name,
            table=alert.table,
            **({"trace_id": trace_id} if trace_id else {}),
        )

    def _set_aside(self, message: Message, code: str, reason: str) -> Output:
        self._figures.set_aside(message.topic)
        return dead_letter(self._letters, message, code=code, reason=reason)


def _of_rounds(sighted: Sequence[Sighted]) -> bool:
    """A message is made of one source."""
    return bool(sighted) and sighted[0].placed.source.startswith(topics.SETTLED_ROUNDS)
