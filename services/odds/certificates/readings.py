"""Readings: possible explanations of a misprint.

They are searched for, not known, and a reading that could explain any figure explains none:
odds that are fitted to one figure alone count only where a whole unit more or less would show
plainly in print. A slip in a paytable is looked for in all printed figures of the
same odds, since it would have spoiled most of them; a figure from elsewhere is looked for in
the company of the others beside it, since a copyist copies the whole block. Where several
readings explain a figure equally well, all are named, and where many do, none is.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from odds.certificates.fitted_odds import other_odds
from odds.certificates.offer import Offer
from odds.certificates.pen_slips import pen_slips
from odds.certificates.reading_rank import (
    MONEY,
    FigureReading,
    MisprintCause,
    PrintedFigures,
    decks_in_words,
)
from odds.certificates.verdicts import PrintVerdict, compare, exact_value
from odds.printed import PrintedFigure

DECKS: Final = range(1, 9)
"""Deck counts that a figure may have been computed for."""

EQUALS_MAX: Final = 3
"""Readings that explain a figure equally well and are named; with more, none is evidence."""


def explain(offer: Offer, figure: PrintedFigure, stated: PrintedFigures) -> FigureReading | None:
    """The best reading of a figure that does not agree, if there is one."""
    readings = [*pen_slips(offer, figure)]
    if figure in stated.wrong[offer]:
        readings.extend(_other_deck_counts(offer, figure, stated))
        readings.extend(_other_wagers(offer, figure, stated))
        if figure.kind in MONEY:
            readings.extend(_other_options(offer, figure, stated))
            readings.extend(other_odds(offer, figure, stated))
    else:
        readings = [reading for reading in readings if reading.slip is MisprintCause.CUT_OFF]
    return _best(readings)


def _best(readings: list[FigureReading]) -> FigureReading | None:
    """The likeliest; those that are as likely are named beside it."""
    ranked = sorted(readings, key=lambda each: (*each.likelihood, each.change, each.words))
    equals = [reading for reading in ranked if reading.likelihood == ranked[0].likelihood]
    if not equals or len(equals) > EQUALS_MAX:
        return None
    first = equals[0]
    words = "; or ".join(reading.words for reading in equals)
    return FigureReading(words, first.verdict, first.slip, first.company, first.change)


def _other_deck_counts(
    offer: Offer, figure: PrintedFigure, stated: PrintedFigures
) -> Iterator[FigureReading]:
    """The exact figure of the same paytable at another deck count, or the one printed there."""
    found: list[tuple[int, bool, int, int]] = []
    for decks in DECKS:
        if decks != offer.decks:
            fits = {
                wrong: exactly
                for wrong in stated.wrong[offer]
                if (exactly := _is_figure_at(offer, wrong, decks, stated)) is not None
            }
            if figure in fits:
                found.append((-len(fits), not fits[figure], abs(decks - offer.decks), decks))
    if not found:
        return
    company, printed_only, _, decks = min(found)
    which = "the figure printed, itself not exact," if printed_only else "the figure"
    filed = decks in offer.filing.decks
    yield FigureReading(
        words=f"it is {which} for {decks_in_words(decks)}",
        verdict=PrintVerdict.AGREES,
        slip=MisprintCause.OTHER_PLACE if filed else MisprintCause.UNFILED_PLACE,
        company=-company,
    )


def _is_figure_at(
    offer: Offer, figure: PrintedFigure, decks: int, stated: PrintedFigures
) -> bool | None:
    """True for the exact figure of that deck count, False for its printed one, else None."""
    exact = exact_value(figure.kind, figure.outcome, offer.worth_at(decks))
    if compare(figure, exact) is PrintVerdict.AGREES:
        return True
    for other in stated.by_offer:
        same = other.wagers == offer.wagers and other.decks == decks
        option = other.paytable.option == offer.paytable.option or figure.kind not in MONEY
        if same and option and stated.has(other, figure):
            return False
    return None


def _other_options(
    offer: Offer, figure: PrintedFigure, stated: PrintedFigures
) -> Iterator[FigureReading]:
    """The figure of another paytable of the same wager, at this deck count or, exact, another."""
    for other in stated.by_offer:
        if other.wagers != offer.wagers or other.pays_like(offer):
            continue
        here = other.decks == offer.decks
        if _agrees(figure, other) or (here and stated.has(other, figure)):
            place = "" if here else f" with {decks_in_words(other.decks)}"
            yield FigureReading(
                words=f"it is the figure for option {other.paytable.option}{place}",
                verdict=PrintVerdict.AGREES,
                slip=MisprintCause.OTHER_PLACE,
                change=Fraction(abs(other.decks - offer.decks)),
            )


def _other_wagers(
    offer: Offer, figure: PrintedFigure, stated: PrintedFigures
) -> Iterator[FigureReading]:
    """The figure of another wager of the game at this deck count."""
    if figure.outcome is not None:
        return
    titles = {
        f"{other.title}, option {other.paytable.option}" if figure.kind in MONEY else other.title
        for other in stated.by_offer
        if other.wagers != offer.wagers and other.decks == offer.decks and _agrees(figure, other)
    }
    for title in sorted(titles):
        yield FigureReading(
            f"it is the figure of {title}", PrintVerdict.AGREES, MisprintCause.OTHER_PLACE
        )


def _agrees(figure: PrintedFigure, other: Offer) -> bool:
    exact = exact_value(figure.kind, figure.outcome, other.worth)
    return compare(figure, exact) is PrintVerdict.AGREES
