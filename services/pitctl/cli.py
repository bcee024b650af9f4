"""The commands and their help; each imports its work when it is called."""

from __future__ import annotations

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
from pitctl.engine import engine_cli
from pitctl.odds import filings_cli, odds_cli
from pitctl.output.help_sections import BOOKS, CAGE, FLOOR, GAMES, SURVEILLANCE, Sectioned
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


engine_cli.add_settle_to(app)
filings_cli.add_to(app)
engine_cli.add_audit_to(app)
