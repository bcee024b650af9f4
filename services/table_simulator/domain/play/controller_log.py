"""The pen of a table controller: numbers, clocks and devices of its stream; and the tray."""

from __future__ import annotations

from blackjack.facts import (
    CERTAIN,
    ChipCount,
    ChipsSold,
    CreditSent,
    Event,
    Fact,
    FillReceived,
    Inventory,
    TicketIssued,
    WagerCollected,
    WagerPaid,
)
from table_simulator.domain.chance import RandomStream

SHOE = "shoe-1"
CHIPS = "chips-1"
TRAY = "tray-1"
TERMINAL = "terminal-1"

DENOMINATIONS_CENTS = (100_00, 25_00, 5_00, 1_00, 50, 1)


class ControllerLog:
    """Writes facts down, one after the other, each a little later than the last."""

    __slots__ = ("at", "events", "has_gateway", "random", "table")

    def __init__(self, rng: RandomStream, *, table: str, at: int, has_gateway: bool) -> None:
        self.table = table
        self.at = at
        self.events: list[Event] = []
        self.has_gateway = has_gateway
        self.random = rng.random

    def write(self, fact: Fact, device: str = TERMINAL, confidence: int = CERTAIN) -> None:
        chance = self.random()
        self.at += 150_000 + int(chance * 1_700_000)
        ingested_at = self.at + 5_000 + int(chance * 90_000) if self.has_gateway else 0
        events = self.events
        events.append(
            Event(self.table, len(events) + 1, self.at, fact, device, confidence, ingested_at)
        )

    def pass_time(self, seconds: float) -> None:
        self.at += int(seconds * 1_000_000)


def inventory(cents: int) -> Inventory:
    """Chips that amount to so much, the largest first."""
    counts = []
    for denomination in DENOMINATIONS_CENTS:
        count, cents = divmod(cents, denomination)
        if count:
            counts.append(ChipCount(denomination, count))
    return tuple(counts)


def value_cents(chips: Inventory) -> int:
    return sum(chip.denomination_cents * chip.count for chip in chips)


def moved_cents(fact: Fact) -> int:
    """Chips that the fact moves into the tray; negative if out of it."""
    match fact:
        case FillReceived(inventory=chips):
            return value_cents(chips)
        case CreditSent(inventory=chips):
            return -value_cents(chips)
        case ChipsSold(cents=cents) | WagerPaid(cents=cents):
            return -cents
        case WagerCollected(cents=cents) | TicketIssued(cents=cents):
            return cents
        case _:
            return 0


class SimulatedTray:
    """The chips before the dealer; nothing enters or leaves but by a fact."""

    __slots__ = ("cents", "credits", "fills", "opener_cents")

    def __init__(self, cents: int) -> None:
        self.cents = self.opener_cents = cents
        self.fills = 0
        self.credits = 0
