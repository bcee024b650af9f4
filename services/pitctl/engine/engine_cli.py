"""Commands that need no service: settle and audit."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.output.exit import ending_quietly
from pitctl.output.help_sections import GAMES, ROUNDS


class Format(StrEnum):
    AUTO = "auto"
    HISTORY = "history"
    EVENTS = "events"


def add_settle_to(app: typer.Typer) -> None:
    app.command(
        short_help="Say what every wager is owed, and what was found.", rich_help_panel=GAMES
    )(settle)


def add_audit_to(app: typer.Typer) -> None:
    app.command(
        short_help="Judge a log file: totals, findings, planted against found.",
        rich_help_panel=ROUNDS,
    )(audit)


def settle(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A hand history or JSON lines; - is standard input."),
    ],
    json: Annotated[
        bool, typer.Option("--json", help="Write records for programs, one JSON object a line.")
    ] = False,
    format: Annotated[
        Format,
        typer.Option(
            help="What FILE holds; auto takes it for events where one of its first lines "
            "begins with a brace."
        ),
    ] = Format.AUTO,
    findings_only: Annotated[
        bool, typer.Option("--findings-only", help="Leave out the rounds; say what was found.")
    ] = False,
    chained: Annotated[
        bool,
        typer.Option(
            "--chained",
            help="Demand of every event the hash of the one before; without it, hashes are "
            "checked where lines name them.",
        ),
    ] = False,
) -> None:
    """Settle the rounds of FILE: what every wager is owed, was paid, and what was found.

    FILE is a hand history, the text that a person types (docs/hand-history.md), or JSON
    lines, one casino.table.v1.TableEvent or IngestedEvent a line in protobuf's JSON form
    (docs/events.md). Several tables may be mixed. Lines that cannot be read are reported
    on standard error, with the line, and the rest is settled all the same.

    `due patron` and `paid patron` are the patron's amounts: 25.00 is won, -25.00 lost.
    `difference` is the house's: +15.00 was kept, -15.00 paid away; so is the amount of a
    finding. A wager that hangs on a card nobody read is undetermined, and shows the least
    and the most that it may be owed.

    With --json every line is a casino.settlement.v1.SettlementRecord: a finding, a
    withdrawal or a round, as they come forth. Everything else is on standard error.

    \b
    Exit status:
      0  every line was read, nothing was found
      1  findings stand at the end, or an `expect` line of the history is not met
      2  some lines, or the file, could not be read, or it holds no event (stronger than 1)

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

    with ending_quietly():
        status = run(
            file, as_json=json, kind=format.value, findings_only=findings_only, chained=chained
        )
    raise typer.Exit(status)


def audit(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log file.")],
    truth: Annotated[
        str, typer.Option(metavar="FILE", help="What was planted.", show_default=False)
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    processes: Annotated[
        int, typer.Option(min=0, max=256, help="How many; 0 chooses by the size of LOG.")
    ] = 0,
    rounds: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Write every SettledRound, length before it.", show_default=False
        ),
    ] = "",
    findings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write findings and withdrawals, each a SettlementRecord, length before it.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Judge a log file with no broker: what was owed, what was paid, what was found.

    Tables are independent and are folded side by side; the output is the same, byte for
    byte, whatever the number of processes. Bytes that are no event are reported on standard
    error with their offset, and what follows is judged all the same.

    With --truth, what was planted is held against what was found, by kind and place.

    \b
    Exit status:
      0  nothing was found; with --truth, all that was planted and nothing else
      1  findings stand at the end; with --truth, some were missed or nothing accounts for them
      2  some bytes, or a file, could not be read (stronger than 1)

    \b
    Examples:
      pitctl audit day.log
      pitctl audit day.log --truth truth.jsonl
      pitctl audit day.log --json --rounds rounds.bin --findings findings.bin
    """
    from pitctl.engine.audit import run

    with ending_quietly():
        status = run(
            log,
            truth_path=truth,
            as_json=json,
            processes=processes,
            rounds_path=rounds,
            findings_path=findings,
        )
    raise typer.Exit(status)
