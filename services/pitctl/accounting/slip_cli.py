"""`pitctl slip`: void slips, missing numbers, error slips."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.cage_cli import enter
from pitctl.accounting.options import (
    AboutTable,
    At,
    Day,
    EventId,
    Reason,
    Signers,
    accounting_command,
)
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp

app = CommandApp(no_args_is_help=True)

SlipArgument = Annotated[str, typer.Argument(metavar="SLIP", help="Slip number, such as F-000124.")]


@app.callback()
def slip() -> None:
    """Void slips, explain missing slip numbers, and enter error slips.

    `pitctl report slip_sequence` shows every series with its gaps.

    \b
    Examples:
      pitctl slip void F-000125 --reason "wrong table" --signers C-1,S-4
      pitctl slip explain F- 126 128 --reason "torn in the printer"
    """


@app.command(short_help="Void a slip; its number stays in the series.")
@accounting_command
def void(
    slip: SlipArgument,
    reason: Reason,
    signers: Signers = "",
    table: AboutTable = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Void a slip that was started and not used.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, SlipVoided
    from pitctl.arguments import read_names

    fact = SlipVoided(slip=slip, reason=reason, signers=read_names(signers))
    return enter(CageEvent(table_id=table, slip_voided=fact), day, at, event_id, call)


@app.command(short_help="Explain missing numbers of a series.")
@accounting_command
def explain(
    series: Annotated[
        str, typer.Argument(metavar="SERIES", help="Prefix of the slip numbers, such as F-.")
    ],
    first: Annotated[int, typer.Argument(metavar="FIRST", min=0, help="First missing number.")],
    last: Annotated[
        int,
        typer.Argument(metavar="LAST", min=0, show_default=False, help="Last missing number."),
    ] = 0,
    *,
    reason: Reason,
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    call: CommandCall,
) -> int:
    """Explain why numbers of a series are missing, from the first to the last of them.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, SlipsExplained
    from pitctl.errors import InvalidArgument

    if last and last < first:
        raise InvalidArgument(f"the last missing number, {last}, is below the first, {first}")
    fact = SlipsExplained(series=series, first=first, last=last or first, reason=reason)
    return enter(CageEvent(slips_explained=fact), day, at, event_id, call)


@app.command(short_help="Enter the error slip of an opener that differs from the last closer.")
@accounting_command
def error(
    slip: SlipArgument,
    difference: Annotated[
        str, text("--difference", "AMOUNT", "Opener less closer, in dollars: 25.00 or -25.00.")
    ],
    reason: Reason,
    table: AboutTable,
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Enter the error slip of an opener that differs from the last closer.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, ErrorSlipWritten
    from pitctl.arguments import read_cents, read_names

    fact = ErrorSlipWritten(
        slip=slip,
        difference_cents=read_cents("--difference", difference, signed=True),
        reason=reason,
        signers=read_names(signers),
    )
    return enter(CageEvent(table_id=table, error_slip_written=fact), day, at, event_id, call)
