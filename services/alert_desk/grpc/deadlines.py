"""When a regulator's deadline ends, by its rule."""

from __future__ import annotations

from typing import Final

from alert_desk.postgres.alert_filters import time_of
from casino.surveillance.v1.case_pb2 import (
    DEADLINE_RULE_24_HOURS,
    DEADLINE_RULE_72_HOURS,
    DEADLINE_RULE_AT,
    DEADLINE_RULE_THREE_BUSINESS_DAYS,
    DeadlineRule,
)
from casino.surveillance.v1.service_pb2 import SetDeadlineRequest
from property_calendar.business_days import end_of_business_days
from property_calendar.gaming_day import Calendar
from runtime.query_errors import InvalidQuery, member

_HOUR_US: Final = 3_600_000_000
_HOURS: Final[dict[int, int]] = {DEADLINE_RULE_24_HOURS: 24, DEADLINE_RULE_72_HOURS: 72}
RULE_WORDS: Final = {
    DEADLINE_RULE_24_HOURS: "24 hours",
    DEADLINE_RULE_72_HOURS: "72 hours",
    DEADLINE_RULE_THREE_BUSINESS_DAYS: "three business days",
    DEADLINE_RULE_AT: "at a time",
}


def due_at(calendar: Calendar, request: SetDeadlineRequest, begins_at: int) -> int:
    """Hours are elapsed hours, even where clocks are changed; business days end at midnight."""
    rule = member("rule", request.rule, DeadlineRule.values())
    if request.HasField("due_at") != (rule == DEADLINE_RULE_AT):
        raise InvalidQuery("due_at", "set it with DEADLINE_RULE_AT, and with no other rule")
    if rule == DEADLINE_RULE_AT:
        require_text = time_of("due_at", request.due_at)
        if require_text <= begins_at:
            raise InvalidQuery("due_at", "must be after the deadline begins")
        return require_text
    if rule == DEADLINE_RULE_THREE_BUSINESS_DAYS:
        return end_of_business_days(calendar, begins_at, 3)
    return begins_at + _HOURS[rule] * _HOUR_US
