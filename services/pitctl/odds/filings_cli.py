"""Commands on the filed games: games and certify."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.output.exit import exit_quietly, report_errors
from pitctl.output.help import GAMES


class CertificateFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    PDF = "pdf"


def add_to(app: typer.Typer) -> None:
    app.command(short_help="Show filed games, paytables and house rules.", rich_help_panel=GAMES)(
        games
    )
    app.command(
        short_help="Certify exact odds, and find misprints in filings.",
        rich_help_panel=GAMES,
    )(certify)


def games(
    game: Annotated[
        str, typer.Argument(metavar="GAME", show_default=False, help="Game to show in full.")
    ] = "",
    decks: Annotated[
        int, typer.Option(metavar="N", min=0, show_default=False, help="Only this number of decks.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show filed games: paytables, house rules and settings.

    Without GAME, lists all games. With GAME, shows its paytables with clause and hash, its house
    rules and which of them the filing fixes, its settings with their defaults, and the lines of
    a hand history that select them.

    \b
    Exit status:
      0  the games are shown
      2  invalid arguments: the game is not filed, or not for this number of decks

    \b
    Examples:
      pitctl games
      pitctl games half_back
      pitctl games double_action_iii --decks 6
      pitctl games --json
    """
    from pitctl.odds.games import run

    with exit_quietly():
        status = run(game, decks=decks, as_json=json)
    raise typer.Exit(status)


def certify(
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", show_default=False, help="Only this game; repeatable."),
    ] = None,
    wager: Annotated[
        str, typer.Option(metavar="WAGER", show_default=False, help="Only this wager.")
    ] = "",
    decks: Annotated[
        int | None,
        typer.Option(metavar="N", show_default=False, help="Only this number of decks."),
    ] = None,
    option: Annotated[
        int | None, typer.Option(metavar="N", show_default=False, help="Only this paytable option.")
    ] = None,
    misprints: Annotated[
        bool, typer.Option("--misprints", help="Only certificates with misprints.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Print every certificate in full.")] = False,
    format: Annotated[
        CertificateFormat, typer.Option(help="Output format.")
    ] = CertificateFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        str,
        typer.Option(
            metavar="FILE", show_default=False, help="Write to FILE instead of standard output."
        ),
    ] = "",
    dated: Annotated[
        str,
        typer.Option(metavar="DATE", show_default=False, help="Date on a PDF: YYYY-MM-DD."),
    ] = "",
) -> None:
    """Certify the exact odds of every filed wager, and compare them with the printed ones.

    Computes, for each paytable and number of decks, the exact probability of every row, the house
    edge and the standard deviation, with the evaluators that settle the wagers. Every printed
    figure gets a verdict: `agrees` (equal to the last printed digit, rounded half up), `near`
    (within 0.1 point), `misprint`, or `not printed`. A misprint comes with its most likely
    explanation.

    A single certificate, or all with --full, is printed with its rows. In JSON `edge`,
    `standard_deviation` and probabilities are numbers per unit of the wager.

    \b
    Exit status:
      0  certificates are written, with or without misprints
      2  invalid arguments: nothing filed matches, or the file cannot be written

    \b
    Examples:
      pitctl certify
      pitctl certify --game skweezit --decks 6
      pitctl certify --misprints --full
      pitctl certify --json | jq '.[] | select(.verdict == "misprint") | .explanation'
      pitctl certify --format pdf --output certificates.pdf
    """
    from pitctl.errors import InvalidArgument
    from pitctl.odds.certify import CertificateChoice, run

    choice = CertificateChoice(
        games=tuple(game or ()),
        wager=wager,
        decks=decks or 0,
        option=option or 0,
        misprints_only=misprints,
    )
    with report_errors(InvalidArgument):
        if json and format is CertificateFormat.PDF:
            raise InvalidArgument("--json and --format pdf contradict each other; choose one")
        form = CertificateFormat.JSON if json else format
        run(choice, form=form.value, full=full, output=output, dated=dated)
