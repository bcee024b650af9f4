"""Queries of accounting: report, explain, balances, journal."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.accounting.options import (
    Day,
    JournalFormat,
    Json,
    Output,
    ReportFormat,
    Table,
    Until,
    accounting_command,
)
from pitctl.connection.options import CommandCall, service_command, text
from pitctl.output.help import BOOKS

formatted_command = service_command("ACCOUNTING_ADDRESS", "accounting", has_json=False)
"""For commands with --format, whose --json is short for one of the formats."""

Preset = Annotated[
    str, text("--preset", "PRESET", "Jurisdiction preset: kansas, ohio or maryland.")
]


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("Show a report, or write it as CSV, JSON or PDF.", report),
        ("Show the parts of an amount in a report.", explain),
        ("Show account balances.", balances),
        ("Write journal entries as a table, JSON, beancount or hledger.", journal),
    ):
        app.command(short_help=short_help, rich_help_panel=BOOKS)(command)


@formatted_command
def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", show_default=False, help="Name of the report; --list shows all."
        ),
    ] = "",
    list: Annotated[bool, typer.Option("--list", help="List all reports.")] = False,
    day: Day = "",
    until: Until = "",
    table: Table = "",
    preset: Preset = "",
    format: Annotated[ReportFormat, typer.Option(help="Output format.")] = ReportFormat.TABLE,
    json: Json = False,
    output: Output = "",
    *,
    call: CommandCall,
) -> int:
    """Show a report of one or several gaming days; default: the current day.

    A report of a day that is not closed is marked as not final. CSV has plain numbers, with
    totals in the last row. JSON has amounts in whole cents, each with its key for
    `pitctl explain`. PDF has signature lines.

    \b
    Exit status:
      0  the report is written
      1  the service rejected the request; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl report --list
      pitctl report reconciliation --day yesterday
      pitctl report hold_variance --day 2026-03-01 --until 2026-03-31 --preset kansas
      pitctl report reconciliation --day 2026-03-01 --format pdf --output reconciliation.pdf
      pitctl report reconciliation --json | jq '.rows[] | select(.unexplained_tray != 0)'
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.report import list_reports, show_report
    from pitctl.errors import InvalidArgument
    from report_forms.cells import DamagedReport

    if json and format not in (ReportFormat.TABLE, ReportFormat.JSON):
        raise InvalidArgument(f"--json and --format {format} contradict each other; choose one")
    if not name and not list:
        raise InvalidArgument("name a report; `pitctl report --list` lists all reports")
    endpoint = ACCOUNTING.find(*call.where)
    if list:
        return list_reports(endpoint, as_json=json or format is ReportFormat.JSON)
    try:
        return show_report(
            endpoint,
            name,
            day=day,
            until=until,
            table=table,
            preset=preset,
            form="json" if json else format.value,
            output=output,
        )
    except DamagedReport as error:
        raise InvalidArgument(str(error)) from None


@accounting_command
def explain(
    figure: Annotated[
        str,
        typer.Argument(
            metavar="REPORT", help="Name of the report, or a `drill` key of `report --json`."
        ),
    ],
    column: Annotated[
        str,
        typer.Argument(
            metavar="COLUMN", show_default=False, help="Column key, as in `report --json`."
        ),
    ] = "",
    row: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ROW...",
            show_default=False,
            help="Words that identify the row; default: the totals.",
        ),
    ] = None,
    day: Day = "",
    until: Until = "",
    table: Annotated[str, text("--table", "TABLE", "Report of this table only.")] = "",
    preset: Preset = "",
    part: Annotated[
        list[int] | None,
        typer.Option(min=1, metavar="N", show_default=False, help="Explain part N; repeatable."),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="Maximum number of parts.")
    ] = 100,
    *,
    call: CommandCall,
) -> int:
    """Show the parts of an amount in a report: other amounts, entries and rounds, and their sum.

    Select the amount by report, column and words of its row. An amount that is not a sum is shown
    with its formula. Repeat --part to explain a part of a part.

    \b
    Exit status:
      0  the parts are shown
      1  there are no parts, or the service rejected the request
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl explain reconciliation tray_variance T001 --day yesterday
      pitctl explain reconciliation z --day 2026-03-01 --part 2
      pitctl explain "$(pitctl report reconciliation --json | jq -r '.rows[0].drill.overpaid')"
      pitctl replay T012-00039          replay a round among the parts
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.drill_down import FigureQuery
    from pitctl.accounting.drill_down import explain as run
    from pitctl.errors import InvalidArgument
    from report_forms.cells import DamagedReport

    query = FigureQuery(
        figure, column, tuple(row or ()), day, until, table, preset, tuple(part or ())
    )
    try:
        return run(ACCOUNTING.find(*call.where), query, limit=limit, as_json=call.as_json)
    except DamagedReport as error:
        raise InvalidArgument(str(error)) from None


@accounting_command
def balances(
    account: Annotated[
        str,
        typer.Argument(
            metavar="ACCOUNT",
            show_default=False,
            help="Account code, or the start of it: tray/BJ-07.",
        ),
    ] = "",
    day: Day = "",
    until: Until = "",
    *,
    call: CommandCall,
) -> int:
    """Show debits, credits and balances of accounts, for all days or a range.

    \b
    Exit status:
      0  the balances are shown
      1  no matching accounts, or the service rejected the request
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl balances
      pitctl balances win/BJ-07 --day 2026-03-01 --until 2026-03-01
      pitctl balances --until yesterday --json
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.report import show_balances

    endpoint = ACCOUNTING.find(*call.where)
    return show_balances(endpoint, day=day, until=until, account=account, as_json=call.as_json)


@formatted_command
def journal(
    day: Day = "",
    until: Until = "",
    table: Table = "",
    account: Annotated[
        str, text("--account", "CODE", "Only accounts whose code starts with CODE.")
    ] = "",
    kind: Annotated[str, text("--kind", "KIND", "Only this kind: round, fill_issued, ...")] = "",
    round: Annotated[str, text("--round", "ROUND", "Only this round.")] = "",
    adjusting: Annotated[
        bool, typer.Option("--adjusting", help="Only entries made after their day was closed.")
    ] = False,
    format: Annotated[JournalFormat, typer.Option(help="Output format.")] = JournalFormat.TABLE,
    json: Json = False,
    output: Output = "",
    *,
    call: CommandCall,
) -> int:
    """Write the journal entries of gaming days, ordered by day, time and id.

    beancount and hledger files are complete: every account is opened before its first use, and
    each transaction carries the id, kind, table, round and source of its entry.

    \b
    Exit status:
      0  entries were written
      1  no matching entries, or the service rejected the request
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl journal --day yesterday --table BJ-07
      pitctl journal --day 2026-03-01 --format beancount --output 2026-03-01.beancount
      pitctl journal --day 2026-03-01 --adjusting --json
    """
    from bookkeeping.errors import NoAccount
    from casino.accounting.v1.service_pb2 import FindEntriesRequest
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.journal import run
    from pitctl.errors import InvalidArgument

    if json and format not in (JournalFormat.TABLE, JournalFormat.JSON):
        raise InvalidArgument(f"--json and --format {format} contradict each other; choose one")
    request = FindEntriesRequest(
        table_id=table, account=account, kind=kind, round=round, adjusting=adjusting
    )
    try:
        return run(
            ACCOUNTING.find(*call.where),
            request,
            day=day,
            until=until,
            form="json" if json else format.value,
            output=output,
        )
    except NoAccount as error:
        raise InvalidArgument(str(error)) from None
