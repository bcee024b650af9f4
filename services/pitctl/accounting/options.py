"""Options that the commands of the books share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.connection.options import address

Address = Annotated[str, address("ACCOUNTING_ADDRESS", "accounting")]
Day = Annotated[
    str,
    typer.Option(
        "--day",
        metavar="DAY",
        show_default=False,
        help="The gaming day: 2026-03-01, today, yesterday.",
    ),
]
Until = Annotated[
    str,
    typer.Option("--until", metavar="DAY", show_default=False, help="The last day, for several."),
]
EventId = Annotated[
    str,
    typer.Option(
        "--id",
        metavar="ID",
        show_default=False,
        help="The id of the event: the same again counts once. Made up if not said.",
    ),
]
At = Annotated[
    str,
    typer.Option(
        "--at", metavar="TIME", show_default=False, help="When it happened (UTC); now if not said."
    ),
]
Signers = Annotated[
    str,
    typer.Option(
        "--signers",
        metavar="A,B,...",
        show_default=False,
        help="Licence numbers of those who signed.",
    ),
]
Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", show_default=False, help="Why.")]


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
