"""Groups of things that happened close together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def sessions(
    things: Iterable[T], at: Callable[[T], int], gap: Callable[[int], int]
) -> list[list[T]]:
    """Split what is in the order of time wherever nothing happened for longer than a gap.

    >>> sessions([1, 2, 9, 10], at=lambda each: each, gap=lambda at: 5)
    [[1, 2], [9, 10]]
    """
    found: list[list[T]] = []
    for thing in things:
        if found and at(thing) - at(found[-1][-1]) <= gap(at(found[-1][-1])):
            found[-1].append(thing)
        else:
            found.append([thing])
    return found
