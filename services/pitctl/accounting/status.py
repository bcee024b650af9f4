"""The status of accounting, for `pitctl status`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from casino.accounting.v1.service_pb2 import GetStatusRequest, GetStatusResponse
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import Endpoint
from pitctl.errors import RequestRejected, ServiceUnavailable
from pitctl.output.text import count_noun
from property_calendar.gaming_day import Calendar

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


def find_accounting(address: str, identity: str, stack: str) -> Endpoint | None:
    """The endpoint of accounting; None where no address is given and the stack has none."""
    try:
        return ACCOUNTING.find(address, identity, stack)
    except ServiceUnavailable:
        if address:
            raise
        return None


def query_status(
    find: Callable[[], Endpoint | None],
) -> tuple[GetStatusResponse | None, str | None]:
    """The status of accounting, or why it is unavailable; neither where there is none."""
    try:
        place = find()
        return (ACCOUNTING.call(place, _get_status) if place is not None else None), None
    except (ServiceUnavailable, RequestRejected) as error:
        return None, str(error)


async def _get_status(accounting: AccountingServiceAsyncStub) -> GetStatusResponse:
    return await accounting.GetStatus(GetStatusRequest())


def calendar_of(status: GetStatusResponse | None) -> Calendar | None:
    """The property's gaming days; None where they, or their time zone, are unknown.

    >>> from datetime import date
    >>> where = {"time_zone": "America/Los_Angeles", "roll_over": "06:00"}
    >>> calendar_of(GetStatusResponse(**where)).begins_at(date(2026, 3, 1))
    1772373600000000
    """
    if status is None:
        return None
    try:
        return Calendar(ZoneInfo(status.time_zone), time.fromisoformat(status.roll_over))
    except (ZoneInfoNotFoundError, ValueError):
        return None


def status_rows(status: GetStatusResponse) -> list[tuple[str, str]]:
    lag = f"{count_noun(status.lag, 'message')} behind" if status.lag else "up to date"
    rejected = f", {count_noun(status.refusals, 'rejection')}" if status.refusals else ""
    begins = f"begins at {status.roll_over}, {status.time_zone}"
    return [
        ("ledger", f"{lag}; {count_noun(status.entries, 'entry', 'entries')}{rejected}"),
        ("gaming day", f"{status.gaming_day}, {begins}"),
    ]
