"""Readings: what a filing may have meant by a figure that is wrong.

They are searched for, not known. Three slips explain most misprints: a figure that was cut
off instead of rounded, one that belongs to another deck count or option, and one that was
worked out with other odds in one row of the paytable. A slip in a paytable is looked for in
all figures that are printed for the same odds, since it would have spoiled them all; a
figure from elsewhere is looked for in the company of the others beside it, since whoever
copies takes the whole block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Final

from msgspec import Struct

from blackjack.money import Odds
from odds.certificates.offer import Offer
from odds.certificates.verdicts import Verdict, compare, exact_value
from odds.printed import FigureKind, PrintedFigure
from odds.worth import RowChance, ratio

MONEY: Final = (FigureKind.HOUSE_EDGE, FigureKind.PAYOUT_PERCENTAGE)
"""Kinds of figures that depend on what is paid."""

DECKS: Final = range(1, 9)
"""Deck counts that a figure may have been worked out for."""

HALVES: Final = 2
"""Filings pay whole units or halves: odds in between are not tried."""

CUT_OFF, FILED_ELSEWHERE, OTHER_PLACE, NEW_ODDS, HALF_ODDS, UNFILED_PLACE = range(6)
"""How likely a slip is, the likeliest first, between readings that explain equally well."""


class Reading(Struct, frozen=True):
    """What would explain a figure; `gap` is what it leaves open, in the figure's unit.

    `company` is how many wrong figures of the block it explains.
    """

    words: str
    verdict: Verdict
    gap: Fraction
    slip: int
    company: int = 1


class Print(Struct, frozen=True, dict=True):
    """Everything a filing prints, offer by offer."""

    figures: Mapping[Offer, tuple[PrintedFigure, ...]]

    @cached_property
    def wrong(self) -> dict[Offer, list[PrintedFigure]]:
        """The misprints among them."""
        return {
            offer: [
                each
                for each in figures
                if compare(each, exact_value(each.kind, each.outcome, offer.worth))
                is Verdict.MISPRINT
            ]
            for offer, figures in self.figures.items()
        }

    def spoiled_with(self, offer: Offer, kind: FigureKind) -> list[tuple[Offer, PrintedFigure]]:
        """Misprints of one kind under the same odds, at whatever deck count."""
        return [
            (other, each)
            for other, figures in self.wrong.items()
            if other.pays_like(offer)
            for each in figures
            if each.kind is kind
        ]


def explain(offer: Offer, figure: PrintedFigure, filing: Print) -> Reading | None:
    """The best reading of a figure that does not agree, if there is one."""
    readings = [*_cut_off(offer, figure)]
    if figure in filing.wrong[offer]:
        readings.extend(_other_deck_counts(offer, figure, filing))
        if figure.kind in MONEY:
            readings.extend(_other_options(offer, figure, filing))
            readings.extend(_other_odds(offer, figure, filing))
    return min(readings, key=_likelihood, default=None)


def _likelihood(reading: Reading) -> tuple[bool, int, int, Fraction, str]:
    inexact = reading.verdict is not Verdict.AGREES
    return inexact, reading.slip, -reading.company, reading.gap, reading.words


def _cut_off(offer: Offer, figure: PrintedFigure) -> Iterator[Reading]:
    exact = exact_value(figure.kind, figure.outcome, offer.worth)
    if exact is not None and Fraction(floor(exact * 10**figure.digits), 10**figure.digits) == (
        figure.value
    ):
        words = "it is the exact figure cut off, not rounded"
        yield Reading(words, Verdict.AGREES, exact - figure.value, CUT_OFF)


def _other_deck_counts(offer: Offer, figure: PrintedFigure, filing: Print) -> Iterator[Reading]:
    """The exact figure of the same paytable at another deck count, or the one printed there."""
    for decks in DECKS:
        if decks == offer.decks:
            continue
        fits = {
            wrong: verb
            for wrong in filing.wrong[offer]
            if (verb := _is_figure_at(offer, wrong, decks, filing)) is not None
        }
        if figure in fits:
            yield Reading(
                words=f"it is {fits[figure]} for {_decks(decks)}",
                verdict=Verdict.AGREES,
                gap=Fraction(abs(decks - offer.decks)),
                slip=OTHER_PLACE if decks in offer.filing.decks else UNFILED_PLACE,
                company=len(fits),
            )


def _is_figure_at(offer: Offer, figure: PrintedFigure, decks: int, filing: Print) -> str | None:
    exact = exact_value(figure.kind, figure.outcome, offer.worth_at(decks))
    if compare(figure, exact) is Verdict.AGREES:
        return "the figure"
    for other, figures in filing.figures.items():
        if other.wagers == offer.wagers and other.decks == decks:
            for each in figures:
                if (each.kind, each.outcome, each.text) == (
                    figure.kind,
                    figure.outcome,
                    figure.text,
                ):
                    return "what is printed, not quite rightly,"
    return None


def _other_options(offer: Offer, figure: PrintedFigure, filing: Print) -> Iterator[Reading]:
    """The exact figure of another paytable of the same wager."""
    for other in filing.figures:
        if other.wagers != offer.wagers or other.pays_like(offer):
            continue
        exact = exact_value(figure.kind, figure.outcome, other.worth)
        if exact is not None and compare(figure, exact) is Verdict.AGREES:
            where = f"option {other.paytable.option} with {_decks(other.decks)}"
            gap = abs(exact - figure.value)
            yield Reading(f"it is the figure for {where}", Verdict.AGREES, gap, OTHER_PLACE)


def _other_odds(offer: Offer, figure: PrintedFigure, filing: Print) -> Iterator[Reading]:
    """One row paid otherwise, in every figure that is printed for these odds."""
    spoiled = filing.spoiled_with(offer, figure.kind)
    for place, row in enumerate(offer.worth.rows):
        filed = {
            each.pays
            for other in filing.figures
            if other.wagers == offer.wagers
            for each in other.worth.rows
            if each.outcome == row.outcome
        }
        for pays in sorted({*_solving(offer, figure, row), *filed} - {row.pays}):
            found = [_paid_otherwise(*each, place, pays) for each in spoiled]
            verdicts = {verdict for verdict, _ in found}
            if Verdict.MISPRINT in verdicts:
                continue
            gap = max(gap for _, gap in found)
            elsewhere = f"; {pays} is filed for it elsewhere" if pays in filed else ""
            yield Reading(
                words=f"{_all_of(spoiled, gap, exactly=verdicts == {Verdict.AGREES})} if "
                f"“{row.label}” paid {pays}, not the filed {row.pays}{elsewhere}",
                verdict=Verdict.AGREES if verdicts == {Verdict.AGREES} else Verdict.NEAR,
                gap=gap,
                slip=_slip(pays, filed),
                company=len(spoiled),
            )


def _slip(pays: Odds, filed: set[Odds]) -> int:
    if pays in filed:
        return FILED_ELSEWHERE
    return NEW_ODDS if pays.stake == 1 else HALF_ODDS


def _solving(offer: Offer, figure: PrintedFigure, row: RowChance) -> Iterator[Odds]:
    """Odds for a row, in whole units or halves, that bring the figure closest to the print."""
    if not row.probability:
        return
    printed = figure.value / 100
    edge = printed if figure.kind is FigureKind.HOUSE_EDGE else 1 - printed
    wanted = HALVES * (ratio(row.pays) + (offer.worth.edge - edge) / row.probability)
    for halves in (floor(wanted), ceil(wanted)):
        if halves >= 0:
            pays = Fraction(halves, HALVES)
            yield Odds(pays.numerator, pays.denominator)


def _paid_otherwise(
    offer: Offer, figure: PrintedFigure, place: int, pays: Odds
) -> tuple[Verdict, Fraction]:
    """How close a figure comes if the row in this place pays these odds."""
    row = offer.worth.rows[place]
    edge = offer.worth.edge - row.probability * (ratio(pays) - ratio(row.pays))
    value = 100 * (edge if figure.kind is FigureKind.HOUSE_EDGE else 1 - edge)
    return compare(figure, value), abs(value - figure.value)


def _all_of(spoiled: list[tuple[Offer, PrintedFigure]], gap: Fraction, *, exactly: bool) -> str:
    """Who agrees, or comes how close, in words; a gap is never understated."""
    within = f"within {ceil(100 * gap) / 100:.2f} points"
    if len(spoiled) == 1:
        return "it agrees" if exactly else f"it comes {within}"
    *most, last = sorted(offer.decks for offer, _ in spoiled)
    those = f"the figures for {', '.join(map(str, most))} and {last} decks all"
    return f"{those} agree" if exactly else f"{those} come {within}"


def _decks(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"
