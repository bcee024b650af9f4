"""Parsing of form fields; errors name the field, the value and the fix."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from blackjack.money import InvalidAmount, parse_cents
from console.web.errors import InvalidInput

_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?", re.IGNORECASE)


def read_day(field: str, text: str) -> str:
    """Parse a gaming day; empty if the field is empty.

    >>> read_day("day", "2026-03-01")
    '2026-03-01'
    """
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise InvalidInput(field, f'Invalid gaming day "{text}": expected YYYY-MM-DD.') from None


def read_moment(field: str, text: str, zone: ZoneInfo) -> datetime:
    """Parse a time on the clock of the prop.

    >>> f"{read_moment('from', '2026-03-01T22:40', ZoneInfo('America/Los_Angeles')):%d %H:%M}"
    '02 06:40'
    """
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(field, f'Invalid time "{text}": expected YYYY-MM-DD HH:MM.') from None
    return (local if local.tzinfo else local.replace(tzinfo=zone)).astimezone(UTC)


def read_rough_time(field: str, text: str, zone: ZoneInfo, *, now: datetime) -> datetime:
    """Parse a time on the clock of the property; without a day, its most recent occurrence.

    >>> zone = ZoneInfo("America/Los_Angeles")
    >>> now = datetime(2026, 3, 2, 1, 15, tzinfo=zone)
    >>> f"{read_rough_time('around', '0:40', zone, now=now).astimezone(zone):%d %H:%M}"
    '02 00:40'
    >>> f"{read_rough_time('around', '10:40 pm', zone, now=now).astimezone(zone):%d %H:%M}"
    '01 22:40'
    """
    found = _CLOCK.fullmatch(text)
    if found is None:
        return read_moment(field, text, zone)
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4].lower() == "pm" else 0)
    try:
        moment = now.astimezone(zone).replace(hour=hour, minute=minute, second=second)
    except ValueError:
        raise InvalidInput(field, f'Invalid time "{text}": expected HH:MM.') from None
    return (moment if moment <= now else moment - timedelta(days=1)).astimezone(UTC)


def read_cents(field: str, text: str) -> int:
    """Parse an amount in dollars, by the grammar of `parse_cents`.

    >>> read_cents("least", "12.5")
    1250
    """
    try:
        return parse_cents(text)
    except InvalidAmount as invalid:
        raise InvalidInput(field, str(invalid)) from None
