"""What a line inherits from the lines before it: table, number, time, hands, promotions.

The parser and the printer follow the same events with the same `Context`, so what the one
leaves out the other puts back.
"""

from __future__ import annotations

from typing import Final

from blackjack.facts import Action, Event, PlayerActed, PromotionDefined, RoundOpened
from blackjack.hand_history.times import SECOND_US

STEP_US: Final = SECOND_US
"""How much later a fact is than the one before, where the text does not state it."""

START_US: Final = 1_767_225_600_000_000
"""The time of a first fact without one: 2026-01-01T00:00:00Z."""

TABLE: Final = "table-1"
"""The table of a text that names none."""


class Context:
    """The state of a text between two lines."""

    def __init__(self) -> None:
        self.table = TABLE
        self.table_named = False
        self.at: int | None = None
        self.promotions: dict[str, str] = {}
        """The hash of the terms last defined under a name."""
        self._seqs: dict[str, int] = {}
        self._rounds: dict[str, str] = {}
        self._hands: dict[str, dict[int, int]] = {}

    @property
    def due_at(self) -> int:
        """When the next fact happens unless its line states a time."""
        return START_US if self.at is None else self.at + STEP_US

    @property
    def due_seq(self) -> int:
        """The next number of the current table unless the line states it."""
        return self._seqs.get(self.table, 0) + 1

    @property
    def round(self) -> str:
        """The round last opened at the current table."""
        return self._rounds.get(self.table, "")

    def next_hand(self, seat: int) -> int:
        """The number that a split at this seat gives to the new hand."""
        return self._hands.get(self.table, {}).get(seat, 1) + 1

    def move_to(self, table: str) -> None:
        self.table = table
        self.table_named = True

    def follow(self, event: Event) -> None:
        """Go on to behind this event."""
        self.table = event.table
        self.at = event.at
        self._seqs[event.table] = event.seq
        match event.fact:
            case RoundOpened(round=name):
                self._rounds[event.table] = name
                self._hands.pop(event.table, None)
            case PlayerActed(seat=seat, action=Action.SPLIT):
                hands = self._hands.setdefault(event.table, {})
                hands[seat] = hands.get(seat, 1) + 1
            case PromotionDefined(promotion=promotion, terms=terms):
                self.promotions[terms.name] = promotion
            case _:
                pass
