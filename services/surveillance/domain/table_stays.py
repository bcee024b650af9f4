"""Stretches of time at a table, joined where they touch.

What is joined is a function of the set of stretches: order and repeats change nothing. Times
that lie less than `JOINED_US` apart become one stretch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

JOINED_US: Final = 30_000_000
"""Half of the least time that anybody takes from one table to another, so that joining two
stretches cannot make somebody be where he was not."""


class Stretch(Struct, frozen=True, array_like=True, gc=False):
    since: int
    until: int
    first_seq: int
    last_seq: int

    @property
    def duration_us(self) -> int:
        return self.until - self.since


def joined(
    stretches: Iterable[Stretch], more: Stretch, *, apart_us: int = JOINED_US
) -> list[Stretch]:
    """Stretches in order with one more; what touches it becomes one with it.

    >>> joined([Stretch(0, 10, 1, 2)], Stretch(15, 20, 3, 4), apart_us=5)
    [Stretch(since=0, until=20, first_seq=1, last_seq=4)]
    """
    before: list[Stretch] = []
    after: list[Stretch] = []
    for each in stretches:
        if each.until < more.since - apart_us:
            before.append(each)
        elif each.since > more.until + apart_us:
            after.append(each)
        else:
            more = Stretch(
                min(each.since, more.since),
                max(each.until, more.until),
                min(each.first_seq, more.first_seq),
                max(each.last_seq, more.last_seq),
            )
    return [*before, more, *after]
