"""`pitctl slip`: slips that are void, numbers that are missing, openers that are not the closer."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.cage_cli import enter
from pitctl.accounting.options import Address, At, Day, EventId, Signers
from pitctl.connection.options import Identity, Json, Stack, text

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Why = Annotated[str, text("--reason", "WORDS", "Why.")]
Table = Annotated[str, text("--table", "TABLE", "The table it is about.")]
Number = Annotated[str, typer.Argument(metavar="SLIP", help="Its number, such as F-000124.")]


@app.callback()
def slip() -> None:
    """Account for slips: what is void, what is missing, and what is in error.

    `pitctl report slip_sequence` shows the series with their gaps.

    \b
    Examples:
      pitctl slip void F-000125 --reason "wrong table" --signers C-1,S-4
      pitctl slip explain F- 126 128 --reason "torn in the printer"
    """


@app.command(short_help="Declare a slip void; its number stays in the series.")
def void(
    slip: Number,
    reason: Why,
    signers: Signers = "",
    table: Table = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Declare void a slip that was begun and is not used.

    \b
    Exit status:
      0  it is entered
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, SlipVoided
    from pitctl.accounting.arguments import read_names

    fact = SlipVoided(slip=slip, reason=reason, signers=read_names(signers))
    event = CageEvent(table_id=table, slip_voided=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


@app.command(short_help="Say why numbers of a series are missing.")
def explain(
    series: Annotated[str, typer.Argument(metavar="SERIES", help="What its numbers begin with.")],
    first: Annotated[int, typer.Argument(metavar="FIRST", min=0, help="The first missing.")],
    last: Annotated[
        int, typer.Argument(metavar="LAST", min=0, show_default=False, help="The last missing.")
    ] = 0,
    *,
    reason: Why,
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say why numbers of a series are missing, from the first to the last of them.

    \b
    Exit status:
      0  it is entered
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, SlipsExplained
    from pitctl.accounting.client import NotTyped, answering

    with answering(as_json=json):
        if last and last < first:
            raise NotTyped(f"the last missing number, {last}, is below the first, {first}")
    fact = SlipsExplained(series=series, first=first, last=last or first, reason=reason)
    event = CageEvent(slips_explained=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


@app.command(short_help="The error slip of an opener that is not the last closer.")
def error(
    slip: Number,
    difference: Annotated[
        str, text("--difference", "AMOUNT", "Opener less closer, in dollars: 25.00 or -25.00.")
    ],
    reason: Why,
    table: Annotated[str, text("--table", "TABLE", "The table it is about.")],
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter the slip that goes with an opener which is not the last closer.

    \b
    Exit status:
      0  it is entered
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, ErrorSlipWritten
    from pitctl.accounting.arguments import read_cents, read_names
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        fact = ErrorSlipWritten(
            slip=slip,
            difference_cents=read_cents("--difference", difference, signed=True),
            reason=reason,
            signers=read_names(signers),
        )
    event = CageEvent(table_id=table, error_slip_written=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))
