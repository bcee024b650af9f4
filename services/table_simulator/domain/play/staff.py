"""The staff of a table. A license is one person's: no dealer is at two tables."""

from __future__ import annotations

from dataclasses import dataclass

TABLES_A_PIT = 4
"""One supervisor looks after so many tables."""


@dataclass(frozen=True, slots=True)
class Staff:
    """Dealers relieve each other in turn; cashiers and guards come with fills and credits."""

    dealers: tuple[str, ...]
    supervisors: tuple[str, ...]
    cashiers: tuple[str, ...]
    guards: tuple[str, ...]
    counters: tuple[str, ...]

    def after(self, dealer: str) -> str:
        """The dealer who relieves this one."""
        return self.dealers[(self.dealers.index(dealer) + 1) % len(self.dealers)]


def staff_of(number: int) -> Staff:
    """The staff of the table with this number on the floor."""
    pit = number // TABLES_A_PIT
    return Staff(
        dealers=tuple(f"D-{1001 + 3 * number + place}" for place in range(3)),
        supervisors=tuple(f"S-{101 + 2 * pit + place}" for place in range(2)),
        cashiers=("C-201", "C-202"),
        guards=("G-301", "G-302"),
        counters=("X-401", "X-402", "X-403"),
    )
