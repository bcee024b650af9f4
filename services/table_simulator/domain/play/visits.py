"""Regulars: patrons who play at one table, walk, and play on at another.

When a regular comes and goes is written down before anything is played, by the clock, so that
every table can be played by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_simulator.domain.chance import RandomStream
from table_simulator.domain.play.patrons import leave, seat_patron, sit_down
from table_simulator.domain.play.table_in_play import SeatedPatron, TableInPlay, Visit

MINUTE_US = 60_000_000
NEVER = 1 << 62
LEAVES_AFTER_MINUTES = (9, 16)
WALKS_MINUTES = (6, 12)
"""He leaves when a round is over, which takes less than two minutes: four are left to walk."""

WALKS_ON_SHARE = 0.7
"""The share of regulars who go on to a second table."""

REGULAR_UNITS_CENTS = (10_00, 25_00)
LIKES_SIDES = 0.3


@dataclass(frozen=True, slots=True)
class Regular:
    """A regular: plays at the first table from its opening until he walks on."""

    patron: str
    leaves_at: int
    comes_at: int
    """The time of sitting down at the second table; 0 if he goes home."""

    def visit(self, *, is_first: bool) -> Visit | None:
        """His visit to his first or to his second table."""
        if is_first:
            return Visit(self.patron, 0, self.leaves_at)
        return Visit(self.patron, self.comes_at, NEVER) if self.comes_at else None


def regular(rng: RandomStream, *, patron: str, start_at: int) -> Regular:
    """The plans of a regular; the same chance gives both of his tables the same ones."""
    leaves_at = start_at + rng.randint(*LEAVES_AFTER_MINUTES) * MINUTE_US
    comes_at = leaves_at + rng.randint(*WALKS_MINUTES) * MINUTE_US
    return Regular(patron, leaves_at, comes_at if rng.random() < WALKS_ON_SHARE else 0)


def keep_appointments(table: TableInPlay) -> None:
    """Regulars sit down when they come, and leave when it is time."""
    now = table.log.at
    for visit in table.visits:
        seat = next(
            (seat for seat, each in table.patrons.items() if each.patron == visit.patron), 0
        )
        if seat and now >= visit.until:
            if len(table.patrons) == 1:
                seat_patron(table)  # no table is ever empty
            leave(table, seat)
        has_come = seat or visit.patron in table.visited
        has_room = len(table.patrons) < table.shoe.seats_max
        if not has_come and has_room and visit.since <= now < visit.until:
            table.visited.add(visit.patron)
            unit = table.rng.choice(REGULAR_UNITS_CENTS)
            sit_down(table, SeatedPatron(visit.patron, unit, LIKES_SIDES))
