"""`pitctl room`: facts about the card room that rules depend on."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.cage_cli import enter
from pitctl.accounting.options import At, EventId, accounting_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CAGE


def add_to(app: typer.Typer) -> None:
    help_text = "Record facts that set the minimum size of the count team."
    app.command(short_help=help_text, rich_help_panel=CAGE)(room)


@accounting_command
def room(
    from_day: Annotated[str, text("--from", "DAY", "First gaming day on which the facts hold.")],
    receipts: Annotated[
        str, text("--receipts", "AMOUNT", "Gross gambling receipts of the previous fiscal year.")
    ] = "",
    licensed_on: Annotated[
        str, text("--licensed-on", "DATE", "Date of the license, such as 2020-07-01.")
    ] = "",
    currency_counter: Annotated[
        bool, typer.Option("--currency-counter", help="The count team uses a currency counter.")
    ] = False,
    surveillance: Annotated[
        str, text("--surveillance", "A,B,...", "License numbers of the surveillance department.")
    ] = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Record facts about the card room that set the minimum size of the count team.

    The facts hold from a gaming day on and replace all earlier ones; an omitted fact is unknown.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl room --from 2026-03-01 --receipts 7,250,000.00 --licensed-on 2019-05-01 \\
          --currency-counter --surveillance V-1,V-2
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, RoomProfileSet
    from pitctl.arguments import read_cents, read_names

    fact = RoomProfileSet(
        from_day=from_day,
        annual_receipts_cents=read_cents("--receipts", receipts) if receipts else None,
        licensed_on=licensed_on,
        has_currency_counter=currency_counter,
        surveillance=read_names(surveillance),
    )
    return enter(CageEvent(room_profile_set=fact), "", at, event_id, call)
