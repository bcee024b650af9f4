"""Other odds in one row of a paytable: a slip that spoils every figure printed for them.

Some odds can be found for almost any figure, if the row is rare enough: they explain nothing.
So odds count only if they explain two or more, or are filed for the same row elsewhere,
or if the row is so common that one unit more or less moves the figure by many printed digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Final

from msgspec import Struct

from blackjack.money import Odds
from odds.certificates.offer import Offer
from odds.certificates.reading_rank import FigureReading, MisprintCause, PrintedFigures
from odds.certificates.verdicts import PrintVerdict, compare
from odds.printed import FigureKind, PrintedFigure
from odds.worth import RowChance

MOST: Final = Fraction(2, 3)
"""The share of the printed figures for the same odds that a slip in them must explain."""

DIGITS_MOVED: Final = 10
"""Units of the last printed digit that a unit of odds must move, to fit odds to one figure."""


class _Fit(Struct, frozen=True):
    """The deck counts whose print one row with other odds explains."""

    decks: tuple[int, ...]
    exactly: bool
    gap: Fraction


def other_odds(
    offer: Offer, figure: PrintedFigure, stated: PrintedFigures
) -> Iterator[FigureReading]:
    """Readings in which one row pays other odds, if they explain most prints for these odds."""
    spoiled = stated.spoiled_with(offer, figure.kind)
    known = [candidate for candidate in stated.by_offer if candidate.wagers == offer.wagers]
    longest = max(candidate.paytable.top for candidate in known)
    for place, row in enumerate(offer.worth.rows):
        filed = {
            candidate.worth.rows[place].pays
            for candidate in known
            if _has_row(candidate, place, row)
        }
        halves = any(pays.stake > 1 for pays in filed)
        for pays in sorted({*_solving(offer, figure, row, halves=halves), *filed} - {row.pays}):
            if pays.ratio > longest.ratio or not _brings(offer, figure, place, pays):
                continue
            fit = _fit(spoiled, place, pays)
            elsewhere = pays in filed
            if fit is None or not (len(fit.decks) > 1 or _is_evidence(figure, row, elsewhere, fit)):
                continue
            note = f"; {pays} is filed for it elsewhere" if elsewhere else ""
            yield FigureReading(
                words=f"{_all_of(fit)} if “{row.label}” paid {pays}, not the filed "
                f"{row.pays}{note}",
                verdict=PrintVerdict.AGREES if fit.exactly else PrintVerdict.NEAR,
                slip=MisprintCause.FILED_ELSEWHERE if elsewhere else MisprintCause.NEW_ODDS,
                company=len(fit.decks),
                change=abs(pays.ratio - row.pays.ratio) / max(row.pays.ratio, Fraction(1)),
            )


def _has_row(offer: Offer, place: int, row: RowChance) -> bool:
    rows = offer.worth.rows
    return place < len(rows) and rows[place].outcome == row.outcome


def _is_evidence(figure: PrintedFigure, row: RowChance, elsewhere: bool, fit: _Fit) -> bool:
    """Whether odds that explain a single figure are evidence at all."""
    moved = 100 * row.probability * 10**figure.digits
    return fit.exactly and (elsewhere or moved >= DIGITS_MOVED)


def _solving(
    offer: Offer, figure: PrintedFigure, row: RowChance, *, halves: bool
) -> Iterator[Odds]:
    """Odds for a row that bring the figure closest to the print, whole or as it files them."""
    if not row.ways:
        return
    parts = 2 if halves else 1
    printed = figure.value / 100
    edge = printed if figure.kind is FigureKind.HOUSE_EDGE else 1 - printed
    wanted = parts * (row.pays.ratio + (offer.worth.edge - edge) / row.probability)
    for count in (floor(wanted), ceil(wanted)):
        if count > 0:
            pays = Fraction(count, parts)
            yield Odds(pays.numerator, pays.denominator)


def _fit(spoiled: list[tuple[Offer, PrintedFigure]], place: int, pays: Odds) -> _Fit | None:
    """The fit of these odds to the print, if they explain most of the misprints."""
    near = {
        offer.decks: (verdict, gap)
        for offer, figure in spoiled
        for verdict, gap in (_paid_otherwise(offer, figure, place, pays),)
        if verdict is not PrintVerdict.MISPRINT
    }
    if len(near) < MOST * len(spoiled):
        return None
    return _Fit(
        decks=tuple(sorted(near)),
        exactly=all(verdict is PrintVerdict.AGREES for verdict, _ in near.values()),
        gap=max(gap for _, gap in near.values()),
    )


def _brings(offer: Offer, figure: PrintedFigure, place: int, pays: Odds) -> bool:
    return _paid_otherwise(offer, figure, place, pays)[0] is not PrintVerdict.MISPRINT


def _paid_otherwise(
    offer: Offer, figure: PrintedFigure, place: int, pays: Odds
) -> tuple[PrintVerdict, Fraction]:
    """The verdict and the gap of a figure if the row in this place pays these odds."""
    row = offer.worth.rows[place]
    edge = offer.worth.edge - row.probability * (pays.ratio - row.pays.ratio)
    value = 100 * (edge if figure.kind is FigureKind.HOUSE_EDGE else 1 - edge)
    return compare(figure, value), abs(value - figure.value)


def _all_of(fit: _Fit) -> str:
    """The deck counts that agree, or their largest gap, which is never understated."""
    within = f"within {ceil(100 * fit.gap) / 100:.2f} points"
    if len(fit.decks) == 1:
        return "it agrees" if fit.exactly else f"it comes {within}"
    *most, last = fit.decks
    those = f"the printed figures for {', '.join(map(str, most))} and {last} decks all"
    return f"{those} agree" if fit.exactly else f"{those} come {within}"
