"""`pitctl day`: a gaming day with its status and open items; its closing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import typer

from casino.accounting.v1.cage_event_pb2 import CloseOverride
from casino.accounting.v1.service_pb2 import (
    CloseDayRequest,
    Day,
    DayCheck,
    DayState,
    GetDayRequest,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.report import day_of
from pitctl.connection.channel import Endpoint
from pitctl.errors import InvalidArgument
from pitctl.output.exit import NEGATIVE, OK, command_name, print_error
from pitctl.output.json_out import fields_of, write_json
from pitctl.output.text import Page, count_noun, escape, format_moment
from report_forms.open_items import describe_all
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

HOURS: Final = 24
_STYLES: Final = {DayState.DAY_STATE_CLOSED: "bold green", DayState.DAY_STATE_RECONCILED: "green"}


def show(place: Endpoint, day: str, *, as_json: bool) -> int:
    _print(ACCOUNTING.call(place, lambda books: _get(books, day)), as_json=as_json)
    return OK


def close(place: Endpoint, day: str, *, by: str, reason: str, yes: bool, as_json: bool) -> int:
    """Close the day; an override names the unmet checks, and covers no others.

    The service checks again when it closes the day: a check that failed since it was shown is not
    among the overridden ones, and the day stays open.
    """
    if bool(by) != bool(reason):
        raise InvalidArgument("an override needs both --override-by WHO and --reason TEXT")
    found = ACCOUNTING.call(place, lambda books: _get(books, day))
    unmet = [check.name for check in found.checks if not check.met]
    if found.state == DayState.DAY_STATE_CLOSED or (unmet and not by):
        _print(found, as_json=as_json)
        if found.state != DayState.DAY_STATE_CLOSED:
            print_error(
                f"{found.gaming_day} is not closed: {count_noun(len(unmet), 'check')} not met"
            )
        else:
            print_error(f"{found.gaming_day} is closed already")
        return NEGATIVE
    if not yes:
        _confirm(found, unmet, by)
    request = CloseDayRequest(gaming_day=found.gaming_day)
    if unmet:
        request.override.CopyFrom(CloseOverride(by=by, reason=reason, checks=unmet))

    async def close_day(books: AccountingServiceAsyncStub) -> Day:
        return (await books.CloseDay(request)).day

    _print(ACCOUNTING.call(place, close_day), as_json=as_json)
    return OK


def _confirm(day: Day, unmet: list[str], by: str) -> None:
    """A closed day cannot be reopened: a person confirms first."""
    page = Page(sys.stderr)
    if unmet:
        for check in day.checks:
            if not check.met:
                _print_check(page, check)
        page.line(f"Overridden by {by}.")
    question = f"Close {day.gaming_day}? Only adjusting entries can follow."
    try:
        sure = typer.confirm(question, err=True)
    except typer.Abort:
        sure = False
    if not sure:
        print_error("the day was not closed; --yes closes without confirmation")
        raise typer.Exit(NEGATIVE)


async def _get(books: AccountingServiceAsyncStub, day: str) -> Day:
    wanted = await day_of(books, day) if day else ""
    return (await books.GetDay(GetDayRequest(gaming_day=wanted))).day


def _print(day: Day, *, as_json: bool) -> None:
    if as_json:
        write_json(sys.stdout.buffer, fields_of(day))
    else:
        print_day(Page(sys.stdout), day)


def print_day(page: Page, day: Day) -> None:
    state = DayState.Name(day.state).removeprefix("DAY_STATE_").lower()
    page.line((day.gaming_day, "bold"), "  ", (state, _STYLES.get(day.state, "yellow")))
    if day.HasField("begins_at") and day.HasField("ends_at"):
        begins_at, ends_at = read_time(day.begins_at), read_time(day.ends_at)
        words = (
            f"{format_moment(begins_at)} to {format_moment(ends_at)}{_changed(ends_at - begins_at)}"
        )
        page.line((words, "dim"), indent=2)
    if day.closed_by:
        page.line(f"closed by {escape(day.closed_by)}", indent=2)
    if day.HasField("override"):
        checks = ", ".join(day.override.checks)
        page.line(
            escape(f"{checks} overridden by {day.override.by}: {day.override.reason}"),
            indent=2,
            hang=2,
        )
    if day.adjustments:
        adjusting = count_noun(day.adjustments, "adjusting entry", "adjusting entries")
        page.line(f"{adjusting} since", indent=2)
    page.blank()
    for check in day.checks:
        _print_check(page, check)
    if day.state != DayState.DAY_STATE_CLOSED:
        page.blank()
        page.line((_next(day), "dim"))


def _changed(lasts: int) -> str:
    """Write the length of a day, given in microseconds, where clocks change in it.

    >>> _changed(24 * 3_600_000_000), _changed(25 * 3_600_000_000)
    ('', ': 25 hours, clocks change')
    """
    hours = lasts / 3_600_000_000
    return "" if hours == HOURS else f": {hours:g} hours, clocks change"


def _print_check(page: Page, check: DayCheck) -> None:
    good, bad = ("✓", "✗") if page.has_signs else ("ok", "no")
    sign = (f"{good} ", "green") if check.met else (f"{bad} ", "bold red")
    page.line(sign, escape(f"{check.name}: {check.words}"), indent=2, hang=4)
    for line in describe_all(check):
        page.line((escape(line), "yellow"), indent=6, hang=2)


def _next(day: Day) -> str:
    """The next command."""
    if any(not check.met for check in day.checks):
        return (
            f"{command_name()} day close {day.gaming_day} --override-by WHO --reason TEXT    "
            "closes it with unmet checks"
        )
    return f"{command_name()} day close {day.gaming_day}"
