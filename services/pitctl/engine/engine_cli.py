"""Commands that need no service: settle and audit."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.output.exit import exit_quietly
from pitctl.output.help import GAMES, ROUNDS


class InputFormat(StrEnum):
    AUTO = "auto"
    HISTORY = "history"
    EVENTS = "events"


def add_settle_to(app: typer.Typer) -> None:
    app.command(short_help="Settle rounds: owed, paid and findings.", rich_help_panel=GAMES)(settle)


def add_audit_to(app: typer.Typer) -> None:
    app.command(
        short_help="Audit a log file: totals and findings.",
        rich_help_panel=ROUNDS,
    )(audit)


def settle(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Hand history or JSON lines; - is standard input."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
    format: Annotated[
        InputFormat,
        typer.Option(help="Format of FILE; auto detects JSON lines by a brace in the first lines."),
    ] = InputFormat.AUTO,
    findings_only: Annotated[
        bool, typer.Option("--findings-only", help="Leave out rounds.")
    ] = False,
    chained: Annotated[
        bool,
        typer.Option(
            "--chained",
            help="Require the hash of the previous event in every event; otherwise check it "
            "where it is present.",
        ),
    ] = False,
) -> None:
    """Settle the rounds of FILE: owed and paid for every wager, and findings.

    FILE is a hand history (docs/hand-history.md), or JSON lines: one casino.table.v1.TableEvent
    or IngestedEvent per line, in protobuf's JSON form (docs/events.md). Events of several tables
    may be mixed. Unreadable lines are reported on standard error with their number; the rest is
    settled.

    `due patron` and `paid patron` are from the patron's point of view: 25.00 is a win, -25.00 a
    loss. `difference`, and the amount of a finding, are from the house's: +15.00 was underpaid,
    -15.00 overpaid. A wager that depends on an unread card is undetermined, and shows the least
    and the most that it may be owed.

    With --json every line is a casino.settlement.v1.SettlementRecord: a finding, a
    withdrawal or a round. Everything else is on standard error.

    \b
    Exit status:
      0  no findings
      1  findings remain, or an `expect` line of the history is not met
      2  unreadable lines, an unreadable file, or no events (overrides 1)

    \b
    Examples:
      pitctl settle hand.bj
      pitctl settle --json day.jsonl | grep '"finding"'
      gunzip -c day.jsonl.gz | pitctl settle --findings-only -

    \b
    A hand history to try it with:
      rules skweezit decks 6 skweezit 1
      round R-1
      bet 1 main 25.00, skweezit 5.00
      no more bets
      deal 1 JH, dealer QD, 1 KC, dealer down 8S
      pay 1 skweezit 100.00
      dealer peeks no blackjack
      1 stands
      dealer shows 8S
      pay 1 main 25.00
      close round
    """
    from pitctl.engine.settle import run

    with exit_quietly():
        status = run(
            file, as_json=json, kind=format.value, findings_only=findings_only, chained=chained
        )
    raise typer.Exit(status)


def audit(
    log: Annotated[str, typer.Argument(metavar="LOG", help="Log file.")],
    truth: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Truth file of `pitctl simulate`: planted faults.",
            show_default=False,
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
    processes: Annotated[
        int, typer.Option(metavar="N", min=0, max=256, help="Processes; 0 chooses by file size.")
    ] = 0,
    rounds: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Write every SettledRound, length-delimited.", show_default=False
        ),
    ] = "",
    findings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write findings and withdrawals as SettlementRecords, length-delimited.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Audit a log file without services: owed, paid and findings.

    Tables are folded in parallel; the output is the same, byte for byte, for any number of
    processes. Malformed bytes are reported on standard error with their offset; the rest is
    audited.

    With --truth, planted faults are compared with findings, by kind and place.

    \b
    Exit status:
      0  no findings; with --truth, every planted fault was found and nothing else
      1  findings remain; with --truth, faults were missed or findings were unexpected
      2  malformed bytes, or an unreadable file (overrides 1)

    \b
    Examples:
      pitctl audit day.log
      pitctl audit day.log --truth truth.jsonl
      pitctl audit day.log --json --rounds rounds.bin --findings findings.bin
    """
    from pitctl.engine.audit import run

    with exit_quietly():
        status = run(
            log,
            truth_path=truth,
            as_json=json,
            processes=processes,
            rounds_path=rounds,
            findings_path=findings,
        )
    raise typer.Exit(status)
