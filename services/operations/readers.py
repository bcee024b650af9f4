"""The readers whose positions are in Kafka: for the service itself, and for its monitors."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from runtime.kafka.lag import LagReader, group_reader
from wire import topics

SETTLEMENT: Final = "settlement"
SURVEILLANCE: Final = "surveillance"
SETTLEMENT_GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {SETTLEMENT: (topics.TABLE_EVENTS,)}
)
SURVEILLANCE_GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "surveillance-sieve": (topics.TABLE_EVENTS,),
        "surveillance": (
            topics.FINDINGS,
            topics.SETTLED_ROUNDS,
            topics.PROMOTION_EVENTS,
            topics.CAGE_EVENTS,
            topics.SURVEILLANCE_SETTINGS,
            topics.DEAD_LETTERS,
            topics.CATALOGUE,
            topics.SURVEILLANCE_DEFINITIONS,
            topics.SURVEILLANCE_SIGHTINGS,
        ),
    }
)
"""By consumer group, the topics it reads; both without the prefix."""


def settlement_readers(prefix: str) -> list[LagReader]:
    return _readers(SETTLEMENT, SETTLEMENT_GROUPS, prefix)


def surveillance_readers(prefix: str) -> list[LagReader]:
    return _readers(SURVEILLANCE, SURVEILLANCE_GROUPS, prefix)


def _readers(service: str, groups: Mapping[str, tuple[str, ...]], prefix: str) -> list[LagReader]:
    return [
        group_reader(
            service, group, group=prefix + group, topics=[prefix + topic for topic in read]
        )
        for group, read in groups.items()
    ]
