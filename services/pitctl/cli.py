"""All commands and their help; each imports its work when it is called."""

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
from pitctl.output.help import (
    BOOKS,
    CAGE,
    FLOOR,
    GAMES,
    SURVEILLANCE,
    CommandApp,
    SectionedGroup,
)
from pitctl.stack import simulate_cli, stack_cli

app = CommandApp(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    cls=SectionedGroup,
)


app.add_typer(odds_cli.app, name="odds", rich_help_panel=GAMES)
app.command(short_help="Simulate a day of tables, with faults on request.", rich_help_panel=FLOOR)(
    simulate_cli.simulate
)
stack_cli.add_to(app)
app.add_typer(archive_cli.app)
for name, group, short_help in (
    ("alerts", alerts_cli.app, "List, watch, show and decide alerts."),
    ("case", case_cli.app, "Manage cases: alerts, people, video, deadlines."),
    ("exclude", exclude_cli.app, "Exclude patrons; list and lift exclusions."),
    ("setting", settings_cli.settings, "Set thresholds, priorities and suppressions."),
    ("webhook", settings_cli.webhooks, "Manage alert webhooks."),
):
    app.add_typer(group, name=name, short_help=short_help, rich_help_panel=SURVEILLANCE)
report_cli.add_to(app)
app.add_typer(
    day_cli.app,
    name="day",
    short_help="Show, reconcile and close a gaming day.",
    rich_help_panel=BOOKS,
)
app.add_typer(
    ledger_cli.app,
    name="ledger",
    short_help="List rejected postings; rebuild the ledger.",
    rich_help_panel=BOOKS,
)
cage_cli.add_to(app)
room_cli.add_to(app)
for name, group, short_help in (
    ("slip", slip_cli.app, "Void slips, explain missing ones, enter error slips."),
    ("promotion", promotion_cli.promotions, "Publish and list promotions."),
    ("coupon", promotion_cli.coupons, "Issue, void, redeem, expire and show coupons."),
):
    app.add_typer(group, name=name, short_help=short_help, rich_help_panel=CAGE)


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
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Settle, audit and replay table games; query and operate the Pitledger services.

    \b
    Examples:
      pitctl up                         start the local stack; `pitctl down` stops it
      pitctl status                     show services, lag and findings
      pitctl settle hand.bj             show what every wager of a hand is owed, and why
      pitctl settle --json day.jsonl    the same as JSON lines
      pitctl simulate --out day.log     simulate a day of twelve tables
      pitctl audit day.log              find every error in a log file
      pitctl rounds --around 22:40      search rounds
      pitctl replay T012-00039          replay a round: owed against paid
      pitctl tail                       watch rounds and findings live
      pitctl alerts                     list open alerts
      pitctl report reconciliation      compare counts, rounds and theoretical win
      pitctl day                        show the open items of the gaming day
      pitctl games skweezit             show paytables and house rules of a game
      pitctl certify                    certify exact odds and find misprints in the filings
      pitctl odds strategy skweezit     show the best play of the main game

    Run `pitctl COMMAND --help` for the options, examples and exit statuses of a command.
    """


engine_cli.add_settle_to(app)
filings_cli.add_to(app)
engine_cli.add_audit_to(app)
