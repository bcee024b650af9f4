"""The commands that run the local stack, and let a table in."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import refusing
from pitctl.output.help_sections import FLOOR


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("Start the local stack: servers, topics, services.", up),
        ("End the local stack; data stay.", down),
        ("Give a table the certificate it reports with.", enrol),
        ("Copy the log of a running stack into a log file.", record),
    ):
        app.command(short_help=short_help, rich_help_panel=FLOOR)(command)


def up() -> None:
    """Start what does not run of the local stack: Kafka, PostgreSQL, topics, services.

    One line each. What runs is left alone, so this is also the answer to a service that
    died. The stack is that of the clone pitctl was installed from; its settings are in the
    environment (docs/stack.md).

    \b
    Exit status:
      0  everything runs and is ready
      1  something did not start: it says what, with the end of its log
      2  there is no clone here
    """
    _run("up")


def down(
    remove_data: Annotated[
        bool, typer.Option("--remove-data", help="And forget everything it has.")
    ] = False,
) -> None:
    """End the local stack, services before servers; data stay.

    \b
    Exit status:
      0  nothing of it runs any more
      1  something could not be ended, or a setting is none
      2  there is no clone here
    """
    _run("down", *(["--remove-data"] if remove_data else []))


def _run(command: str, *options: str) -> None:
    from pitctl.stack.local_stack import NoLocalStack, run

    with refusing(NoLocalStack):
        code = run(command, *options)
    raise typer.Exit(code)


def enrol(
    table: Annotated[list[str], typer.Argument(metavar="TABLE", help="Such as BJ-07.")],
    folder: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Where each table's folder is made; `table` beside the authority's.",
            show_default=False,
        ),
    ] = "",
    renew: Annotated[
        bool, typer.Option("--renew", help="Issue a new one though the old is good for long.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a table.")] = False,
) -> None:
    """Give a table the certificate that its controller reports with, or renew it.

    Writes FOLDER/TABLE with tls.key, tls.crt and ca.crt, for its owner only: it is what a
    controller, and `table_client`, need besides the gateway's address. Whoever holds it
    speaks for that table and no other. It lives for 30 days; one that has more than a third
    of them left is kept. Signed by the authority of the local stack, or by the one that
    AUTHORITY_FOLDER names.

    \b
    Exit status:
      0  every table has a good certificate
      2  there is no authority, or a name is no name; nothing was written

    \b
    Examples:
      pitctl enrol BJ-07 BJ-08
      pitctl enrol BJ-07 --folder /media/usb --renew
    """
    from pitctl.stack.enroll import CannotEnrol, run

    with refusing(CannotEnrol):
        run(table, folder=folder, renew=renew, as_json=json)


def record(
    out: Annotated[str, typer.Argument(metavar="FILE", help="The log file to write.")],
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="Only this table; may be repeated."),
    ] = None,
    kafka: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="Kafka; the local stack's if not said.", show_default=False
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")] = False,
) -> None:
    """Copy what tables have reported so far from Kafka into a log file, byte for byte.

    `pitctl audit` judges the file with no broker, `pitctl replay --log` shows a round of it: both
    must say what settlement has said. The file is there whole, or not at all.

    \b
    Exit status:
      0  the file is written
      2  the log could not be read, or the file not written

    \b
    Examples:
      pitctl record day.log
      pitctl record bj07.log --table BJ-07
    """
    from pitctl.engine.record import CannotRecord, run

    with refusing(CannotRecord):
        run(out, bootstrap=kafka, tables=table or [], as_json=json)
