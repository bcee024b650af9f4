"""Sightings to alerts: the agent that keeps a state for every subject.

Alerts are told, and acknowledged, before the state is kept that says so. So a crash between the
two tells them again, the same id and revision, and never keeps one from being told.

What was found goes before what is counted: rounds are the matter of statistics, take milliseconds
each, and none of them is urgent. Nothing depends on the order of sources, which no topic fixes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from surveillance.domain.detection import SubjectState, watch
from surveillance.kafka.rejections import MISPLACED, NOT_WATCHED, UNREADABLE, dead_letter
from surveillance.kafka.sighting_records import Sighted, decode
from surveillance.kafka.states import Change, States
from surveillance.kafka.writer import Sending, Turn, Writer
from surveillance.metrics import Figures
from wire import topics
from wire.alerts import encode_alert
from wire.errors import Misplaced, NotARecord

STATE_BYTES_MAX: Final = topics.MESSAGE_BYTES_MAX - 64 * 1024
"""Of a state, with room for its key and what the protocol puts around it."""
_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(SubjectState).decode
_Read = tuple[Message, Sequence[Sighted]]
_log = logs.logger(__name__)


@dataclass(slots=True)
class _Batch:
    """What is not kept yet. Of what changes several times in it, only the last is written."""

    states: dict[bytes, SubjectState | None] = field(default_factory=dict)
    changed: dict[bytes, Message] = field(default_factory=dict)
    """Subjects, each with the last message that changed its state."""
    told: dict[str, tuple[Alert, Output]] = field(default_factory=dict)
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
        changes = dict(self._changes(batch))
        await self._sending.end()
        if are_ours():
            await self._states.write(changes)
            self._figures.watched(batch.count)
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
        for alert, output in batch.told.values():
            self._count(alert, output)
        outputs = [*(output for _, output in batch.told.values()), *batch.letters]
        batch.told.clear()
        batch.letters.clear()
        return outputs

    def _watch(self, message: Message, sighted: Sequence[Sighted]) -> None:
        batch = self._batch
        for each in sighted:
            subject = each.placed.seen.subject.encode()
            if subject not in batch.states:
                batch.states[subject] = self._restore(subject, message)
            before = batch.states[subject]
            try:
                after, alerts = watch(before, each.placed, self._settings())
                told = {alert.id: (alert, self._tell(alert, each)) for alert in alerts}
            except Exception as failed:
                _log.error("not watched", subject=subject, exc_info=True)
                batch.letters.append(self._set_aside(message, NOT_WATCHED, repr(failed)))
                continue
            if after is not before:
                batch.states[subject] = after
                batch.changed[subject] = message
            batch.told |= told
            batch.count += 1

    def _changes(self, batch: _Batch) -> Iterator[tuple[bytes, Change]]:
        """A state that no broker would take stays as it was: its subject is not watched on."""
        for subject, message in batch.changed.items():
            state = _ENCODE(batch.states[subject])
            if len(state) <= STATE_BYTES_MAX:
                yield subject, Change(message.partition, state)
                continue
            reason = f"its state has {len(state)} bytes, more than {STATE_BYTES_MAX}"
            _log.error("not watched", subject=subject, reason=reason)
            batch.letters.append(self._set_aside(message, NOT_WATCHED, reason))

    def _restore(self, subject: bytes, message: Message) -> SubjectState | None:
        """The state of a subject. One that cannot be read is set aside, and the subject begins
        anew: what is lost is back once surveillance is made anew."""
        kept = self._states.get(subject)
        try:
            return None if kept is None else _DECODE(kept)
        except Exception as error:
            reason = f"the state of {subject!r} cannot be read: {error!r}; make surveillance anew"
            _log.error("state unusable", subject=subject, reason=repr(error))
            self._batch.letters.append(self._set_aside(message, NOT_WATCHED, reason))
            return None

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
