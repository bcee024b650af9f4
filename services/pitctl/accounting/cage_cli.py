"""What the cage, the count room and accountants enter: count, fill, credit, redeem, entry, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.accounting.options import Address, At, Day, EventId, Signers
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import CAGE

if TYPE_CHECKING:
    from casino.accounting.v1.cage_event_pb2 import CageEvent

Table = Annotated[str, typer.Argument(metavar="TABLE", help="Such as BJ-07.")]
Slip = Annotated[str, text("--slip", "NUMBER", "The number of the slip.")]
Pieces = list[str] | None
"""DENOMINATION x COUNT, once for each denomination; in dollars."""


def _pieces(name: str, what: str) -> typer.models.OptionInfo:
    return text(name, "100x12", f"{what}: denomination x count, once for each.")


Chips = Annotated[Pieces, _pieces("--chips", "Chips")]


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("What a drop box held, counted or recounted.", count),
        ("Chips that the cage gave out for a table.", fill),
        ("Chips that the cage took in from a table.", credit),
        ("A tray counted by hand: opener or closer.", inventory),
        ("Chips that a patron turned into money.", redeem),
        ("An entry by hand.", entry),
    ):
        app.command(short_help=short_help, rich_help_panel=CAGE)(command)


def count(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", show_default=False, help="Such as BJ-07.")
    ] = "",
    box: Annotated[str, text("--box", "NUMBER", "The number of the box.")] = "",
    day: Day = "",
    team: Annotated[str, text("--team", "A,B,...", "Licence numbers of the count team.")] = "",
    currency: Annotated[Pieces, _pieces("--currency", "Notes")] = None,
    debit: Annotated[Pieces, _pieces("--debit", "Debit slips")] = None,
    tickets: Annotated[Pieces, _pieces("--tickets", "Tickets")] = None,
    checks: Annotated[Pieces, _pieces("--checks", "Checks")] = None,
    chips: Chips = None,
    coupons: Annotated[Pieces, _pieces("--coupons", "Coupons")] = None,
    verifier: Annotated[
        str, text("--verifier", "LICENCE", "This is a recount, by somebody not of the team.")
    ] = "",
    file: Annotated[
        str, text("--import", "FILE", "A count room's CSV file, for many boxes; - for input.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the file of --import, and enter nothing.")
    ] = False,
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter what a table's drop box held, by kind and denomination; or a whole file of counts.

    A box with nothing in it is entered without pieces. With --verifier it is a recount, made
    without knowledge of the first; a difference is told.

    \b
    Exit status:
      0  it is entered, or with --dry-run could be
      1  the service refused it, or some lines of the file
      2  what was typed makes no sense, the file cannot be read, or nobody is there to ask

    \b
    Examples:
      pitctl count BJ-07 --box 12 --day 2026-03-01 --team C-1,C-2,C-3 \\
          --currency 100x12 --currency 20x7 --debit 100x1 --coupons 10x3
      pitctl count BJ-07 --box 12 --day 2026-03-01 --verifier C-9 --currency 100x12,20x7
      pitctl count --import counts.csv --dry-run
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, DropRecounted
    from casino.table.v1.facts_money_pb2 import DropCounted
    from pitctl.accounting.arguments import read_counts, read_file, read_names
    from pitctl.accounting.client import ACCOUNTING, NotTyped, answering
    from pitctl.accounting.entry import import_counts

    if file:
        with answering(as_json=json):
            if table or box or any((currency, debit, tickets, checks, chips, coupons)):
                raise NotTyped("--import takes all from its file: say nothing else of boxes")
            csv = read_file(file)
            place = ACCOUNTING.find(address, identity, stack)
            status = import_counts(place, csv, day=day, dry_run=dry_run, as_json=json)
        raise typer.Exit(status)
    with answering(as_json=json):
        if not (table and box and day and (team or verifier)):
            raise NotTyped("a count needs TABLE, --box, --day, and --team or --verifier")
        if dry_run:
            raise NotTyped("--dry-run is for --import")
        names = read_names(team)
        if verifier in names:
            raise NotTyped(f"{verifier} is of the count team, and cannot verify its count")
        counts = read_counts(
            currency=currency or (),
            debit=debit or (),
            tickets=tickets or (),
            checks=checks or (),
            chips=chips or (),
            coupons=coupons or (),
        )
    event = CageEvent(table_id=table)
    if verifier:
        event.drop_recounted.CopyFrom(DropRecounted(box=box, counts=counts, verifier=verifier))
    else:
        event.drop_counted.CopyFrom(DropCounted(box=box, counts=counts, team=names))
    enter(event, day, at, event_id, json, (address, identity, stack))


def fill(
    table: Table,
    slip: Slip,
    chips: Chips = None,
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter a fill: chips that the cage gave out for a table, with its slip and who signed.

    \b
    Exit status:
      0  it is entered; what a person should look at is told
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl fill BJ-07 --slip F-000124 --chips 100x20 --chips 25x40 --signers C-1,R-2,D-3,S-4
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent
    from casino.table.v1.facts_money_pb2 import FillIssued
    from pitctl.accounting.arguments import read_chips, read_names
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        fact = FillIssued(slip=slip, inventory=read_chips(chips or ()), signers=read_names(signers))
    event = CageEvent(table_id=table, fill_issued=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


def credit(
    table: Table,
    slip: Slip,
    chips: Chips = None,
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter a credit: chips that the cage took in from a table, with its slip and who signed.

    \b
    Exit status:
      0  it is entered; what a person should look at is told
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl credit BJ-07 --slip C-000031 --chips 500x10 --signers C-1,R-2,D-3,S-4
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent
    from casino.table.v1.facts_money_pb2 import CreditAccepted
    from pitctl.accounting.arguments import read_chips, read_names
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        inventory = read_chips(chips or ())
        fact = CreditAccepted(slip=slip, inventory=inventory, signers=read_names(signers))
    event = CageEvent(table_id=table, credit_accepted=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


def inventory(
    end: Annotated[str, typer.Argument(metavar="opener|closer", help="Which end of its day.")],
    table: Table,
    slip: Slip,
    chips: Chips = None,
    signers: Signers = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter a tray that was counted by hand, at a table that does not report it itself.

    \b
    Exit status:
      0  it is entered; what a person should look at is told
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl inventory closer BJ-07 --slip I-000077 --chips 100x95,25x120,5x200 --signers D-3,S-4
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, InventoryCounted, InventoryKind
    from pitctl.accounting.arguments import read_chips, read_names
    from pitctl.accounting.client import NotTyped, answering

    kinds = {
        "opener": InventoryKind.INVENTORY_KIND_OPENER,
        "closer": InventoryKind.INVENTORY_KIND_CLOSER,
    }
    with answering(as_json=json):
        if end not in kinds:
            raise NotTyped(f"{end!r}: an inventory is an opener or a closer")
        fact = InventoryCounted(
            kind=kinds[end],
            inventory=read_chips(chips or ()),
            slip=slip,
            signers=read_names(signers),
        )
    event = CageEvent(table_id=table, inventory_counted=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


def redeem(
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="In dollars: 1,250 or 12.50.")],
    patron: Annotated[str, text("--patron", "TOKEN", "Who, where known; never a name.")] = "",
    table: Annotated[str, text("--table", "TABLE", "The table the chips came from.")] = "",
    seat: Annotated[
        int, typer.Option("--seat", metavar="N", help="The seat there.", min=0, show_default=False)
    ] = 0,
    note: Annotated[
        str, text("--note", "WORDS", "How the patron looked, where not known; never a name.")
    ] = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter that a patron turned chips into money at the cage.

    \b
    Exit status:
      0  it is entered; what a person should look at is told
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl redeem 3150.00 --patron P-4471
      pitctl redeem 4200.00 --table BJ-07 --seat 3 --note "gray coat, cane"
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent
    from casino.table.v1.facts_money_pb2 import ChipsRedeemed
    from pitctl.accounting.arguments import read_cents
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        cents = read_cents("AMOUNT", amount)
        fact = ChipsRedeemed(cents=cents, patron=patron, seat=seat, note=note)
    event = CageEvent(table_id=table, chips_redeemed=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


def entry(
    line: Annotated[
        list[str],
        typer.Option(
            metavar="ACCOUNT=AMOUNT",
            show_default=False,
            help="A debit, or with a minus a credit, in dollars; two or more that add up to 0.",
        ),
    ],
    reason: Annotated[str, text("--reason", "WORDS", "Why it is made.")],
    day: Annotated[str, text("--day", "DAY", "The gaming day it is dated to.")],
    adjusting: Annotated[
        bool, typer.Option("--adjusting", help="It is meant for a day that is closed.")
    ] = False,
    round: Annotated[str, text("--round", "ROUND", "The round it corrects.")] = "",
    table: Annotated[str, text("--table", "TABLE", "The table it is about.")] = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Make an entry by hand, with the reason. `pitctl balances` shows the codes of accounts.

    \b
    Exit status:
      0  it is entered, and what it posted is shown
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl entry --day 2026-03-01 --line tray/BJ-07=12.50 --line adjustment=-12.50 \\
          --reason "chips found under the tray" --adjusting
    """
    from casino.accounting.v1.cage_event_pb2 import CageEvent, EntryPosted
    from pitctl.accounting.arguments import read_line
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        fact = EntryPosted(
            lines=[read_line(each) for each in line],
            reason=reason,
            adjusting=adjusting,
            round=round,
        )
    event = CageEvent(table_id=table, entry_posted=fact)
    enter(event, day, at, event_id, json, (address, identity, stack))


def enter(
    event: CageEvent,
    day: str,
    at: str,
    event_id: str,
    as_json: bool,
    where: tuple[str, str, str],
) -> None:
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.entry import record

    with answering(as_json=as_json):
        place = ACCOUNTING.find(*where)
        status = record(place, event, day=day, at=at, event_id=event_id, as_json=as_json)
    raise typer.Exit(status)
