"""Commands that run the local stack, enroll tables and record the log."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import report_errors
from pitctl.output.help import FLOOR


def add_to(app: typer.Typer) -> None:
    for short_help, command in (
        ("Start the local stack: servers, topics, services.", up),
        ("Stop the local stack and keep its data.", down),
        ("Issue or renew the certificate of a table.", enroll),
        ("Copy the log of a running stack to a file.", record),
    ):
        app.command(short_help=short_help, rich_help_panel=FLOOR)(command)


def up() -> None:
    """Start the local stack: Kafka, PostgreSQL, topics and services.

    Running parts are not touched; repeat the command to restart a service that stopped. The
    stack belongs to the clone that pitctl was installed from; the environment holds its settings
    (docs/stack.md).

    \b
    Exit status:
      0  every part is running and ready
      1  a part did not start; its name and the end of its log are printed
      2  pitctl was not installed from a clone
    """
    _run("up")


def down(
    remove_data: Annotated[
        bool, typer.Option("--remove-data", help="Delete all data of the stack.")
    ] = False,
) -> None:
    """Stop the local stack, services before servers, and keep its data.

    \b
    Exit status:
      0  every part is stopped
      1  a part could not be stopped, or a setting is invalid
      2  pitctl was not installed from a clone
    """
    _run("down", *(["--remove-data"] if remove_data else []))


def _run(command: str, *options: str) -> None:
    from pitctl.stack.local_stack import NoLocalStack, run

    with report_errors(NoLocalStack):
        code = run(command, *options)
    raise typer.Exit(code)


def enroll(
    table: Annotated[list[str], typer.Argument(metavar="TABLE", help="Table, such as BJ-07.")],
    folder: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Parent of the tables' folders; default: `table` next to the authority.",
            show_default=False,
        ),
    ] = "",
    renew: Annotated[
        bool, typer.Option("--renew", help="Renew certificates with more than 10 days left, too.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
) -> None:
    """Issue or renew the certificate that a table's controller needs to send events.

    Writes tls.key, tls.crt and ca.crt to FOLDER/TABLE, readable by the owner only. They let a
    controller send the events of this table, and of no other, to the gateway. A certificate is
    valid for 30 days; one with more than 10 days left is kept. The issuer is the certificate
    authority of the local stack, or the one in AUTHORITY_FOLDER.

    \b
    Exit status:
      0  every table has a valid certificate
      2  no certificate authority, or an invalid table name; nothing was written

    \b
    Examples:
      pitctl enroll BJ-07 BJ-08
      pitctl enroll BJ-07 --folder /media/usb --renew
    """
    from pitctl.stack.enroll import EnrollmentFailed, run

    with report_errors(EnrollmentFailed):
        run(table, folder=folder, renew=renew, as_json=json)


def record(
    out: Annotated[str, typer.Argument(metavar="FILE", help="Log file to write.")],
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="Only this table; repeatable."),
    ] = None,
    kafka: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="Address of Kafka; default: the local stack's.",
            show_default=False,
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Copy the events of all tables from Kafka to a log file, byte for byte.

    `pitctl audit` and `pitctl replay --log` read the file without services, with the same
    results as settlement. An interrupted copy leaves no file.

    \b
    Exit status:
      0  the file is written
      2  the log cannot be read, or the file cannot be written

    \b
    Examples:
      pitctl record day.log
      pitctl record bj07.log --table BJ-07
    """
    from pitctl.engine.record import RecordingFailed, run

    with report_errors(RecordingFailed):
        run(out, bootstrap=kafka, tables=table or [], as_json=json)
