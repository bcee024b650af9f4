"""Certificates as JSON has them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from odds.certificates import Certificate, Judged, Verdict
from odds.decimals import decimal, root
from odds.printed import FigureKind, Unit
from pitctl.odds_bet import PLACES, outcome_rows

_KINDS: Final = {
    FigureKind.HOUSE_EDGE: "house edge",
    FigureKind.HIT_RATE: "hit rate",
    FigureKind.TOTAL_HIT_RATE: "total hit rate",
    FigureKind.TOTAL_HIT_PERCENTAGE: "total hit percentage",
    FigureKind.PAYOUT_PERCENTAGE: "payout percentage",
}


def as_data(certificate: Certificate) -> dict[str, Any]:
    """One certificate; shares of a wager are numbers, so that 0.0553 is 5.53 percent."""
    offer = certificate.offer
    paytable, worth = offer.paytable, offer.worth
    edge = certificate.printed_edge
    return {
        "game": offer.filing.game,
        "wager": offer.wagers[0],
        "wagers": list(offer.wagers),
        "title": offer.title,
        "decks": offer.decks,
        "option": paytable.option,
        "outcomes": outcome_rows(worth),
        "hit": str(worth.hit),
        "hit_decimal": decimal(worth.hit, PLACES),
        "edge": decimal(worth.edge, PLACES),
        "edge_fraction": str(worth.edge),
        "standard_deviation": root(worth.variance, PLACES),
        "variance_fraction": str(worth.variance),
        "printed_edge": None if edge is None else decimal(edge.figure.value / 100, PLACES),
        "printed_edge_text": None if edge is None else edge.figure.text,
        "verdict": certificate.verdict.value,
        "explanation": explanation(certificate),
        "figures": [_figure(each) for each in certificate.figures],
        "misprints": len(certificate.misprints),
        "paytable_hash": paytable.hash,
        "filing": paytable.filing,
        "clause": paytable.clause,
    }


def _figure(judged: Judged) -> dict[str, Any]:
    figure = judged.figure
    return {
        "kind": figure.kind.value,
        "outcome": figure.outcome,
        "printed": figure.text,
        "exact": None if judged.exact is None else decimal(judged.exact, PLACES),
        "verdict": judged.verdict.value,
        "explanation": judged.reading.words if judged.reading is not None else "",
        "clause": figure.clause,
    }


def explanation(certificate: Certificate) -> str:
    """All that is to be said against the print, the edge first; nothing if it is right."""
    edge = certificate.printed_edge
    wrong = [each for each in certificate.misprints if each is not edge]
    if edge is not None and edge.verdict in (Verdict.NEAR, Verdict.MISPRINT):
        wrong.insert(0, edge)
    return " ".join(sentence(each) for each in wrong)


def sentence(judged: Judged) -> str:
    """A figure that is not the exact one, in words."""
    reading = judged.reading.words if judged.reading is not None else ""
    if not reading and judged.verdict is Verdict.MISPRINT:
        reading = "no reading explains it"
    end = f": {reading}." if reading else "."
    name = name_of(judged)
    said = f"printed {judged.figure.text}, exact {exact_text(judged)}"
    return f"{name[0].upper()}{name[1:]} {said}{end}"


def name_of(judged: Judged) -> str:
    """What the figure is."""
    kind = _KINDS[judged.figure.kind]
    outcome = judged.figure.outcome
    return f"{kind} of {outcome.replace('_', ' ')}" if outcome else kind


def exact_text(judged: Judged) -> str:
    """The exact figure in the unit of the print, with two digits more than that."""
    exact, figure = judged.exact, judged.figure
    if exact is None:
        return "never"
    places = figure.digits + 2
    if figure.kind.unit is Unit.PERCENT:
        return f"{decimal(exact, places)}%"
    return f"one in {decimal(exact, places):,}"


def percent(value: Fraction, places: int = 3) -> str:
    """A share of the wager as people read it."""
    return f"{decimal(100 * value, places)}%"
