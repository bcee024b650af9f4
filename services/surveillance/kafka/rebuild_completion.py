"""The end of a rebuild: what the new generation does not tell again is withdrawn.

An alert may not come again because a setting, a detector or the product has changed. Nothing would
ever take it back. So when all that was there has been read and watched anew, whoever finds it so
withdraws what stands of earlier generations, with the reason. A second worker writes the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from confluent_kafka import Consumer, KafkaException, TopicPartition
from msgspec.structs import replace

from alerting.alert import Alert, AlertState
from alerting.kinds import KINDS, DecidedBy
from runtime import logs
from runtime.kafka import topic_reader
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.records import Output, to_kafka
from runtime.positions import Partition, Position
from runtime.process import ServicePart, Stop
from surveillance.kafka.writer import Writer
from wire.alerts import decode_alert, encode_alert

LOOK_SECONDS: Final = 1.0
REASON: Final = "not told again when surveillance was made anew"
_ANSWER_SECONDS: Final = 10.0
_log = logs.logger(__name__)


def not_told_again(told: Iterable[Alert], generation: int) -> list[Alert]:
    """What stands of earlier generations, withdrawn. What the generation says of it later still
    counts for more."""
    last: dict[str, Alert] = {}
    for alert in told:
        known = last.get(alert.id)
        if known is None or _place(known) < _place(alert):
            last[alert.id] = alert
    return [
        replace(
            alert,
            revision=alert.revision + 1,
            state=AlertState.WITHDRAWN,
            withdrawn_because=REASON,
            evidence=(),
            evidence_count=0,
            bookmarks=(),
        )
        for alert in last.values()
        if alert.state is AlertState.STANDING
        and alert.generation < generation
        and not is_of_desk(alert)
    ]


def is_of_desk(alert: Alert) -> bool:
    """The desk raises and withdraws it: no generation of ours ever tells it."""
    return alert.kind in KINDS and KINDS[alert.kind].decided_by is DecidedBy.DESK


def _place(alert: Alert) -> tuple[int, int]:
    return alert.generation, alert.revision


class Ending:
    """Of the generation that workers are at. `read_by` names the topics by the group that reads
    them, and `sightings` is what comes of them; the first generation has nothing to end."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        writer: Writer,
        *,
        generation: int,
        read_by: Mapping[str, Sequence[str]],
        watched_by: str,
        sightings: str,
        alerts: str,
    ) -> None:
        self._bootstrap = bootstrap
        self._writer = writer
        self._generation = generation
        self._read_by = read_by
        self._watched_by = watched_by
        self._sightings = sightings
        self._alerts = alerts

    def part(self) -> ServicePart:
        return ServicePart("ending", self.run)

    async def run(self, stop: Stop) -> None:
        if self._generation and await self._is_made_anew(stop):
            stale = await asyncio.to_thread(self._stale)
            outputs = [Output(self._alerts, encode_alert(each), each.id.encode()) for each in stale]
            await self._writer.write(outputs)
            _log.info("made anew", generation=self._generation, withdrawn=len(stale))
        await stop.wait()

    async def _is_made_anew(self, stop: Stop) -> bool:
        """Waits until everything is read, then until all that came of it is watched."""
        for group, topics in self._read_by.items():
            if not await self._is_done(group, topics, stop):
                return False
        return await self._is_done(self._watched_by, [self._sightings], stop)

    async def _is_done(self, group: str, topics: Sequence[str], stop: Stop) -> bool:
        configuration = consumer_configuration(self._bootstrap, group=group)
        asking = await asyncio.to_thread(make_consumer, configuration)
        try:
            ends = await asyncio.to_thread(self._ends, topics)
            while not await asyncio.to_thread(_is_past, asking, ends):
                if await stop.wait(LOOK_SECONDS):
                    return False
            return True
        finally:
            asking.close()

    def _ends(self, topics: Sequence[str]) -> list[Position]:
        places = [
            Partition(each.topic, each.partition)
            for topic in topics
            for each in topic_reader.whole(self._bootstrap, topic)
        ]
        ends = topic_reader.visible_ends(self._bootstrap, places)
        return [Position(*place, end) for place, end in ends.items() if end]

    def _stale(self) -> list[Alert]:
        told = topic_reader.read(self._bootstrap, topic_reader.whole(self._bootstrap, self._alerts))
        return not_told_again(_decoded(each.value() or b"" for each in told), self._generation)


def _decoded(values: Iterable[bytes]) -> Iterable[Alert]:
    for value in values:
        try:
            yield decode_alert(value)
        except Exception as refused:  # the alert desk sets it aside
            _log.warning("alert skipped", reason=repr(refused))


def _is_past(asking: Consumer, ends: Sequence[Position]) -> bool:
    if not ends:
        return True
    try:
        done: list[TopicPartition] = asking.committed(to_kafka(ends), timeout=_ANSWER_SECONDS)
    except KafkaException as failed:
        _log.warning("how far topics are read is not known", reason=str(failed))
        return False
    offsets = {(each.topic, each.partition): each.offset for each in done}
    return all(offsets[each.place] >= each.offset for each in ends)
