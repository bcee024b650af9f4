"""The table's clock against that of the gateway: its offset, and when an event happened.

An event that waited at its controller, for a network that was down, comes late and is none the
less right: it carries the time it waited, which does not count against its clock.
"""

from __future__ import annotations

from typing import Final

from blackjack.facts import Event
from blackjack.rulebook.state_rules import CLOCK_SKEW_US_MAX

VALID_SINCE: Final = 946_684_800_000_000
"""2000-01-01 in UTC, in microseconds since 1970: the first valid time of anything."""
VALID_UNTIL: Final = 4_102_444_800_000_000
"""2100-01-01 in UTC: the first time that is not valid any more."""


def is_valid_time(at: int) -> bool:
    """Whether every reader accepts this time: a clock in order shows no other."""
    return VALID_SINCE <= at < VALID_UNTIL


def nearest_valid(at: int) -> int:
    """The time itself, or the valid one that is nearest to it.

    >>> nearest_valid(0) == VALID_SINCE
    True
    """
    return min(max(at, VALID_SINCE), VALID_UNTIL - 1)


DEVICES_MAX: Final = 256
"""Devices a table remembers; it has a dozen."""


def skew_us(event: Event) -> int:
    """How many microseconds the clock of an event is ahead of the gateway's; 0 without a gateway.

    A clock with an invalid time is off by its distance from the time used instead."""
    if event.claimed_at:
        return event.claimed_at - event.at
    return event.at + event.waited_us - event.ingested_at if event.ingested_at else 0


def skewed_after(skewed: frozenset[str], event: Event) -> frozenset[str]:
    """The devices whose clock is off, given those before an event."""
    if not event.ingested_at:
        return skewed
    if -CLOCK_SKEW_US_MAX <= skew_us(event) <= CLOCK_SKEW_US_MAX:
        return skewed - {event.device} if event.device in skewed else skewed
    if event.device in skewed or len(skewed) >= DEVICES_MAX:
        return skewed
    return skewed | {event.device}


def moment(event: Event) -> int:
    """When it happened: by the table's clock, or by the gateway's if that one is off."""
    if -CLOCK_SKEW_US_MAX <= skew_us(event) <= CLOCK_SKEW_US_MAX:
        return event.at
    return event.ingested_at - event.waited_us
