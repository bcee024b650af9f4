"""Entries of the cage, the count room and accountants: count, fill, credit, redeem, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitctl.accounting.options import (
    AboutTable,
    At,
    Day,
    EventId,
    Patron,
    Reason,
    Signers,
    TableArgument,
    accounting_command,
)
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CAGE

if TYPE_CHECKING:
    from casino.accounting.v1.cage_event_pb2 import CageEvent

SlipNumber = Annotated[str, text("--slip", "NUMBER", "Slip number.")]
Pieces = list[str] | None
"""DENOMINATION x COUNT, repeated for each denomination; in dollars."""


def _pieces(name: str, noun: str) -> typer.models.OptionInfo:
    return text(name, "100x12", f"{noun}: denomination x count; repeatable.")


Chips = Annotated[Pieces, _pieces("--chips", "Chips")]


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("Enter the count, or a recount, of a drop box.", count),
        ("Enter a fill: chips from the cage to a table.", fill),
        ("Enter a credit: chips from a table to the cage.", credit),
        ("Enter an opener or a closer counted by hand.", inventory),
        ("Enter chips that a patron redeemed at the cage.", redeem),
        ("Make a manual entry.", entry),
    ):
        app.command(short_help=short_help, rich_help_panel=CAGE)(command)


@accounting_command
def count(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", show_default=False, help="Table, such as BJ-07.")
    ] = "",
    box: Annotated[str, text("--box", "NUMBER", "Number of the drop box.")] = "",
    day: Day = "",
    team: Annotated[str, text("--team", "A,B,...", "License numbers of the count team.")] = "",
    currency: Annotated[Pieces, _pieces("--currency", "Bills")] = None,
    debit: Annotated[Pieces, _pieces("--debit", "Debit slips")] = None,
    tickets: Annotated[Pieces, _pieces("--tickets", "Tickets")] = None,
    checks: Annotated[Pieces, _pieces("--checks", "Checks")] = None,
    chips: Chips = None,
    coupons: Annotated[Pieces, _pieces("--coupons", "Coupons")] = None,
    verifier: Annotated[
        str,
        text(
            "--verifier", "LICENSE", "License number of the person who recounts; not on the team."
        ),
    ] = "",
    file: Annotated[
        str, text("--import", "FILE", "Import a CSV file of counts; - reads standard input.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the file of --import without entering it.")
    ] = False,
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Enter the counted contents of a drop box, by kind and denomination, or import a file.

    For an empty box, omit all pieces. With --verifier the count is a blind recount, and a
    difference from the first count is reported.

    \b
    Exit status:
      0  the count is recorded; with --dry-run, it is valid
      1  the service rejected the count, or lines of the file
      2  invalid arguments, an unreadable file, or the service is unavailable

    \b
    Examples:
      pitctl count BJ-07 --box 12 --day 2026-03-01 --team C-1,C-2,C-3 \\
          --currency 100x12 --currency 20x7 --debit 100x1 --coupons 10x3
      pitctl count BJ-07 --box 12 --day 2026-03-01 --verifier C-9 --currency 100x12,20x7
      pitctl count --import counts.csv --dry-run
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, DropRecounted
    from casino.table.v1.facts_money_pb2 import DropCounted
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.entry import import_counts
    from pitctl.arguments import read_counts, read_file, read_names
    from pitctl.errors import InvalidArgument

    pieces = {
        "currency": currency,
        "debit": debit,
        "tickets": tickets,
        "checks": checks,
        "chips": chips,
        "coupons": coupons,
    }
    if file:
        if table or box or any(pieces.values()):
            raise InvalidArgument("--import takes tables, boxes and pieces from its file only")
        csv = read_file(file)
        endpoint = ACCOUNTING.find(*call.where)
        return import_counts(endpoint, csv, day=day, dry_run=dry_run, as_json=call.as_json)
    if not (table and box and day and (team or verifier)):
        raise InvalidArgument("a count needs TABLE, --box, --day, and --team or --verifier")
    if dry_run:
        raise InvalidArgument("--dry-run is for --import")
    names = read_names(team)
    if verifier in names:
        raise InvalidArgument(f"{verifier} is on the count team, and cannot verify its count")
    counts = read_counts({kind: given or () for kind, given in pieces.items()})
    event = CageEvent(table_id=table)
    if verifier:
        event.drop_recounted.CopyFrom(DropRecounted(box=box, counts=counts, verifier=verifier))
    else:
        event.drop_counted.CopyFrom(DropCounted(box=box, counts=counts, team=names))
    return enter(event, day, at, event_id, call)


def _slip_command(
    name: str, help: str, fact_of: Callable[..., dict[str, Any]]
) -> Callable[..., None]:
    """A command that enters chips moved between cage and table, with their slip."""

    def command(
        table: TableArgument,
        slip: SlipNumber,
        chips: Chips = None,
        signers: Signers = "",
        day: Day = "",
        at: At = "",
        event_id: EventId = "",
        *,
        call: CommandCall,
    ) -> int:
        from casino.accounting.v1.cage_event_pb2 import CageEvent
        from pitctl.arguments import read_chips, read_names

        fields = fact_of(slip=slip, inventory=read_chips(chips or ()), signers=read_names(signers))
        return enter(CageEvent(table_id=table, **fields), day, at, event_id, call)

    command.__name__, command.__doc__ = name, help
    return accounting_command(command)


_RECORDED = """\b
    Exit status:
      0  recorded; anything that needs attention is printed
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
"""


def _fill_issued(**fields: Any) -> dict[str, Any]:
    from casino.table.v1.facts_money_pb2 import FillIssued

    return {"fill_issued": FillIssued(**fields)}


def _credit_accepted(**fields: Any) -> dict[str, Any]:
    from casino.table.v1.facts_money_pb2 import CreditAccepted

    return {"credit_accepted": CreditAccepted(**fields)}


fill = _slip_command(
    "fill",
    f"""Enter a fill: chips that the cage issued to a table, with slip and signers.

    {_RECORDED}
    \b
    Examples:
      pitctl fill BJ-07 --slip F-000124 --chips 100x20 --chips 25x40 --signers C-1,R-2,D-3,S-4
    """,
    _fill_issued,
)
credit = _slip_command(
    "credit",
    f"""Enter a credit: chips that the cage accepted from a table, with slip and signers.

    {_RECORDED}
    \b
    Examples:
      pitctl credit BJ-07 --slip C-000031 --chips 500x10 --signers C-1,R-2,D-3,S-4
    """,
    _credit_accepted,
)


@accounting_command
def inventory(
    end: Annotated[
        str,
        typer.Argument(metavar="opener|closer", help="Opening or closing inventory of the table."),
    ],
    table: TableArgument,
    slip: SlipNumber,
    chips: Chips = None,
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Enter an opener or a closer counted by hand, for a table that does not report it.

    \b
    Exit status:
      0  recorded; anything that needs attention is printed
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl inventory closer BJ-07 --slip I-000077 --chips 100x95,25x120,5x200 --signers D-3,S-4
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, InventoryCounted, InventoryKind
    from pitctl.arguments import read_chips, read_names
    from pitctl.errors import InvalidArgument

    kinds = {
        "opener": InventoryKind.INVENTORY_KIND_OPENER,
        "closer": InventoryKind.INVENTORY_KIND_CLOSER,
    }
    if end not in kinds:
        raise InvalidArgument(f'Invalid inventory "{end}": expected opener or closer.')
    fact = InventoryCounted(
        kind=kinds[end],
        inventory=read_chips(chips or ()),
        slip=slip,
        signers=read_names(signers),
    )
    return enter(CageEvent(table_id=table, inventory_counted=fact), day, at, event_id, call)


@accounting_command
def redeem(
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="In dollars: 1,250 or 12.50.")],
    patron: Patron = "",
    table: Annotated[str, text("--table", "TABLE", "Table that the chips came from.")] = "",
    seat: Annotated[
        int,
        typer.Option("--seat", metavar="N", help="Seat at that table.", min=0, show_default=False),
    ] = 0,
    note: Annotated[
        str, text("--note", "TEXT", "Description of an unknown patron; never a name.")
    ] = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Enter chips that a patron redeemed for cash at the cage.

    \b
    Exit status:
      0  recorded; anything that needs attention is printed
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl redeem 3150.00 --patron P-4471
      pitctl redeem 4200.00 --table BJ-07 --seat 3 --note "gray coat, cane"
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent
    from casino.table.v1.facts_money_pb2 import ChipsRedeemed
    from pitctl.arguments import read_cents

    cents = read_cents("AMOUNT", amount)
    fact = ChipsRedeemed(cents=cents, patron=patron, seat=seat, note=note)
    return enter(CageEvent(table_id=table, chips_redeemed=fact), day, at, event_id, call)


@accounting_command
def entry(
    line: Annotated[
        list[str],
        typer.Option(
            metavar="ACCOUNT=AMOUNT",
            show_default=False,
            help="Debit in dollars; a credit is negative. Repeat: lines add up to zero.",
        ),
    ],
    reason: Reason,
    day: Annotated[str, text("--day", "DAY", "Gaming day of the entry.")],
    adjusting: Annotated[
        bool, typer.Option("--adjusting", help="Adjust a gaming day that is closed.")
    ] = False,
    round: Annotated[str, text("--round", "ROUND", "Round that the entry corrects.")] = "",
    table: AboutTable = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Make a manual entry, with a reason. `pitctl balances` lists account codes.

    \b
    Exit status:
      0  recorded; the posted transfers are printed
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl entry --day 2026-03-01 --line tray/BJ-07=12.50 --line adjustment=-12.50 \\
          --reason "chips found under the tray" --adjusting
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, EntryPosted
    from pitctl.arguments import read_line

    fact = EntryPosted(
        lines=[read_line(text) for text in line],
        reason=reason,
        adjusting=adjusting,
        round=round,
    )
    return enter(CageEvent(table_id=table, entry_posted=fact), day, at, event_id, call)


def enter(event: CageEvent, day: str, at: str, event_id: str, call: CommandCall) -> int:
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.entry import record

    endpoint = ACCOUNTING.find(*call.where)
    return record(endpoint, event, day=day, at=at, event_id=event_id, as_json=call.as_json)
