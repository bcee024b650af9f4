"""Options that commands of accounting share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.connection.options import service_command, text

accounting_command = service_command("ACCOUNTING_ADDRESS", "accounting")
"""Adds the options of a call to accounting."""

Day = Annotated[
    str,
    text("--day", "DAY", "Gaming day: YYYY-MM-DD, today or yesterday."),
]
Until = Annotated[str, text("--until", "DAY", "Last gaming day of a range.")]
Table = Annotated[str, text("--table", "TABLE", "Only this table.")]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="Table, such as BJ-07.")]
AboutTable = Annotated[str, text("--table", "TABLE", "Table that the entry is about.")]
EventId = Annotated[
    str, text("--id", "ID", "Event id: an event with the same id is recorded once.")
]
At = Annotated[str, text("--at", "TIME", "Time of the event (UTC); default: now.")]
Signers = Annotated[str, text("--signers", "A,B,...", "License numbers of the signers.")]
Reason = Annotated[str, text("--reason", "TEXT", "Reason.")]
Patron = Annotated[str, text("--patron", "TOKEN", "Patron, if known; never a name.")]
Limit = Annotated[
    int, typer.Option(metavar="N", min=1, max=100_000, help="Maximum number to show.")
]
Output = Annotated[str, text("--output", "FILE", "Write to FILE instead of standard output.")]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]


class ReportFormat(StrEnum):
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PDF = "pdf"


class JournalFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    BEANCOUNT = "beancount"
    HLEDGER = "hledger"
