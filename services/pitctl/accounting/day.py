"""`pitctl day`: how a gaming day stands, what is lacking, and its end."""

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
from pitctl.accounting.client import ACCOUNTING, DONE, NOT_DONE, NotTyped
from pitctl.accounting.report import day_of
from pitctl.connection.channel import Place
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields, write_json
from pitctl.output.text import Page, counted, moment, plain
from report_forms.open_items import describe_all
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

HOURS: Final = 24
_STYLES: Final = {DayState.DAY_STATE_CLOSED: "bold green", DayState.DAY_STATE_RECONCILED: "green"}


def show(place: Place, day: str, *, as_json: bool) -> int:
    found = ACCOUNTING.ask(place, lambda books: _get(books, day))
    _print(found, as_json=as_json)
    return DONE


def close(place: Place, day: str, *, by: str, reason: str, yes: bool, as_json: bool) -> int:
    """Close it; what is lacking is overridden by name, and nothing else is.

    What the service finds lacking when it closes the day counts: a check that failed since it was
    shown is not among the overridden ones, and the day stays open.
    """
    if bool(by) != bool(reason):
        raise NotTyped("an override needs both --override-by WHO and --reason WORDS")
    found = ACCOUNTING.ask(place, lambda books: _get(books, day))
    unmet = [each.name for each in found.checks if not each.met]
    if found.state == DayState.DAY_STATE_CLOSED or (unmet and not by):
        _print(found, as_json=as_json)
        if found.state != DayState.DAY_STATE_CLOSED:
            _say(f"{found.gaming_day} is not closed: {counted(len(unmet), 'check')} not met")
        else:
            _say(f"{found.gaming_day} is closed already")
        return NOT_DONE
    if not yes:
        _confirm(found, unmet, by)
    request = CloseDayRequest(gaming_day=found.gaming_day)
    if unmet:
        request.override.CopyFrom(CloseOverride(by=by, reason=reason, checks=unmet))

    async def ask(books: AccountingServiceAsyncStub) -> Day:
        return (await books.CloseDay(request)).day

    _print(ACCOUNTING.ask(place, ask), as_json=as_json)
    return DONE


def _confirm(day: Day, unmet: list[str], by: str) -> None:
    """A closed day is not opened again: a person says yes first."""
    page = Page(sys.stderr)
    if unmet:
        for each in day.checks:
            if not each.met:
                _print_check(page, each)
        page.line(f"{by} answers for it.")
    question = f"Close {day.gaming_day}? It takes adjusting entries only from then on."
    try:
        sure = typer.confirm(question, err=True)
    except typer.Abort:
        sure = False
    if not sure:
        _say("nothing was done; --yes closes without asking")
        raise typer.Exit(NOT_DONE)


async def _get(books: AccountingServiceAsyncStub, day: str) -> Day:
    wanted = await day_of(books, day) if day else ""
    return (await books.GetDay(GetDayRequest(gaming_day=wanted))).day


def _say(words: str) -> None:
    print(f"pitctl: {plain(words)}", file=sys.stderr)


def _print(day: Day, *, as_json: bool) -> None:
    if as_json:
        write_json(sys.stdout.buffer, as_fields(day))
    else:
        print_day(Page(sys.stdout), day)


def print_day(page: Page, day: Day) -> None:
    state = DayState.Name(day.state).removeprefix("DAY_STATE_").lower()
    page.line((day.gaming_day, "bold"), "  ", (state, _STYLES.get(day.state, "yellow")))
    if day.HasField("begins_at") and day.HasField("ends_at"):
        begins_at, ends_at = read_time(day.begins_at), read_time(day.ends_at)
        said = f"{moment(begins_at)} to {moment(ends_at)}{_changed(ends_at - begins_at)}"
        page.line((said, "dim"), indent=2)
    if day.closed_by:
        page.line(f"closed by {plain(day.closed_by)}", indent=2)
    if day.HasField("override"):
        checks = ", ".join(day.override.checks)
        page.line(
            plain(f"{day.override.by} answers for {checks}: {day.override.reason}"),
            indent=2,
            hang=2,
        )
    if day.adjustments:
        adjusting = counted(day.adjustments, "adjusting entry", "adjusting entries")
        page.line(f"{adjusting} since", indent=2)
    page.blank()
    for each in day.checks:
        _print_check(page, each)
    if day.state != DayState.DAY_STATE_CLOSED:
        page.blank()
        page.line((_next(day), "dim"))


def _changed(lasts: int) -> str:
    """How long it lasts, in microseconds, where clocks are changed in it.

    >>> _changed(24 * 3_600_000_000), _changed(25 * 3_600_000_000)
    ('', ': 25 hours, clocks are changed')
    """
    hours = lasts / 3_600_000_000
    return "" if hours == HOURS else f": {hours:g} hours, clocks are changed"


def _print_check(page: Page, check: DayCheck) -> None:
    good, bad = ("✓", "✗") if page.has_signs else ("ok", "no")
    sign = (f"{good} ", "green") if check.met else (f"{bad} ", "bold red")
    page.line(sign, plain(f"{check.name}: {check.words}"), indent=2, hang=4)
    for line in describe_all(check):
        page.line((plain(line), "yellow"), indent=6, hang=2)


def _next(day: Day) -> str:
    """What to type next."""
    if any(not each.met for each in day.checks):
        return (
            f"{called()} day close {day.gaming_day} --override-by WHO --reason WORDS    "
            "closes it all the same"
        )
    return f"{called()} day close {day.gaming_day}"
