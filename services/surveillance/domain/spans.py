"""Arithmetic of stretches of time: pairs of moments, in order, that do not overlap."""

from __future__ import annotations

from collections.abc import Iterable

Span = tuple[int, int]


def union(spans: Iterable[Span]) -> list[Span]:
    """
    >>> union([(5, 8), (1, 3), (2, 4)])
    [(1, 4), (5, 8)]
    """
    found: list[Span] = []
    for since, until in sorted(each for each in spans if each[0] < each[1]):
        if found and since <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((since, until))
    return found


def overlap(ones: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """
    >>> overlap([(1, 5), (8, 9)], [(3, 10)])
    [(3, 5), (8, 9)]
    """
    theirs = list(others)
    return union((max(a, c), min(b, d)) for a, b in ones for c, d in theirs)


def without(ones: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """
    >>> without([(1, 10)], [(2, 3), (5, 20)])
    [(1, 2), (3, 5)]
    """
    left = union(ones)
    for since, until in others:
        left = [
            part
            for a, b in left
            for part in ((a, min(b, since)), (max(a, until), b))
            if part[0] < part[1]
        ]
    return left


def duration(spans: Iterable[Span]) -> int:
    """
    >>> duration([(1, 4), (5, 8)])
    6
    """
    return sum(until - since for since, until in spans)
