"""The commands that ask about the books: report, explain, balances, journal."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.options import Address, Day, JournalFormat, ReportFormat, Until
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import BOOKS


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("A report, on screen, as CSV, JSON or a PDF to sign.", report),
        ("What a figure of a report is made of.", explain),
        ("What is on the accounts.", balances),
        ("The entries of a day; also for beancount and hledger.", journal),
    ):
        app.command(short_help=short_help, rich_help_panel=BOOKS)(command)


def report(
    name: Annotated[
        str, typer.Argument(metavar="NAME", show_default=False, help="Which; --list lists them.")
    ] = "",
    list: Annotated[bool, typer.Option("--list", help="The reports there are.")] = False,
    day: Day = "",
    until: Until = "",
    table: Annotated[str, text("--table", "TABLE", "Only this table.")] = "",
    preset: Annotated[
        str, text("--preset", "PRESET", "A way of reading, such as kansas, ohio or maryland.")
    ] = "",
    format: Annotated[ReportFormat, typer.Option(help="How it is written.")] = ReportFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        str, text("--output", "FILE", "Write into FILE, not to standard output.")
    ] = "",
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show a report of a gaming day, or of several; of the day that is now if none is said.

    A report of a day that is not closed says that it is not final. CSV opens in a spreadsheet:
    amounts are plain numbers, shares percent numbers, totals the last row. JSON has cents as whole
    numbers, and beside each figure what `pitctl explain` takes. PDF has lines to sign.

    \b
    Exit status:
      0  it is written
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl report --list
      pitctl report reconciliation --day yesterday
      pitctl report hold_variance --day 2026-03-01 --until 2026-03-31 --preset kansas
      pitctl report reconciliation --day 2026-03-01 --format pdf --output reconciliation.pdf
      pitctl report reconciliation --json | jq '.rows[] | select(.unexplained_tray != 0)'
    """
    from pitctl.accounting.client import ACCOUNTING, NotTyped, answering
    from pitctl.accounting.report import list_reports, show_report
    from report_forms.cells import DamagedReport

    with answering(DamagedReport, as_json=json):
        if json and format not in (ReportFormat.TABLE, ReportFormat.JSON):
            raise NotTyped(f"--json and --format {format} contradict each other; choose one")
        if not name and not list:
            raise NotTyped("name a report; `pitctl report --list` lists them")
        place = ACCOUNTING.find(address, identity, stack)
        if list:
            status = list_reports(place, as_json=json or format is ReportFormat.JSON)
        else:
            status = show_report(
                place,
                name,
                day=day,
                until=until,
                table=table,
                preset=preset,
                form="json" if json else format.value,
                output=output,
            )
    raise typer.Exit(status)


def explain(
    figure: Annotated[
        str,
        typer.Argument(
            metavar="FIGURE", help="A report, or what a cell of `report --json` has in `drill`."
        ),
    ],
    column: Annotated[
        str,
        typer.Argument(
            metavar="COLUMN", show_default=False, help="Of a report: the key of the column."
        ),
    ] = "",
    row: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROW...", show_default=False, help="What the row has; the total if not said."
        ),
    ] = None,
    day: Day = "",
    until: Until = "",
    table: Annotated[str, text("--table", "TABLE", "Of the report of this table.")] = "",
    preset: Annotated[str, text("--preset", "PRESET", "A way of reading, as of report.")] = "",
    part: Annotated[
        list[int] | None,
        typer.Option(min=1, metavar="N", show_default=False, help="Go on with part N of it."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="At most so many parts.")] = 100,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say what a figure is made of: other figures, entries, the rounds behind them, and their sum.

    A figure is named by its report, its column and words that its row has. What is no sum says how
    it follows from its parts; `--part`, once or several times, goes on with one of them.

    \b
    Exit status:
      0  its parts are shown
      1  nothing makes it up, or the service refused
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl explain reconciliation tray_variance T001 --day yesterday
      pitctl explain reconciliation z --day 2026-03-01 --part 2
      pitctl explain "$(pitctl report reconciliation --json | jq -r '.rows[0].drill.overpaid')"
      pitctl replay T012-00039          a round that it names, as it happened
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.drill_down import Asked
    from pitctl.accounting.drill_down import explain as run
    from report_forms.cells import DamagedReport

    with answering(DamagedReport, as_json=json):
        asked = Asked(
            figure, column, tuple(row or ()), day, until, table, preset, tuple(part or ())
        )
        status = run(ACCOUNTING.find(address, identity, stack), asked, limit=limit, as_json=json)
    raise typer.Exit(status)


def balances(
    account: Annotated[
        str,
        typer.Argument(
            metavar="ACCOUNT", show_default=False, help="Its code, or how it begins: tray/BJ-07."
        ),
    ] = "",
    day: Day = "",
    until: Until = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show debits, credits and balance of accounts, over all days or those that are said.

    \b
    Exit status:
      0  they are shown
      1  no such account has an entry, or the service refused
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl balances
      pitctl balances win/BJ-07 --day 2026-03-01 --until 2026-03-01
      pitctl balances --until yesterday --json
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.report import show_balances

    with answering(as_json=json):
        place = ACCOUNTING.find(address, identity, stack)
        status = show_balances(place, day=day, until=until, account=account, as_json=json)
    raise typer.Exit(status)


def journal(
    day: Day = "",
    until: Until = "",
    table: Annotated[str, text("--table", "TABLE", "Only this table.")] = "",
    account: Annotated[str, text("--account", "CODE", "On this account, or those like it.")] = "",
    kind: Annotated[str, text("--kind", "KIND", "Such as round or fill_issued.")] = "",
    round: Annotated[str, text("--round", "ROUND", "Of this round.")] = "",
    adjusting: Annotated[
        bool, typer.Option("--adjusting", help="Only what came after its day was closed.")
    ] = False,
    format: Annotated[JournalFormat, typer.Option(help="How it is written.")] = JournalFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        str, text("--output", "FILE", "Write into FILE, not to standard output.")
    ] = "",
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Write the entries of a gaming day, in the order of day, time and id.

    As beancount or hledger, each entry is a transaction with its id, kind, table, round and source
    beside it, and every account is opened before its first use: the file stands by itself.

    \b
    Exit status:
      0  entries were written
      1  there are none like that, or the service refused
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl journal --day yesterday --table BJ-07
      pitctl journal --day 2026-03-01 --format beancount --output 2026-03-01.beancount
      pitctl journal --day 2026-03-01 --adjusting --json
    """
    from bookkeeping.errors import NoAccount
    from casino.accounting.v1.service_pb2 import FindEntriesRequest
    from pitctl.accounting.client import ACCOUNTING, NotTyped, answering
    from pitctl.accounting.journal import run

    with answering(NoAccount, as_json=json):
        if json and format not in (JournalFormat.TABLE, JournalFormat.JSON):
            raise NotTyped(f"--json and --format {format} contradict each other; choose one")
        request = FindEntriesRequest(
            table_id=table, account=account, kind=kind, round=round, adjusting=adjusting
        )
        status = run(
            ACCOUNTING.find(address, identity, stack),
            request,
            day=day,
            until=until,
            form="json" if json else format.value,
            output=output,
        )
    raise typer.Exit(status)
