"""When an event happened, and when it was heard."""

from __future__ import annotations

from blackjack.facts import Event
from blackjack.state_rules import CLOCK_SKEW_US_MAX


def moment(event: Event) -> int:
    """By the table's clock; by the gateway's if that clock is off."""
    heard = event.ingested_at
    return heard if heard and abs(event.at - heard) > CLOCK_SKEW_US_MAX else event.at


def heard_at(event: Event) -> int:
    """By the gateway's clock, which no table can set; by the table's where there was none."""
    return event.ingested_at or event.at
