"""`pitctl odds`: its commands and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import report_errors
from pitctl.output.help import CommandApp

USUAL_DECKS = 6
"""Filed for every game."""

app = CommandApp(no_args_is_help=True, help="Compute the odds of a wager, a hand or a coupon.")

Game = Annotated[str, typer.Argument(metavar="GAME", help="Game; `pitctl games` lists all games.")]
Decks = Annotated[int, typer.Option(metavar="N", help="Number of decks.")]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="WORDS",
        show_default=False,
        help="House rule as `pitctl games GAME` writes it; repeatable.",
    ),
]
Without = Annotated[
    str, typer.Option(metavar="CARDS", show_default=False, help="Cards that have left the shoe.")
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@app.command(short_help="Compute a side bet from any shoe.")
def bet(
    game: Game,
    wager: Annotated[
        str,
        typer.Argument(
            metavar="WAGER", show_default=False, help="Side bet, if the game has several."
        ),
    ] = "",
    decks: Decks = USUAL_DECKS,
    option: Annotated[int, typer.Option(metavar="N", help="Paytable option.")] = 1,
    rule: Rules = None,
    shoe: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            show_default=False,
            help="Remaining cards: `AS 3xKD 7C=2`, or 52 counts from ace of clubs on.",
        ),
    ] = "",
    without: Without = "",
    json: Json = False,
) -> None:
    """Compute the exact edge and variance of a side bet, from a full shoe or a partly dealt one.

    The odds are those before the deal, from the remaining cards. Dead Man's Hand includes splits
    and resplits as the house rules allow them.

    \b
    Exit status:
      0  the odds are shown
      2  invalid arguments: not filed, or an impossible shoe

    \b
    Examples:
      pitctl odds bet skweezit --decks 8
      pitctl odds bet double_action_iii match_madness --option 2 --without "AS AH KD 5x2C"
      pitctl odds bet match_madness match_me --decks 1 --shoe "4C 4D 4H 4S 9C 9D KS"
      pitctl odds bet half_back --decks 8 --option 3 --json
    """
    from odds.shoe import NotAShoe, TooFewCards
    from pitctl.errors import InvalidArgument
    from pitctl.odds.bet import run

    with report_errors(InvalidArgument, NotAShoe, TooFewCards):
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


@app.command(short_help="Show the best play of the main game.")
def strategy(
    game: Game,
    decks: Decks = USUAL_DECKS,
    rule: Rules = None,
    without: Without = "",
    hand: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            show_default=False,
            help="Show these two cards only, with the value of each move.",
        ),
    ] = "",
    up: Annotated[
        str,
        typer.Option(metavar="CARD", show_default=False, help="Show this up card only."),
    ] = "",
    json: Json = False,
) -> None:
    """Show the best play of the main game: edge, deviation and a chart.

    Computed by combinatorial analysis of every possible hand (docs/main-game.md): at once for
    filed games with standard house rules, in seconds for others. --hand and --up show the value
    of each move on two cards, in main wagers, after the peek. --json adds every starting hand,
    totals of three and more cards, the distribution of results and the effects of removal.

    \b
    Exit status:
      0  the strategy is shown
      2  invalid arguments: not filed, not allowed, or impossible cards

    \b
    Examples:
      pitctl odds strategy skweezit --decks 8 --rule "dealer hits soft 17"
      pitctl odds strategy half_back
      pitctl odds strategy skweezit --hand "T 6" --up T --rule "late surrender"
      pitctl odds strategy skweezit --without "5x5S 3x6H" --json
    """
    from odds.main_game import NoMainGame, NotPlayable, NotRankCounts, ShoeTooSmall
    from pitctl.errors import InvalidArgument
    from pitctl.odds.strategy import run

    with report_errors(InvalidArgument, NoMainGame, NotRankCounts, NotPlayable, ShoeTooSmall):
        run(
            game,
            decks=decks,
            rules=rule or (),
            without=without,
            hand=hand,
            up=up,
            as_json=json,
        )


@app.command(short_help="Compute the cost of a coupon.")
def coupon(
    game: Game,
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="One of match_play, free_bet, free_ace, hand_bonus."),
    ],
    face: Annotated[
        str,
        typer.Argument(
            metavar="FACE",
            show_default=False,
            help="Face value, such as 25.00; a free ace has none.",
        ),
    ] = "0.00",
    wager: Annotated[
        str, typer.Option(metavar="WAGER", help="Wager that the coupon lies beside.")
    ] = "main",
    decks: Decks = USUAL_DECKS,
    option: Annotated[
        int | None,
        typer.Option(
            metavar="N", show_default=False, help="Paytable option of a side bet; default: 1."
        ),
    ] = None,
    rule: Rules = None,
    term: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORDS",
            show_default=False,
            help="Term as in docs/hand-history.md, such as `natural pays 3 to 2`; repeatable.",
        ),
    ] = None,
    stake: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            show_default=False,
            help="Chips beside the coupon; default: its face value.",
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Compute the average cost of a coupon to the house, until it is used.

    The hand beside a match play is played as is best for its chips; after a split the coupon
    stays with the first hand. A free bet is only hit or stood, as is best for the coupon. A free
    ace costs the winnings that it adds to the wager beside it.

    \b
    Exit status:
      0  the cost is shown
      2  invalid arguments: not filed, or the coupon has no cost there

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
    from pitctl.errors import InvalidArgument
    from pitctl.odds.coupon import run

    with report_errors(InvalidArgument, NoCost, NoMainGame):
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
