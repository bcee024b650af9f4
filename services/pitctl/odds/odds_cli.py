"""`pitctl odds`: its commands and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import refusing

USUAL_DECKS = 6
"""Filed for every game."""

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="What a wager, a hand or a coupon is worth.",
)

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game; `pitctl games` lists them.")]
Decks = Annotated[int, typer.Option(help="Decks that the table plays with.")]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="WORDS",
        show_default=False,
        help="A house rule in the words of `pitctl games GAME`; may be repeated.",
    ),
]
Without = Annotated[
    str, typer.Option(metavar="CARDS", show_default=False, help="Cards that have left the shoe.")
]
Json = Annotated[bool, typer.Option("--json", help="As one JSON object, for programs.")]


@app.command(short_help="A side bet from a full shoe, or from what is left of one.")
def bet(
    game: Game,
    wager: Annotated[
        str,
        typer.Argument(metavar="WAGER", show_default=False, help="Needed if the game has several."),
    ] = "",
    decks: Decks = USUAL_DECKS,
    option: Annotated[int, typer.Option(help="Paytable option.")] = 1,
    rule: Rules = None,
    shoe: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            show_default=False,
            help="What is left: `AS 3xKD 7C=2`, or 52 counts from ace of clubs to king of spades.",
        ),
    ] = "",
    without: Without = "",
    json: Json = False,
) -> None:
    """Say what one unit on a side bet is worth, exactly: from a full shoe or any other.

    Edge and variance are exact for the cards that are left before the deal. Dead Man's Hand
    is followed through splits and resplits as the house rules allow them.

    \b
    Exit status:
      0  said
      2  not filed, or no such shoe

    \b
    Examples:
      pitctl odds bet skweezit --decks 8
      pitctl odds bet double_action_iii match_madness --option 2 --without "AS AH KD 5x2C"
      pitctl odds bet match_madness match_me --decks 1 --shoe "4C 4D 4H 4S 9C 9D KS"
      pitctl odds bet half_back --decks 8 --option 3 --json
    """
    from odds.shoe import NotAShoe, TooFewCards
    from pitctl.odds.bet import run
    from pitctl.odds.choice import CannotChoose

    with refusing(CannotChoose, NotAShoe, TooFewCards):
        run(
            game,
            wager,
            decks=decks,
            option=option,
            rules=rule or (),
            shoe=shoe,
            without=without,
            as_json=json,
        )


@app.command(short_help="How the hand is best played, and what it is worth.")
def strategy(
    game: Game,
    decks: Decks = USUAL_DECKS,
    rule: Rules = None,
    without: Without = "",
    hand: Annotated[
        str,
        typer.Option(
            metavar="CARDS", show_default=False, help="Only these two cards, with all values."
        ),
    ] = "",
    up: Annotated[
        str,
        typer.Option(metavar="CARD", show_default=False, help="Only against this up card."),
    ] = "",
    json: Json = False,
) -> None:
    """Show best play of the main game by the house's rules: edge, deviation and a chart.

    By combinatorial analysis of every hand that can be dealt (docs/main-game.md). Filed games
    with standard house rules are kept and shown at once; others are worked out in seconds.
    With --hand or --up the value of each move on two cards, in main wagers, once the dealer
    has no blackjack. With --json also every start, totals of three and more cards, the
    distribution of results and what a card less in the shoe changes.

    \b
    Exit status:
      0  said
      2  not filed, not allowed, or no such cards

    \b
    Examples:
      pitctl odds strategy skweezit --decks 8 --rule "dealer hits soft 17"
      pitctl odds strategy half_back
      pitctl odds strategy skweezit --hand "T 6" --up T --rule "late surrender"
      pitctl odds strategy skweezit --without "5x5S 3x6H" --json
    """
    from odds.main_game import NoMainGame, NotAShoe, NotPlayable, ShoeTooSmall
    from pitctl.odds.choice import CannotChoose
    from pitctl.odds.strategy import run

    with refusing(CannotChoose, NoMainGame, NotAShoe, NotPlayable, ShoeTooSmall):
        run(
            game,
            decks=decks,
            rules=rule or (),
            without=without,
            hand=hand,
            up=up,
            as_json=json,
        )


@app.command(short_help="What it costs to hand out a coupon.")
def coupon(
    game: Game,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="match_play, free_bet, free_ace or hand_bonus.")
    ],
    face: Annotated[
        str,
        typer.Argument(
            metavar="FACE",
            show_default=False,
            help="Its face value, as in 25.00; a free ace has none.",
        ),
    ] = "0.00",
    wager: Annotated[str, typer.Option(metavar="WAGER", help="What it lies beside.")] = "main",
    decks: Decks = USUAL_DECKS,
    option: Annotated[
        int | None,
        typer.Option(show_default=False, help="Paytable option of a side bet; 1 if not said."),
    ] = None,
    rule: Rules = None,
    term: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORDS",
            show_default=False,
            help="A term in the words of docs/hand-history.md, as in `natural pays 3 to 2`; "
            "may be repeated.",
        ),
    ] = None,
    stake: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT", show_default=False, help="Chips beside it; its face if not said."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Say what a coupon costs the house by its terms: winnings paid until it is spent.

    A match play is played as is best for the chips beside it and stays with the first hand;
    a free bet is hit or stood on as is best for the coupon; a free ace costs what the wager
    beside it then wins more.

    \b
    Exit status:
      0  said
      2  not filed, or such a coupon costs nothing there

    \b
    Examples:
      pitctl odds coupon skweezit match_play 25.00
      pitctl odds coupon skweezit free_bet 10.00 --term "push lost"
      pitctl odds coupon half_back free_ace --stake 25.00 --decks 8
      pitctl odds coupon double_action_iii hand_bonus 50.00 --wager double_action \\
        --term "outcome straight_flush"
    """
    from odds.coupons import NoCost
    from odds.main_game import NoMainGame
    from pitctl.odds.choice import CannotChoose
    from pitctl.odds.coupon import run

    with refusing(CannotChoose, NoCost, NoMainGame):
        run(
            game,
            kind,
            face,
            wager=wager,
            decks=decks,
            option=option,
            rules=rule or (),
            terms=term or (),
            stake=stake,
            as_json=json,
        )
