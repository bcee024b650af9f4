"""What tables say, thinned out: that they spoke from here to there is enough to tell silence.

A table says dozens of things a minute. `Hearing` tells one stretch for each minute in which it
spoke, and at once when it speaks again after a pause. A hearing that begins anew, after a crash
or at another worker, tells stretches that begin elsewhere; joined, they are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from blackjack.facts import Event
from surveillance.domain import subjects
from surveillance.domain.moments import heard_at
from surveillance.domain.sightings import SubjectSighting, TableActivity

PAUSE_US: Final = 60_000_000
"""A pause that is told: shorter ones are part of a stretch."""

TOLD_EVERY_US: Final = 60_000_000


class ActivityTracker:
    """Of the tables of a partition."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[int, int]] = {}
        """By table: time and number where what is not told yet begins."""
        self._last: dict[str, tuple[int, int | Callable[[], int]]] = {}

    def hear(self, event: Event) -> tuple[SubjectSighting, ...]:
        """What is to be told of the floor, now that a table has said this."""
        table, now = event.table, (heard_at(event), event.seq)
        since, last = self._since.get(table), self._last_of(table)
        if since is None or last is None or now < last:
            self._since[table] = self._last[table] = now
            return (_spoke(table, now, now),)
        self._last[table] = now
        if now[0] - last[0] > PAUSE_US:
            self._since[table] = now
            return (_spoke(table, since, last), _spoke(table, now, now))
        if now[0] - since[0] < TOLD_EVERY_US:
            return ()
        self._since[table] = now
        return (_spoke(table, since, now),)

    def prolong(self, table: str, at: int, seq_of: Callable[[], int]) -> bool:
        """Whether an event at this time only continues a stretch, so that nothing is reported yet.

        Its number is then looked up only where it turns out to be the last of the stretch.
        """
        since, last = self._since.get(table), self._last.get(table)
        if since is None or last is None:
            return False
        if not (last[0] <= at <= last[0] + PAUSE_US and at - since[0] < TOLD_EVERY_US):
            return False
        self._last[table] = at, seq_of
        return True

    def _last_of(self, table: str) -> tuple[int, int] | None:
        if (last := self._last.get(table)) is None:
            return None
        at, seq = last
        return at, seq if isinstance(seq, int) else seq()

    def rest(self, table: str) -> tuple[SubjectSighting, ...]:
        """What is not told yet of a table that has fallen silent: its silence begins behind it."""
        since, last = self._since.get(table), self._last_of(table)
        if since is None or last is None or since == last:
            return ()
        self._since[table] = last
        return (_spoke(table, since, last),)


def _spoke(table: str, since: tuple[int, int], until: tuple[int, int]) -> SubjectSighting:
    return SubjectSighting(
        subjects.FLOOR, TableActivity(table, since[0], until[0], since[1], until[1])
    )
