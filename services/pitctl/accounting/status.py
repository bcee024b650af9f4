"""How the books stand, for `pitctl status`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from casino.accounting.v1.service_pb2 import GetStatusRequest, GetStatusResponse
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import NoAnswer, Place, Refused
from pitctl.output.text import counted
from property_calendar.gaming_day import Calendar

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


def find_books(address: str, identity: str, stack: str) -> Place | None:
    """Where accounting is asked; None where nobody has said it, and the stack has none."""
    try:
        return ACCOUNTING.find(address, identity, stack)
    except NoAnswer:
        if address:
            raise
        return None


def ask_standing(
    find: Callable[[], Place | None],
) -> tuple[GetStatusResponse | None, str | None]:
    """How accounting stands, or why it cannot be asked; neither where there is none."""
    try:
        place = find()
        return (ACCOUNTING.ask(place, _get_status) if place is not None else None), None
    except (NoAnswer, Refused) as error:
        return None, str(error)


async def _get_status(accounting: AccountingServiceAsyncStub) -> GetStatusResponse:
    return await accounting.GetStatus(GetStatusRequest())


def calendar_of(status: GetStatusResponse | None) -> Calendar | None:
    """The property's gaming days; None where nobody says, or this machine knows no such time zone.

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


def standing_rows(status: GetStatusResponse) -> list[tuple[str, str]]:
    behind = f"{counted(status.lag, 'message')} behind" if status.lag else "is up to date"
    refused = f", {counted(status.refusals, 'refusal')}" if status.refusals else ""
    begins = f"begins at {status.roll_over}, {status.time_zone}"
    return [
        ("ledger", f"{behind}; {counted(status.entries, 'entry', 'entries')}{refused}"),
        ("gaming day", f"{status.gaming_day}, {begins}"),
    ]
