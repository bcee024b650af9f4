"""What the stack has made of a day: how far settlement is, what it found, what was refused."""

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
"""How long settlement may make no progress before we say so."""
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
        super().__init__(f"settlement has settled nothing for {seconds:.0f} s; {lag:,} events wait")


class NotWatching(Exception):
    """Surveillance makes no progress."""

    def __init__(self, partitions: int, seconds: float) -> None:
        self.partitions = partitions
        super().__init__(
            f"surveillance has done nothing for {seconds:.0f} s; {partitions} partitions wait"
        )


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a stack."""

    bootstrap: str
    prefix: str = ""

    def ends(self) -> list[OffsetRange]:
        """Where what is said of tables ends by now: a day sent later comes after."""
        names = (topics.FINDINGS, topics.SETTLED_ROUNDS, topics.DEAD_LETTERS, topics.ALERTS)
        return [
            offsets
            for name in names
            for offsets in topic_reader.whole(self.bootstrap, self._topic(name))
        ]

    def lag(self) -> int:
        """How many events of the log settlement has not settled yet."""
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
        """Return when nothing waits; `report` is told how many events do."""
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
        """How many partitions hold something that surveillance has not done.

        The mark of a transaction behind the last message is nobody's to do.
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
        """Return when nothing waits, for longer than something can be on its way."""
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
        """Those that stand at the end."""
        found: dict[str, Alert] = {}
        for message in self._read_after(since, topics.ALERTS):
            alert = decode_alert(message.value() or b"")
            found[alert.id] = alert
        return [alert for alert in found.values() if alert.state is AlertState.STANDING]

    def standing(self, since: Sequence[OffsetRange], tables: Collection[str]) -> list[Finding]:
        """Findings of these tables that stand at the end."""
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
        """What the gateway refused of these tables, and what settlement set aside of them."""
        found = []
        for message in self._read_after(since, topics.DEAD_LETTERS):
            said = dict(headers_of(message))
            table = _text(said.get(headers.TABLE)) or _text(message.key())
            if table in tables:
                word = _text(said.get(headers.CODE)) or _text(said.get(headers.REASON))
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
