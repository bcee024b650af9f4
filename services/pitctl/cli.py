"""The commands and their help; each imports its work when it is called."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.accounting import (
    cage_cli,
    day_cli,
    ledger_cli,
    promotion_cli,
    report_cli,
    room_cli,
    slip_cli,
)
from pitctl.alert_desk import alerts_cli, case_cli, exclude_cli, settings_cli
from pitctl.archive import archive_cli
from pitctl.odds import odds_cli
from pitctl.output.exit import ending_quietly, refusing
from pitctl.output.help_sections import BOOKS, CAGE, FLOOR, GAMES, ROUNDS, SURVEILLANCE, Sectioned
from pitctl.stack import simulate_cli, stack_cli

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts four times as fast
    cls=Sectioned,
)


app.add_typer(odds_cli.app, name="odds", rich_help_panel=GAMES)
app.command(
    short_help="Play a day of tables, into a log file or to a gateway.", rich_help_panel=FLOOR
)(simulate_cli.simulate)
stack_cli.add_to(app)
app.add_typer(archive_cli.app)
app.add_typer(
    alerts_cli.app,
    name="alerts",
    short_help="Alerts: listed, watched live, shown with the hand, decided.",
    rich_help_panel=SURVEILLANCE,
)
app.add_typer(
    case_cli.app,
    name="case",
    short_help="Cases: alerts, people, held video, deadlines, a report.",
    rich_help_panel=SURVEILLANCE,
)
app.add_typer(
    exclude_cli.app,
    name="exclude",
    short_help="Who may not play here.",
    rich_help_panel=SURVEILLANCE,
)
app.add_typer(
    settings_cli.settings,
    name="setting",
    short_help="Thresholds, levels and suppressions.",
    rich_help_panel=SURVEILLANCE,
)
app.add_typer(
    settings_cli.webhooks,
    name="webhook",
    short_help="Whom alerts are told over HTTP.",
    rich_help_panel=SURVEILLANCE,
)
report_cli.add_to(app)
app.add_typer(day_cli.app, name="day", rich_help_panel=BOOKS)
app.add_typer(
    ledger_cli.app,
    name="ledger",
    short_help="What was not posted; the ledger made anew.",
    rich_help_panel=BOOKS,
)
cage_cli.add_to(app)
room_cli.add_to(app)
app.add_typer(
    slip_cli.app, name="slip", short_help="Slips: void, missing, in error.", rich_help_panel=CAGE
)
app.add_typer(
    promotion_cli.promotions,
    name="promotion",
    short_help="Terms: published, listed.",
    rich_help_panel=CAGE,
)
app.add_typer(
    promotion_cli.coupons,
    name="coupon",
    short_help="Issue, void, redeem, expire, show.",
    rich_help_panel=CAGE,
)


class CertificateFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    PDF = "pdf"


class Format(StrEnum):
    AUTO = "auto"
    HISTORY = "history"
    EVENTS = "events"


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        from blackjack import ENGINE

        typer.echo(f"pitctl {version('pitledger')}, engine {ENGINE}")
        raise typer.Exit


@app.callback()
def pitctl(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say which it is."),
    ] = False,
) -> None:
    """Settle table games by the filed rules, and show what the filings allow and are worth.

    \b
    Examples:
      pitctl up                         start the local stack; `status` shows it, `down` ends it
      pitctl settle hand.bj             what every wager of a hand is owed, and why
      pitctl settle --json day.jsonl    the same for programs, one record a line
      pitctl simulate --out day.log     a day of twelve tables, played from a seed
      pitctl audit day.log              what is wrong in it
      pitctl rounds --around 22:40      rounds that somebody remembers
      pitctl replay T012-00039          one of them as it happened, owed against paid
      pitctl tail                       rounds and findings as they come
      pitctl report reconciliation      what was counted, what the rounds say, what is left
      pitctl day                        how the gaming day stands, and what is lacking
      pitctl games                      what can be played
      pitctl games skweezit             its paytables, and how a table is set up
      pitctl certify                    exact odds of every wager, and what is misprinted
      pitctl odds bet skweezit          one wager, from a full shoe or what is left of it
      pitctl odds strategy skweezit     how the hand is best played, and what it is worth
      pitctl odds coupon skweezit match_play 25.00    what a coupon costs

    `pitctl COMMAND --help` says more.
    """


@app.command(short_help="Say what every wager is owed, and what was found.", rich_help_panel=GAMES)
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

    Amounts are the player's: +25.00 is due to the player, -25.00 to the house, and
    `difference` is what the player has too much; the amount of a finding is positive
    where the house lost it. A wager that hangs on a card nobody
    read is undetermined, and shows the least and the most that it may be owed.

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


@app.command(
    short_help="Show what can be played, and how a table is set up.", rich_help_panel=GAMES
)
def games(
    game: Annotated[
        str, typer.Argument(metavar="GAME", show_default=False, help="One game, in full.")
    ] = "",
    decks: Annotated[
        int, typer.Option(min=0, show_default=False, help="Only what is filed for so many decks.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Everything, as one JSON list.")] = False,
) -> None:
    """Show what can be played: the filed games, their paytables, rules and settings.

    Without GAME an overview. With GAME all of its paytables with clause and hash, which
    house rules are free and which the filing fixes, the settings with their defaults,
    and how it all is written in a hand history.

    \b
    Exit status:
      0  it is shown
      2  no such game is filed, or not for so many decks

    \b
    Examples:
      pitctl games
      pitctl games half_back
      pitctl games double_action_iii --decks 6
      pitctl games --json
    """
    from pitctl.odds.games import run

    with ending_quietly():
        status = run(game, decks=decks, as_json=json)
    raise typer.Exit(status)


@app.command(
    short_help="Certify the exact odds of every wager, and find what is misprinted.",
    rich_help_panel=GAMES,
)
def certify(
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", show_default=False, help="Only this game; may be repeated."),
    ] = None,
    wager: Annotated[
        str, typer.Option(metavar="WAGER", show_default=False, help="Only this wager.")
    ] = "",
    decks: Annotated[
        int | None, typer.Option(show_default=False, help="Only what is filed for so many decks.")
    ] = None,
    option: Annotated[
        int | None, typer.Option(show_default=False, help="Only this paytable option.")
    ] = None,
    misprints: Annotated[
        bool, typer.Option("--misprints", help="Only what has a misprinted figure.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Every certificate in full, not a line each.")
    ] = False,
    format: Annotated[
        CertificateFormat, typer.Option(help="How the certificates are written.")
    ] = CertificateFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        str,
        typer.Option(
            metavar="FILE", show_default=False, help="Write into FILE, not to standard output."
        ),
    ] = "",
    dated: Annotated[
        str,
        typer.Option(metavar="DATE", show_default=False, help="The date on a PDF: 2026-03-01."),
    ] = "",
) -> None:
    """Certify what every filed wager is worth, exactly, beside what its filing prints.

    For each paytable at each deck count: the probability of every row as a fraction, house
    edge and standard deviation, counted way by way through the evaluators that settle the
    wagers. Every figure that the filing prints gets a verdict: `agrees` (equal to the last
    printed digit, rounded half up), `near` (within 0.1 point), `misprint`, or `not printed`.
    For a misprint the reading that would explain it is searched for.

    A single certificate, or all with --full, is printed with its rows. With --json a list;
    `edge`, `standard_deviation` and probabilities are numbers per unit of the wager.

    \b
    Exit status:
      0  certificates were written, whatever they say
      2  nothing filed fits, or the file cannot be written

    \b
    Examples:
      pitctl certify
      pitctl certify --game skweezit --decks 6
      pitctl certify --misprints --full
      pitctl certify --json | jq '.[] | select(.verdict == "misprint") | .explanation'
      pitctl certify --format pdf --output certificates.pdf
    """
    from pitctl.odds.certify import Choice, run
    from pitctl.odds.choice import CannotChoose

    choice = Choice(
        games=tuple(game or ()),
        wager=wager,
        decks=decks or 0,
        option=option or 0,
        misprints_only=misprints,
    )
    with refusing(CannotChoose):
        if json and format is CertificateFormat.PDF:
            raise CannotChoose("--json and --format pdf contradict each other; choose one")
        form = CertificateFormat.JSON if json else format
        run(choice, form=form.value, full=full, output=output, dated=dated)


@app.command(
    short_help="Judge a log file: totals, findings, planted against found.",
    rich_help_panel=ROUNDS,
)
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
