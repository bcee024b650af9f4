"""Certificates as JSON has them."""

from __future__ import annotations

from typing import Any

from odds.certificates import Certificate, JudgedFigure
from odds.certificates.words import explanation
from odds.decimals import decimal
from pitctl.odds.worth_page import worth_data
from pitctl.output.json_out import PLACES


def as_data(certificate: Certificate) -> dict[str, Any]:
    """One certificate. `exact` of a figure is in the unit of the print, all else per wager."""
    offer = certificate.offer
    edge = certificate.printed_edge
    return {
        "game": offer.filing.game,
        "wager": offer.wagers[0],
        "wagers": list(offer.wagers),
        "title": offer.title,
        "decks": offer.decks,
        "option": offer.paytable.option,
        **worth_data(offer.worth),
        "printed_edge": None if edge is None else decimal(edge.figure.value / 100, PLACES),
        "printed_edge_text": None if edge is None else edge.figure.text,
        "verdict": certificate.verdict.value,
        "explanation": explanation(certificate),
        "printed_figures": [_figure(judged) for judged in certificate.judged],
        "misprints": len(certificate.misprints),
        "paytable_hash": offer.paytable.hash,
        "filing": offer.paytable.filing,
        "clause": offer.paytable.clause,
    }


def _figure(judged: JudgedFigure) -> dict[str, Any]:
    figure = judged.figure
    return {
        "kind": figure.kind.value,
        "outcome": figure.outcome,
        "unit": figure.kind.unit.value,
        "printed": figure.text,
        "exact": None if judged.exact is None else decimal(judged.exact, PLACES),
        "verdict": judged.verdict.value,
        "explanation": judged.reading.words if judged.reading is not None else "",
        "clause": figure.clause,
    }
