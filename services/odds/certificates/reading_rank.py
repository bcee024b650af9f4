"""Readings, their ranking, and the other printed figures of a filing."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

from msgspec import Struct

from odds.certificates.offer import Offer
from odds.certificates.verdicts import PrintVerdict, compare, exact_value
from odds.printed import FigureKind, PrintedFigure

MONEY: Final = (FigureKind.HOUSE_EDGE, FigureKind.PAYOUT_PERCENTAGE)
"""Kinds that depend on the payouts."""


class MisprintCause(IntEnum):
    """Causes of a misprint, the likeliest first, to rank equally good readings."""

    CUT_OFF = 0
    FILED_ELSEWHERE = 1
    OTHER_PLACE = 2
    OF_THE_PEN = 3
    NEW_ODDS = 4
    UNFILED_PLACE = 5


class FigureReading(Struct, frozen=True):
    """A possible explanation of a misprint.

    `company` is the number of misprints it explains. `change` is the size of the supposed change;
    it orders readings of the same kind.
    """

    words: str
    verdict: PrintVerdict
    slip: MisprintCause
    company: int = 1
    change: Fraction = Fraction()

    @property
    def likelihood(self) -> tuple[bool, int, int]:
        """The smallest is the likeliest: exact before close, then the slip, then company."""
        return self.verdict is not PrintVerdict.AGREES, self.slip, -self.company


class PrintedFigures(Struct, frozen=True, dict=True):
    """Everything a filing prints, offer by offer."""

    by_offer: Mapping[Offer, tuple[PrintedFigure, ...]]

    @cached_property
    def wrong(self) -> dict[Offer, list[PrintedFigure]]:
        """The misprints among them."""
        return {
            offer: [
                figure
                for figure in printed_figures
                if compare(figure, exact_value(figure.kind, figure.outcome, offer.worth))
                is PrintVerdict.MISPRINT
            ]
            for offer, printed_figures in self.by_offer.items()
        }

    def has(self, offer: Offer, figure: PrintedFigure) -> bool:
        """Whether the same figure is printed for this offer."""
        stated = figure.kind, figure.outcome, figure.value, figure.digits
        return any(
            (printed.kind, printed.outcome, printed.value, printed.digits) == stated
            for printed in self.by_offer[offer]
        )

    def spoiled_with(self, offer: Offer, kind: FigureKind) -> list[tuple[Offer, PrintedFigure]]:
        """Misprints of one kind under the same odds, at whatever deck count."""
        return [
            (other, figure)
            for other, printed_figures in self.wrong.items()
            if other.pays_like(offer)
            for figure in printed_figures
            if figure.kind is kind
        ]


def decks_in_words(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"
