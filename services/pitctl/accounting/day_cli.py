"""`pitctl day`: show, reconcile, close."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.options import Address, At, EventId, Reason
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import Showing

app = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Showing)

Which = Annotated[
    str, typer.Argument(metavar="DAY", help="The gaming day: 2026-03-01, today, yesterday.")
]


@app.callback()
def day() -> None:
    """Show how a gaming day stands; reconcile it; close it.

    `pitctl day` alone shows the day that is now, `pitctl day 2026-03-01` another.

    \b
    Examples:
      pitctl day                        how today stands
      pitctl day yesterday              what is lacking before it can be closed
      pitctl day reconcile yesterday --note "BJ-07 recounted"
      pitctl day close yesterday
    """


@app.command(short_help="How it stands, and what is lacking.")
def show(
    day: Annotated[
        str,
        typer.Argument(
            metavar="DAY",
            show_default=False,
            help="The gaming day: 2026-03-01, yesterday; the one that is now if not said.",
        ),
    ] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show how far a gaming day is, every check before it is closed, and what is lacking.

    \b
    Exit status:
      0  it is shown, whatever is lacking
      1  the service refused
      2  that is no day, or nobody is there to ask

    \b
    Examples:
      pitctl day
      pitctl day 2026-03-01
      pitctl day yesterday --json | jq '.checks[] | select(.met | not)'
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.day import show as run

    with answering(as_json=json):
        status = run(ACCOUNTING.find(address, identity, stack), day, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Say that its reconciliation was gone through.")
def reconcile(
    day: Which,
    note: Annotated[str, text("--note", "WORDS", "What was found.")],
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say that somebody has gone through the day's reconciliation, and what they found.

    \b
    Exit status:
      0  it is entered
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl day reconcile 2026-03-01 --note "short tray of BJ-07 explained by round T012-00039"
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, DayReconciled
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.entry import record

    with answering(as_json=json):
        status = record(
            ACCOUNTING.find(address, identity, stack),
            CageEvent(day_reconciled=DayReconciled(note=note)),
            day=day,
            at=at,
            event_id=event_id,
            as_json=json,
        )
    raise typer.Exit(status)


@app.command(short_help="Close it: from then on it takes adjusting entries only.")
def close(
    day: Which,
    override_by: Annotated[
        str, text("--override-by", "WHO", "Who answers for the checks that are not met.")
    ] = "",
    reason: Reason = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Close a gaming day. Every check must be met, or somebody answers for those that are not.

    An override names exactly the checks that are lacking when the command is typed: if another
    fails before the day is closed, it stays open. A closed day is not opened again.

    \b
    Exit status:
      0  it is closed
      1  a check is not met, it is closed already, somebody said no, or the service refused
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl day close yesterday
      pitctl day close 2026-03-01 --override-by A-17 --reason "box 12 is with the police" --yes
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.day import close as run

    with answering(as_json=json):
        place = ACCOUNTING.find(address, identity, stack)
        status = run(place, day, by=override_by, reason=reason, yes=yes, as_json=json)
    raise typer.Exit(status)
