"""Transactions that no broker will ever end.

While a partition has no leader, Kafka 4.3.1 takes it for deleted (KAFKA-20734): the end of a
transaction that happens to be under way is not written there, and the coordinator takes the
transaction for ended all the same. No client then gets the positions of the group, and no
committed reader gets beyond that place. The end of a later transaction of the same id ends the
earlier one too, in every partition that both have; but its worker cannot begin one, since it does
not know where to go on.

So it begins one only to abort it: over the positions, which then are those before the batch that
hangs, and over the outputs that this batch has brought forth, which are brought forth again.
Output that an earlier batch has written, whose positions are committed, is left alone: it is to be
seen as soon as this worker writes there again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from runtime import logs
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.configuration import consumer_configuration, make_consumer
from runtime.kafka.records import Output
from runtime.kafka.topic_reader import (
    NoSuchTopic,
    ReadingStuck,
    open_reader,
    partitions_of,
    read_with,
    unread,
)
from runtime.kafka.transactions import NotCommitted, Transactions
from runtime.positions import OffsetRange, Partition, Position

SourceOf = Callable[[Message], Position | None]
"""The input that caused a message, where its headers name it."""
_ANSWER_SECONDS = 10.0
_log = logs.logger(__name__)


@dataclass(frozen=True, slots=True)
class HangingTransactions:
    """Ends what an earlier producer of a worker left open."""

    bootstrap: Bootstrap
    group: str
    outputs: Sequence[str]
    source_of: SourceOf

    def end(self, transactions: Transactions, places: Sequence[Partition], group: Any) -> None:
        """For partitions whose positions no broker returns; another worker's transactions stay.

        Nothing is raised where no broker answers: then only the brokers hang.
        """
        try:
            stuck = list(self._stuck(self._settled(places)))
            _log.warning(
                "ending a transaction that hangs",
                partitions=[list(place) for place in places],
                outputs=[list(place) for place in stuck],
            )
            touched = [Output(topic, b"", b"hanging", partition) for topic, partition in stuck]
            transactions.end_hanging(touched, [Position(*place, 0) for place in places], group)
        except (KafkaException, NoSuchTopic, ReadingStuck, NotCommitted) as failed:
            _log.warning("a transaction that hangs was not ended", reason=str(failed))

    def _settled(self, places: Sequence[Partition]) -> dict[Partition, int]:
        """Up to where inputs are committed, whatever is still open behind it."""
        configuration = consumer_configuration(
            self.bootstrap, group=self.group, read_uncommitted=True
        )
        client = make_consumer(configuration)
        try:
            wanted = [TopicPartition(*place) for place in places]
            found = client.committed(wanted, timeout=_ANSWER_SECONDS)
            return {
                Partition(position.topic, position.partition): max(position.offset, 0)
                for position in found
            }
        finally:
            client.close()

    def _stuck(self, settled: Mapping[Partition, int]) -> Iterator[Partition]:
        """Partitions where outputs of uncommitted inputs hold up readers."""
        stable = open_reader(self.bootstrap)
        real = open_reader(self.bootstrap, read_uncommitted=True)
        try:
            for topic in self.outputs:
                for partition in range(partitions_of(real, topic)):
                    begin = unread(stable, topic, partition).end
                    stretch = unread(real, topic, partition, begin)
                    if self._is_unsettled(real, stretch, settled):
                        yield Partition(topic, partition)
        finally:
            stable.close()
            real.close()

    def _is_unsettled(
        self, reader: Consumer, stretch: OffsetRange, settled: Mapping[Partition, int]
    ) -> bool:
        """The first message that was made of our inputs decides."""
        for message in read_with(reader, [stretch], seconds_max=_ANSWER_SECONDS):
            source = self.source_of(message)
            if source is not None and source.place in settled:
                return source.offset >= settled[source.place]
        return False
