"""Options that the commands of the books share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

Stack = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="STACK_DIR",
        show_default=False,
        help="The folder of the stack that is up; build/stack if not said.",
    ),
]
Address = Annotated[
    str,
    typer.Option(
        metavar="HOST:PORT",
        envvar="ACCOUNTING_ADDRESS",
        show_default=False,
        help="Where accounting answers, if not the one of the stack.",
    ),
]
Identity = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="IDENTITY_FOLDER",
        show_default=False,
        help="The folder with our tls.key, tls.crt and ca.crt, if not the stack's.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="For programs.")]
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


def text(name: str, metavar: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        name, metavar=metavar, show_default=False, help=help
    )
    return option
