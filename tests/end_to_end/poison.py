"""Messages that nobody should have written, into every topic, from a seed.

damaged     a message cut off, replaced by noise, emptied, or under a key that names nothing
foreign     a message of another topic
misplaced   a message in another partition than that of its key
duplicate   a message once more
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from confluent_kafka import KafkaError, Message, Producer

from runtime.kafka import topic_reader
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.records import Headers, headers_of, offset_of, place_of
from tests.stack.foreign import write_with_a_bad_header
from wire import headers, topics

DAMAGED, FOREIGN, MISPLACED, DUPLICATE = "damaged", "foreign", "misplaced", "duplicate"
KINDS: Final = (DAMAGED, FOREIGN, MISPLACED, DUPLICATE)
KEYED_BY_CONTENT: Final = frozenset(
    {
        topics.TABLE_EVENTS,
        topics.SETTLED_ROUNDS,
        topics.FINDINGS,
        topics.ALERTS,
        topics.SURVEILLANCE_SIGHTINGS,
        topics.SURVEILLANCE_STATES,
    }
)
"""A message counts only in the partition that its key, or whom it is about, leads to."""
EACH: Final = 6
"""Messages of each kind into each topic."""
HUGE: Final = 300_000


class Written(NamedTuple):
    """Where a message was written, and what it is."""

    topic: str
    partition: int
    offset: int
    kind: str


class Sample(NamedTuple):
    """A message that was there."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    headers: Headers


@dataclass
class Poisoner:
    """Names of topics have no `prefix` here."""

    bootstrap: str
    prefix: str
    seed: int
    written: list[Written] = field(default_factory=list)

    def poison(self) -> None:
        """All topics: the brokers have everything afterwards."""
        rng = Random(self.seed)
        samples = {name: self._samples(name) for name in sorted(topics.ALL)}
        producer = make_producer(producer_configuration(self.bootstrap))
        for name in sorted(topics.ALL):
            for kind in KINDS:
                for _ in range(EACH):
                    self._write(rng, producer, kind, name, samples)
        assert producer.flush(60) == 0
        for name in (topics.FINDINGS, topics.SURVEILLANCE_SETTINGS, topics.TABLE_EVENTS):
            write_with_a_bad_header(self.bootstrap, self.prefix + name, b"\xff\xff", key=b"k")

    def _samples(self, name: str) -> list[Sample]:
        """Of compacted topics the last of each key: an older one would be another fact."""
        topic = self.prefix + name
        found = [
            Sample(
                name,
                place_of(message).partition,
                message.key(),
                message.value(),
                headers_of(message),
            )
            for message in topic_reader.read(
                self.bootstrap, topic_reader.whole(self.bootstrap, topic)
            )
        ]
        if name in topics.COMPACTED:
            found = list({each.key: each for each in found}.values())
        return [each for each in found if each.value]

    def _write(
        self,
        rng: Random,
        producer: Producer,
        kind: str,
        name: str,
        samples: dict[str, list[Sample]],
    ) -> None:
        made = _make(rng, kind, name, samples)
        if made is None:
            return

        def note(error: KafkaError | None, message: Message) -> None:
            assert error is None, (name, kind, error)
            self.written.append(
                Written(name, place_of(message).partition, offset_of(message), kind)
            )

        producer.produce(
            self.prefix + name,
            made.value,
            made.key,
            made.partition,
            headers=made.headers,
            timestamp=rng.choice((0, 0, 1, 1_000_000_000_000)),
            on_delivery=note,
        )
        producer.poll(0)


def _make(rng: Random, kind: str, name: str, samples: dict[str, list[Sample]]) -> Sample | None:
    """What is written; None where there can be no such message."""
    here = samples[name]
    size = topics.PARTITIONS[name]
    if kind == DUPLICATE:
        return rng.choice(here) if here else None
    if kind == MISPLACED:
        if not here or name not in KEYED_BY_CONTENT:
            return None
        each = rng.choice(here)
        return each._replace(partition=(each.partition + rng.randrange(1, size)) % size)
    if kind == FOREIGN:
        others = [each for other, some in samples.items() if other != name for each in some]
        each = rng.choice([other for other in others if _is_foreign(other.topic, name)])
        key = rng.choice(here).key if here and rng.random() < 0.5 else each.key
        return Sample(name, rng.randrange(size), key or b"k", each.value, _headers(rng, each))
    each = rng.choice(here) if here else Sample(name, rng.randrange(size), b"k", b"value", [])
    key = rng.choice((each.key, b"\xff\xfe", b"no such key", b"x" * 70_000))
    return each._replace(
        key=key or b"k", value=_damage(rng, each.value or b"", name), headers=_headers(rng, each)
    )


def _is_foreign(other: str, name: str) -> bool:
    """Definitions are the same in both of their topics, and anything can be a dead letter."""
    defined = {topics.CATALOGUE, topics.SURVEILLANCE_DEFINITIONS}
    return not {other, name} <= defined and other != topics.DEAD_LETTERS


def _damage(rng: Random, value: bytes, name: str) -> bytes | None:
    """Without its last byte no message of protobuf or msgpack is whole."""
    ways = ["cut", "noise", "huge", "empty"] + ["null"] * (name not in topics.COMPACTED)
    match rng.choice(ways):
        case "cut":
            return value[:-1]
        case "noise":
            return b"\xff" + rng.randbytes(rng.randrange(1, 200))
        case "huge":
            return b"\xff" * HUGE
        case "empty":
            return b""
        case _:
            return None


def _headers(rng: Random, sample: Sample) -> Headers:
    """As they were, gone, twice, or telling nonsense."""
    odd: Headers = [
        (name, rng.choice((b"", b"-1", b"9" * 18, b"9" * 5_000, b"\xff\xfe", None)))
        for name in _names()
    ]
    return rng.choice((sample.headers, [], [*sample.headers, *sample.headers], odd))


def _names() -> Iterator[str]:
    yield from (headers.INGESTED_AT, headers.WAITED_US, headers.RETRY_OF, headers.RETRIED_AT)
    yield from (headers.SOURCE_PARTITION, headers.SOURCE_OFFSET, "traceparent")
