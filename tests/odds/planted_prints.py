"""Certificates of filings with other printed figures."""

from __future__ import annotations

from fractions import Fraction

from msgspec import structs

from blackjack.rulebook.filings import FILINGS
from odds.certificates import JudgedFigure, certify
from odds.printed import PRINTED, FigureKind, PrintedFigure, parse_figure

Place = tuple[str, str, int, int]
"""Game, wager, decks, option."""

EDGE = FigureKind.HOUSE_EDGE


def judged_with(
    place: Place,
    kind: FigureKind,
    text: str,
    *also: tuple[Place, FigureKind, str],
    outcome: str = "",
) -> JudgedFigure:
    """The judgement on a figure that is printed as `text`, with others printed otherwise too."""
    game = place[0]
    printed_figures = PRINTED[game]
    for where, what, printed in ((place, kind, text), *also):
        printed_figures = tuple(
            _replaced(figure, where, what, printed, outcome) for figure in printed_figures
        )
    for certificate in certify({game: FILINGS[game]}, {game: printed_figures}):
        offer = certificate.offer
        if place[1] in offer.wagers and (offer.decks, offer.paytable.option) == place[2:]:
            return next(
                judgment for judgment in certificate.judged if _is(judgment.figure, kind, outcome)
            )
    raise LookupError(place)


def _replaced(
    figure: PrintedFigure, place: Place, kind: FigureKind, text: str, outcome: str
) -> PrintedFigure:
    _, wager, decks, option = place
    here = wager in figure.wagers and figure.decks == decks and figure.option == option
    if not (here and _is(figure, kind, outcome)):
        return figure
    value, digits = parse_figure(kind, text)
    return structs.replace(figure, text=text, value=value, digits=digits)


def _is(figure: PrintedFigure, kind: FigureKind, outcome: str) -> bool:
    return figure.kind is kind and (figure.outcome or "") == outcome


def percent(value: Fraction) -> str:
    """A percentage as filings print it, to three digits after the point.

    >>> percent(Fraction("9.2352"))
    '9.235%'
    """
    return f"{float(value):.3f}%"
