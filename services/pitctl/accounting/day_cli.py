"""`pitctl day`: show, reconcile, close."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.options import At, EventId, Reason, accounting_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp, ShowGroup

app = CommandApp(cls=ShowGroup)

DayArgument = Annotated[
    str, typer.Argument(metavar="DAY", help="Gaming day: YYYY-MM-DD, today or yesterday.")
]


@app.callback()
def day() -> None:
    """Show, reconcile and close a gaming day.

    `pitctl day` shows the current gaming day, `pitctl day 2026-03-01` another.

    \b
    Examples:
      pitctl day                        show the current gaming day
      pitctl day yesterday              show the open items before it can be closed
      pitctl day reconcile yesterday --note "BJ-07 recounted"
      pitctl day close yesterday
    """


@app.command(short_help="Show status, checks and open items.")
@accounting_command
def show(
    day: Annotated[
        str,
        typer.Argument(
            metavar="DAY",
            show_default=False,
            help="Gaming day: YYYY-MM-DD, today or yesterday; default: today.",
        ),
    ] = "",
    *,
    call: CommandCall,
) -> int:
    """Show the status of a gaming day, its closing checks and its open items.

    \b
    Exit status:
      0  the day is shown, with or without open items
      1  the service rejected the request
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl day
      pitctl day 2026-03-01
      pitctl day yesterday --json | jq '.checks[] | select(.met | not)'
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.day import show as run

    return run(ACCOUNTING.find(*call.where), day, as_json=call.as_json)


@app.command(short_help="Record that the reconciliation was reviewed.")
@accounting_command
def reconcile(
    day: DayArgument,
    note: Annotated[str, text("--note", "TEXT", "Result of the review.")],
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Record that the day's reconciliation was reviewed, with the result.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl day reconcile 2026-03-01 --note "short float of BJ-07 explained by round T012-00039"
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, DayReconciled
    from pitctl.accounting.cage_cli import enter

    return enter(CageEvent(day_reconciled=DayReconciled(note=note)), day, at, event_id, call)


@app.command(short_help="Close the day: only adjusting entries follow.")
@accounting_command
def close(
    day: DayArgument,
    override_by: Annotated[
        str, text("--override-by", "WHO", "Person who approves closing with unmet checks.")
    ] = "",
    reason: Reason = "",
    yes: Annotated[bool, typer.Option("--yes", help="Close without confirmation.")] = False,
    *,
    call: CommandCall,
) -> int:
    """Close a gaming day. Every check must be met, or overridden by a named person.

    An override covers exactly the checks that are unmet when the command is entered: if another
    check fails before the day is closed, the day stays open. A closed day cannot be reopened.

    \b
    Exit status:
      0  the day is closed
      1  a check is unmet, the day is closed already, or the closing was declined or rejected
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl day close yesterday
      pitctl day close 2026-03-01 --override-by A-17 --reason "box 12 is with the police" --yes
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.day import close as run

    endpoint = ACCOUNTING.find(*call.where)
    return run(endpoint, day, by=override_by, reason=reason, yes=yes, as_json=call.as_json)
