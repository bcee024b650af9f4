"""Chance as an argument.

The methods are those of `random.Random`, which fits; a test may hand in anything else.
Streams of chance have names, so that one more patron at one table leaves every other table
as it was.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class RandomStream(Protocol):
    """A stream of chance: the same stream gives the same values in the same order."""

    def random(self) -> float: ...

    def uniform(self, a: float, b: float) -> float: ...

    def randint(self, a: int, b: int) -> int: ...

    def randrange(self, start: int, /) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, _population: Sequence[T], _k: int, /) -> list[T]: ...

    def shuffle(self, _cards: MutableSequence[Any], /) -> None: ...


RandomSource = Callable[[str], RandomStream]
"""A fresh stream of chance by its name; one name always gives the same one."""
