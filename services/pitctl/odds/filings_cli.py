"""Commands on the filed games: games and certify."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pitctl.output.exit import ending_quietly, refusing
from pitctl.output.help_sections import GAMES


class CertificateFormat(StrEnum):
    TABLE = "table"
    JSON = "json"
    PDF = "pdf"


def add_to(app: typer.Typer) -> None:
    app.command(
        short_help="Show what can be played, and how a table is set up.", rich_help_panel=GAMES
    )(games)
    app.command(
        short_help="Certify the exact odds of every wager, and find what is misprinted.",
        rich_help_panel=GAMES,
    )(certify)


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
