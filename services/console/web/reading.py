"""What people type into the fields of a page."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from console.errors import BadInput

_AMOUNT: Final = re.compile(r"\$?(\d{1,7})(?:\.(\d{1,2}))?")


def read_day(field: str, text: str) -> str:
    """A gaming day as the services write it; empty where nothing was typed.

    >>> read_day("day", "2026-03-01")
    '2026-03-01'
    """
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise BadInput(field, f"{text!r} is no day such as 2026-03-01") from None


def read_moment(field: str, text: str, zone: ZoneInfo) -> datetime:
    """A time by the clock of the house.

    >>> f"{read_moment('from', '2026-03-01T22:40', ZoneInfo('America/Los_Angeles')):%d %H:%M}"
    '02 06:40'
    """
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(field, f"{text!r} is no time such as 2026-03-01 22:40") from None
    return (local if local.tzinfo else local.replace(tzinfo=zone)).astimezone(UTC)


def read_cents(field: str, text: str) -> int:
    """
    >>> read_cents("least", "12.5")
    1250
    """
    found = _AMOUNT.fullmatch(text.replace(",", ""))
    if found is None:
        raise BadInput(field, f"{text!r} is no amount such as 50 or 12.50")
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))
