"""The chip tray: the amount expected in it, and the amount counted.

A tray changes only by a chip sale (for cash, debit, a ticket or a check), chips turned into a
ticket, a pay or collect, a color change, a fill or a credit (WAC 230-15-500, 230-15-150). The
expected amount follows those facts; an observation is compared with it.
"""

from __future__ import annotations

from blackjack.facts import Inventory


def value(inventory: Inventory) -> int:
    """What these chips are worth, in cents."""
    return sum(chips.denomination_cents * chips.count for chips in inventory)


class Tray:
    """`expected` is None until the log has a count of the tray."""

    __slots__ = ("closer", "expected", "moved", "observed", "reported")

    def __init__(self) -> None:
        self.expected: int | None = None
        self.observed: int | None = None
        self.moved = False
        """Whether any fact since the last observation moved chips."""
        self.reported = 0
        """The variance that was already reported."""
        self.closer: int | None = None

    def fork(self) -> Tray:
        other = Tray()
        other.expected = self.expected
        other.observed = self.observed
        other.moved = self.moved
        other.reported = self.reported
        other.closer = self.closer
        return other

    def move(self, cents: int) -> None:
        """Chips came in (positive) or went out (negative)."""
        self.moved = True
        if self.expected is not None:
            self.expected += cents

    def begin(self, cents: int) -> None:
        """The opener: from here on the expected amount is known."""
        self.expected = cents
        self.observed = cents
        self.moved = False
        self.reported = 0

    def forget(self) -> None:
        """Movements were missed: nothing can be expected until the tray is seen again."""
        self.expected = None
        self.observed = None
        self.reported = 0
