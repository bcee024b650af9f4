"""Progress and results of the stack, read from its topics: lag, findings, alerts, rejections."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from confluent_kafka import Message, TopicPartition

from alerting.alert import Alert, AlertState
from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from runtime.kafka import topic_reader
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.records import headers_of
from runtime.positions import OffsetRange
from table_simulator.domain.truth import Rejection
from wire import headers, topics
from wire.alerts import decode_alert
from wire.settlement import decode_record, decode_round

LOOK_SECONDS: Final = 0.2
STILL_SECONDS_MAX: Final = 60.0
"""How long a service may make no progress before the demonstration gives up."""
WATCHED: Final = (
    topics.FINDINGS, topics.SETTLED_ROUNDS, topics.PROMOTION_EVENTS, topics.CAGE_EVENTS,
    topics.DEAD_LETTERS, topics.SURVEILLANCE_SIGHTINGS,
)  # fmt: skip
QUIET_LOOKS: Final = 4
"""Offsets are committed once a second, and a sighting may be on its way to its topic."""
_ANSWER_SECONDS: Final = 10.0


class NotSettling(Exception):
    """Settlement makes no progress."""

    def __init__(self, lag: int, seconds: float) -> None:
        self.lag = lag
        super().__init__(
            f"settlement has settled nothing for {seconds:.0f} s; {lag:,} events waiting"
        )


class NotWatching(Exception):
    """Surveillance makes no progress."""

    def __init__(self, partitions: int, seconds: float) -> None:
        self.partitions = partitions
        super().__init__(
            f"surveillance has read nothing for {seconds:.0f} s; {partitions} partitions waiting"
        )


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a stack."""

    bootstrap: str
    prefix: str = ""

    def ends(self) -> list[OffsetRange]:
        """The current ends of the topics about tables: a day sent later comes after them."""
        names = (topics.FINDINGS, topics.SETTLED_ROUNDS, topics.DEAD_LETTERS, topics.ALERTS)
        return [
            offsets
            for name in names
            for offsets in topic_reader.whole(self.bootstrap, self._topic(name))
        ]

    def lag(self) -> int:
        """The number of events in the log that settlement has not settled yet."""
        events = topic_reader.whole(self.bootstrap, self._topic(topics.TABLE_EVENTS))
        consumer = make_consumer(
            consumer_configuration(self.bootstrap, group=self.prefix + "settlement")
        )
        try:
            places = [TopicPartition(event.topic, event.partition) for event in events]
            settled = consumer.committed(places, timeout=_ANSWER_SECONDS)
        finally:
            consumer.close()
        ends = {event.partition: event.end for event in events}
        return sum(ends[place.partition] - max(place.offset, 0) for place in settled)

    def wait_until_settled(self, report: Callable[[int], None]) -> None:
        """Return when no event is waiting; `report` gets the number waiting."""
        least, moved_at = self.lag(), time.monotonic()
        lag = least
        while lag:
            report(lag)
            time.sleep(LOOK_SECONDS)
            lag = self.lag()
            if lag < least:
                least, moved_at = lag, time.monotonic()
            elif (still := time.monotonic() - moved_at) > STILL_SECONDS_MAX:
                raise NotSettling(lag, still)
        report(0)

    def unwatched(self) -> int:
        """The number of partitions with messages that surveillance has not read.

        The commit marker of a transaction after the last message does not count.
        """
        group = self.prefix + "surveillance"
        waiting = 0
        for reader, names in ((group, WATCHED), (f"{group}-sieve", (topics.TABLE_EVENTS,))):
            consumer = make_consumer(consumer_configuration(self.bootstrap, group=reader))
            try:
                for name in names:
                    there = {
                        offsets.partition: offsets
                        for offsets in topic_reader.whole(self.bootstrap, self._topic(name))
                        if offsets.begin < offsets.end
                    }
                    places = [TopicPartition(self._topic(name), number) for number in there]
                    done = consumer.committed(places, timeout=_ANSWER_SECONDS) if places else []
                    waiting += sum(place.offset < there[place.partition].end - 1 for place in done)
            finally:
                consumer.close()
        return waiting

    def wait_until_watched(self, report: Callable[[int], None]) -> None:
        """Return when nothing has been waiting for longer than a message can be in transit."""
        quiet, moved_at, least = 0, time.monotonic(), -1
        while quiet < QUIET_LOOKS:
            waiting = self.unwatched()
            report(waiting)
            quiet = 0 if waiting else quiet + 1
            if least < 0 or waiting < least or not waiting:
                least, moved_at = waiting, time.monotonic()
            elif (still := time.monotonic() - moved_at) > STILL_SECONDS_MAX:
                raise NotWatching(waiting, still)
            time.sleep(2 * LOOK_SECONDS)

    def alerts(self, since: Sequence[OffsetRange]) -> list[Alert]:
        """Alerts that still stand at the end."""
        found: dict[str, Alert] = {}
        for message in self._read_after(since, topics.ALERTS):
            alert = decode_alert(message.value() or b"")
            found[alert.id] = alert
        return [alert for alert in found.values() if alert.state is AlertState.STANDING]

    def standing(self, since: Sequence[OffsetRange], tables: Collection[str]) -> list[Finding]:
        """Findings of these tables that still stand at the end."""
        found: dict[str, Finding] = {}
        for message in self._read_after(since, topics.FINDINGS):
            match decode_record(message.value() or b""):
                case Finding() as finding if finding.table in tables:
                    found[finding.id] = finding
                case Withdrawal() as withdrawal:
                    found.pop(withdrawal.id, None)
                case _:
                    pass
        return list(found.values())

    def rounds(self, since: Sequence[OffsetRange], tables: Collection[str]) -> list[SettledRound]:
        """Rounds of these tables, each in its last version."""
        found: dict[tuple[str, str], SettledRound] = {}
        for message in self._read_after(since, topics.SETTLED_ROUNDS):
            settled = decode_round(message.value() or b"")
            if settled.table in tables:
                found[settled.table, settled.round] = settled
        return list(found.values())

    def rejections(self, since: Sequence[OffsetRange], tables: Collection[str]) -> list[Rejection]:
        """Dead letters of these tables: rejections of the gateway and of settlement."""
        found = []
        for message in self._read_after(since, topics.DEAD_LETTERS):
            values = dict(headers_of(message))
            table = _text(values.get(headers.TABLE)) or _text(message.key())
            if table in tables:
                word = _text(values.get(headers.CODE)) or _text(values.get(headers.REASON))
                found.append((table, word))
        return found

    def _read_after(self, since: Sequence[OffsetRange], name: str) -> Iterator[Message]:
        topic = self._topic(name)
        begins = {offsets.partition: offsets.end for offsets in since if offsets.topic == topic}
        now = topic_reader.whole(self.bootstrap, topic)
        return topic_reader.read(
            self.bootstrap,
            [
                OffsetRange(topic, offsets.partition, begins[offsets.partition], offsets.end)
                for offsets in now
            ],
        )

    def _topic(self, name: str) -> str:
        return self.prefix + name


def _text(value: bytes | str | None) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value or ""
