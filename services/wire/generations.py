"""Which round a version belongs to.

An id is a round's own among the last 64 of its table; a controller that starts its numbering anew
uses ids again, and the engine cannot know. So a first version that begins with another event is
another round of that id. Later versions belong to the round that began where they begin, or else
to the latest one: a late event can move the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class GenerationVerdict(Enum):
    """What a message is to whoever keeps rounds."""

    NEW = "new"
    """A version that was not there."""
    REPEAT = "repeat"
    """The same bytes again."""
    CONFLICT = "conflict"
    """Other bytes under a version that is there."""


@dataclass(slots=True)
class Generation:
    """One round of an id: where it began, and the digests of each version, the first counts."""

    opening_seq: int
    versions: dict[int, list[bytes]] = field(default_factory=dict)

    @property
    def in_force(self) -> int:
        return max(self.versions, default=0)


def place(
    generations: list[Generation], *, version: int, first_seq: int, digest: bytes
) -> tuple[Generation, GenerationVerdict]:
    """The round that a version is of, with the version noted; a new round is added to the list."""
    for known in generations:
        if digest in known.versions.get(version, ()):
            return known, GenerationVerdict.REPEAT
    home = next(
        (generation for generation in generations if generation.opening_seq == first_seq), None
    )
    if home is None and version > 1 and generations:
        home = max(generations, key=lambda generation: generation.opening_seq)
    if home is None:
        home = Generation(first_seq)
        generations.append(home)
    said = home.versions.setdefault(version, [])
    said.append(digest)
    return home, GenerationVerdict.NEW if len(said) == 1 else GenerationVerdict.CONFLICT
