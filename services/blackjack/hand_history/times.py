"""Times as text: microseconds since 1970, UTC, against 2026-03-01T20:15:00Z.

Worked out with integers alone, for any year from 1 to 9999 by the Gregorian calendar. A
time outside of that is written as bare microseconds, `-5us`.
"""

from __future__ import annotations

import re
from typing import Final

SECOND_US: Final = 1_000_000
MINUTE_US: Final = 60 * SECOND_US
HOUR_US: Final = 60 * MINUTE_US
DAY_US: Final = 24 * HOUR_US

_UNITS_US: Final = {"us": 1, "ms": 1000, "s": SECOND_US, "m": MINUTE_US, "h": HOUR_US}
_DAYS_1970: Final = 719_468  # from the first of March of the year 0
_ABSOLUTE: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?"
)
_RELATIVE: Final = re.compile(r"\+([0-9]{1,12})(?:\.([0-9]{1,6}))?(us|ms|s|m|h)")
_BARE: Final = re.compile(r"(-?[0-9]{1,300})us")


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970 of a civil date, counted in years that begin with March."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - _DAYS_1970


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970."""
    era, day_of_era = divmod(days + _DAYS_1970, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = (shifted + 2) % 12 + 1
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    return era * 400 + year_of_era + (month <= 2), month, day


_FIRST_US: Final = _days(1, 1, 1) * DAY_US
_END_US: Final = _days(10_000, 1, 1) * DAY_US


def write_time(at: int) -> str:
    """A point in time.

    >>> write_time(1772396100000000), write_time(1), write_time(10**18)
    ('2026-03-01T20:15:00Z', '1970-01-01T00:00:00.000001Z', '1000000000000000000us')
    """
    if not _FIRST_US <= at < _END_US:
        return f"{at}us"
    days, rest = divmod(at, DAY_US)
    year, month, day = _civil(days)
    hour, rest = divmod(rest, HOUR_US)
    minute, rest = divmod(rest, MINUTE_US)
    second, rest = divmod(rest, SECOND_US)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{_fraction(rest)}Z"


def read_time(text: str) -> int | None:
    """A point in time, or None where the text is none.

    >>> read_time("2026-03-01T12:15-08:00") == read_time("2026-03-01T20:15:00Z")
    True
    """
    if bare := _BARE.fullmatch(text):
        return int(bare[1])
    match = _ABSOLUTE.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    hour, minute, second = int(match[4] or 0), int(match[5] or 0), int(match[6] or 0)
    if year < 1 or not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59:
        return None
    days = _days(year, month, day)
    if _civil(days) != (year, month, day):
        return None
    at = days * DAY_US + hour * HOUR_US + minute * MINUTE_US + second * SECOND_US
    at += int((match[7] or "").ljust(6, "0"))
    if match[8]:
        if int(match[9]) > 23 or int(match[10]) > 59:
            return None
        offset = int(match[9]) * HOUR_US + int(match[10]) * MINUTE_US
        at += offset if match[8] == "-" else -offset
    return at


def write_span(span_us: int) -> str:
    """How much later, in seconds; only for spans that are not negative.

    >>> write_span(3_000_000), write_span(250_000)
    ('+3s', '+0.25s')
    """
    whole, rest = divmod(span_us, SECOND_US)
    return f"+{whole}{f'.{rest:06}'.rstrip('0') if rest else ''}s"


def read_span(text: str) -> int | None:
    """How much later, or None where the text is no span or cuts a microsecond.

    >>> read_span("+3s"), read_span("+1.5m"), read_span("3s")
    (3000000, 90000000, None)
    """
    match = _RELATIVE.fullmatch(text)
    if match is None:
        return None
    digits = match[2] or ""
    numerator = int(match[1] + digits) * _UNITS_US[match[3]]
    span_us, rest = divmod(numerator, 10 ** len(digits))
    return None if rest else span_us


def _fraction(rest_us: int) -> str:
    if not rest_us:
        return ""
    return f".{rest_us // 1000:03}" if rest_us % 1000 == 0 else f".{rest_us:06}"
