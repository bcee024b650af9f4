"""The time at which an event was received."""

from __future__ import annotations

from blackjack.facts import Event


def heard_at(event: Event) -> int:
    """By the gateway's clock, which no table can set; by the table's where there was none."""
    return event.ingested_at or event.at
