"""What the room is from a gaming day on, as far as rules depend on it."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.cage_cli import enter
from pitctl.accounting.options import Address, At, EventId
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import CAGE


def add_to(app: typer.Typer) -> None:
    help_text = "What the room is, from a gaming day on."
    app.command(short_help=help_text, rich_help_panel=CAGE)(room)


def room(
    from_day: Annotated[str, text("--from", "DAY", "The first gaming day it holds for.")],
    receipts: Annotated[
        str, text("--receipts", "AMOUNT", "Gross gambling receipts of the fiscal year before.")
    ] = "",
    licensed_on: Annotated[
        str, text("--licensed-on", "DATE", "When the room was licensed, such as 2020-07-01.")
    ] = "",
    currency_counter: Annotated[
        bool, typer.Option("--currency-counter", help="The count team uses a currency counter.")
    ] = False,
    surveillance: Annotated[
        str, text("--surveillance", "A,B,...", "License numbers of the surveillance department.")
    ] = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Set what the room is from a gaming day on: the minimum of a count team depends on it.

    It replaces all that was set for that day and later ones; what is left out is not known.

    \b
    Exit status:
      0  it is entered
      1  the service rejected it: the code and the reason are shown
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl room --from 2026-03-01 --receipts 7,250,000.00 --licensed-on 2019-05-01 \\
          --currency-counter --surveillance V-1,V-2
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, RoomProfileSet
    from pitctl.accounting.arguments import read_cents, read_names
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        fact = RoomProfileSet(
            from_day=from_day,
            annual_receipts_cents=read_cents("--receipts", receipts) if receipts else None,
            licensed_on=licensed_on,
            has_currency_counter=currency_counter,
            surveillance=read_names(surveillance),
        )
    enter(CageEvent(room_profile_set=fact), "", at, event_id, json, (address, identity, stack))
