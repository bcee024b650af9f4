"""A detector: a fold over the sightings of a subject, and a verdict on what it remembers.

The law that every detector keeps: its memory is a function of the set of what was seen, not of
how sources interleave. So a verdict is too, whatever was raised and withdrawn on the way. What a
memory forgets it forgets by event time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct

from alerting.alert import Evidence, StatisticalProof
from alerting.settings import Settings
from blackjack.findings import Level
from surveillance.domain.sightings import Sighting


class Memory(Struct):
    """What a detector remembers of a subject. It is handed a copy of its own, to change."""

    subject: str = ""
    since: int = 0
    """What happened before this is forgotten: of it nothing is said any more."""

    @property
    def about(self) -> str:
        """The subject by its own name: a patron's token, a coupon's serial."""
        return self.subject.partition(":")[2]


class Draft(Struct, frozen=True):
    """An alert as a detector sees it: what stands, by all that it remembers.

    `identity` names it for good within its kind and subject. `evidence` is all of it, in the
    order of time, and never empty.
    """

    kind: str
    identity: str
    level: Level
    sentence: str
    rule: str
    evidence: tuple[Evidence, ...]
    table: str = ""
    round: str = ""
    seat: int = 0
    dealer: str = ""
    patron: str = ""
    coupon: str = ""
    cents: int = 0
    evidence_count: int = 0
    """More than `evidence` where a memory keeps only a part of it."""
    statistics: StatisticalProof | None = None
    tells_hole_card: bool = False
    detail: str = ""
    """Arithmetic, test and method, for the reader who wants to know why."""


M = TypeVar("M", bound=Memory)


class Detector(ABC, Generic[M]):
    """`name` names its memory in a state, for good; `kinds` are those that it raises."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    sees: ClassVar[frozenset[type[Sighting]]]
    memory: ClassVar[type[Memory]]

    @abstractmethod
    def fold(self, memory: M, sighting: Sighting, settings: Settings) -> Iterable[str]:
        """Remember it. Returns the keys of what must be judged anew."""

    def settle(self, memory: M, settings: Settings) -> Iterable[str]:  # noqa: ARG002
        """Do what `fold` has put off; called before a memory is stored. Returns more such keys.

        Work that is the same for many sightings is done once for all of them; the law holds for
        memories that are settled.
        """
        return ()

    @abstractmethod
    def judge(self, memory: M, key: str, settings: Settings) -> Iterable[Draft]:
        """What stands under a key."""
