"""Certificates: the exact odds of a filed wager beside the printed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from blackjack.rulebook.filings import FILINGS, Filing
from odds.certificates.offer import Offer, offers
from odds.certificates.reading_rank import FigureReading, PrintedFigures
from odds.certificates.readings import explain
from odds.certificates.verdicts import PrintVerdict, compare, exact_value
from odds.printed import PRINTED, FigureKind, PrintedFigure, printed_figures_for


class JudgedFigure(Struct, frozen=True):
    """A printed figure, the exact one in the same unit, the verdict and a possible reading."""

    figure: PrintedFigure
    exact: Fraction | None
    verdict: PrintVerdict
    reading: FigureReading | None


class Certificate(Struct, frozen=True):
    """An offer with a judgement on every figure that its filing prints of it."""

    offer: Offer
    judged: tuple[JudgedFigure, ...]

    @property
    def printed_edge(self) -> JudgedFigure | None:
        """The judgement on the house edge, where one is printed."""
        for judgment in self.judged:
            if judgment.figure.kind is FigureKind.HOUSE_EDGE:
                return judgment
        return None

    @property
    def verdict(self) -> PrintVerdict:
        """The verdict on the printed house edge; each other figure has its own."""
        edge = self.printed_edge
        return edge.verdict if edge is not None else PrintVerdict.NOT_PRINTED

    @property
    def off(self) -> tuple[JudgedFigure, ...]:
        """Every figure that is not the exact one to its last digit, near ones among them."""
        return tuple(
            judgment for judgment in self.judged if judgment.verdict is not PrintVerdict.AGREES
        )

    @property
    def misprints(self) -> tuple[JudgedFigure, ...]:
        """Every figure that is printed wrong, the edge among them."""
        return tuple(
            judgment for judgment in self.judged if judgment.verdict is PrintVerdict.MISPRINT
        )


def certify(
    filings: Mapping[str, Filing] = FILINGS,
    printed: Mapping[str, tuple[PrintedFigure, ...]] = PRINTED,
) -> Iterator[Certificate]:
    """A certificate for every paytable at every deck count it is filed for."""
    for filing in filings.values():
        print_of = PrintedFigures(
            {offer: _printed_figures(offer, printed) for offer in offers(filing)}
        )
        for offer, printed_figures in print_of.by_offer.items():
            yield Certificate(
                offer, tuple(_judged(offer, figure, print_of) for figure in printed_figures)
            )


def _printed_figures(
    offer: Offer, printed: Mapping[str, tuple[PrintedFigure, ...]]
) -> tuple[PrintedFigure, ...]:
    """The print for the first of its wagers: wagers that share a paytable share the print."""
    chosen = offer.filing.game, offer.wagers[0], offer.decks, offer.paytable.option
    return printed_figures_for(*chosen, printed)


def _judged(offer: Offer, figure: PrintedFigure, print_of: PrintedFigures) -> JudgedFigure:
    exact = exact_value(figure.kind, figure.outcome, offer.worth)
    verdict = compare(figure, exact)
    reading = None if verdict is PrintVerdict.AGREES else explain(offer, figure, print_of)
    return JudgedFigure(figure, exact, verdict, reading)
