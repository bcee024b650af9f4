"""`pitctl ledger`: refusals, rebuild."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.options import Address
from pitctl.connection.options import Identity, Json, Stack, text

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def ledger() -> None:
    """What was not posted, and why; the ledger made anew from the log.

    \b
    Examples:
      pitctl ledger refusals
      pitctl ledger rebuild
    """


@app.command(short_help="What was not posted, and why.")
def refusals(
    code: Annotated[str, text("--code", "CODE", "Only with this code.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show what was in the log, or was entered, and did not become an entry; the newest first.

    \b
    Exit status:
      0  they are shown, if there are any
      1  the service refused
      2  nobody is there to ask

    \b
    Examples:
      pitctl ledger refusals
      pitctl ledger refusals --code duplicate --json
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.ledger import show_refusals

    with answering(as_json=json):
        place = ACCOUNTING.find(address, identity, stack)
        status = show_refusals(place, code=code, limit=limit, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Make the ledger anew from the log.")
def rebuild(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """Empty the ledger and make it anew from the log: the same rows come out; nothing is lost.

    Until it is whole again, reports show only what is there. The service needs the address of its
    migrating role for it (DATABASE_MIGRATION_URL).

    \b
    Exit status:
      0  the ledger is whole again
      1  the service refused
      2  nobody is there to ask
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.ledger import rebuild as make_anew

    with answering(as_json=json):
        status = make_anew(ACCOUNTING.find(address, identity, stack), as_json=json)
    raise typer.Exit(status)
