"""Certificates in words: names, numbers and verdicts, the same in every output format."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from odds.certificates.certificate import Certificate, JudgedFigure
from odds.certificates.verdicts import PrintVerdict
from odds.decimals import decimal, root
from odds.printed import FigureKind, Unit

UNEXPLAINED: Final = "no reading explains it"
_KINDS: Final = {
    FigureKind.HOUSE_EDGE: "house edge",
    FigureKind.HIT_RATE: "hit rate",
    FigureKind.TOTAL_HIT_RATE: "total hit rate",
    FigureKind.TOTAL_HIT_PERCENTAGE: "total hit percentage",
    FigureKind.PAYOUT_PERCENTAGE: "payout percentage",
}


def title_of(certificate: Certificate) -> str:
    """The game and the wager."""
    offer = certificate.offer
    return f"{offer.filing.title}: {offer.title}"


def source_of(certificate: Certificate) -> str:
    """The filing's title, clause and file of the paytable."""
    paytable = certificate.offer.paytable
    return f"{certificate.offer.filing.title}, {paytable.clause} (file {paytable.filing})"


def summary_cells(certificate: Certificate) -> tuple[str, ...]:
    """Decks, option, exact edge, deviation, hit, printed edge, verdict, other misprints."""
    offer, edge = certificate.offer, certificate.printed_edge
    return (
        str(offer.decks),
        str(offer.paytable.option),
        percent(offer.worth.edge),
        str(root(offer.worth.variance, 3)),
        percent(offer.worth.hit),
        edge.figure.text if edge is not None else "–",
        certificate.verdict.value,
        ", ".join(_others(certificate)),
    )


def _others(certificate: Certificate) -> Iterator[str]:
    """The numbers of misprinted and near values beside the edge."""
    others = [judgment for judgment in certificate.off if judgment is not certificate.printed_edge]
    for verdict in (PrintVerdict.MISPRINT, PrintVerdict.NEAR):
        count = sum(judgment.verdict is verdict for judgment in others)
        if count:
            yield f"{count} {'misprinted' if verdict is PrintVerdict.MISPRINT else 'near'}"


def worst_of(certificate: Certificate) -> PrintVerdict:
    """The worst verdict on any figure, so that a reader cannot overlook it."""
    if certificate.misprints:
        return PrintVerdict.MISPRINT
    return PrintVerdict.NEAR if certificate.off else certificate.verdict


def explanation(certificate: Certificate) -> str:
    """Every difference from the print, the edge first; empty if the print is exact."""
    edge = certificate.printed_edge
    off = sorted(certificate.off, key=lambda judgment: judgment is not edge)
    return " ".join(_sentence(judgment) for judgment in off)


def _sentence(judged: JudgedFigure) -> str:
    """A figure that is not the exact one."""
    explained = judged.reading is not None or judged.verdict is PrintVerdict.MISPRINT
    end = f": {reading_of(judged)}." if explained else "."
    name = name_of(judged)
    comparison = f"printed {judged.figure.text}, exact {exact_text(judged)}"
    return f"{name[0].upper()}{name[1:]} {comparison}{end}"


def reading_of(judged: JudgedFigure) -> str:
    """The explanation of a figure, or that there is none; a near figure needs none."""
    if judged.reading is not None:
        return judged.reading.words
    return UNEXPLAINED if judged.verdict is PrintVerdict.MISPRINT else "near"


def name_of(judged: JudgedFigure) -> str:
    """The name of the figure."""
    kind = _KINDS[judged.figure.kind]
    outcome = judged.figure.outcome
    return f"{kind} of {outcome.replace('_', ' ')}" if outcome else kind


def exact_text(judged: JudgedFigure) -> str:
    """The exact figure in the unit of the print, with two digits more than that."""
    exact, figure = judged.exact, judged.figure
    if exact is None:
        return "never"
    places = figure.digits + 2
    if figure.kind.unit is Unit.PERCENT:
        return f"{decimal(exact, places):f}%"
    return f"one in {decimal(exact, places):,}"


def percent(value: Fraction, places: int = 3) -> str:
    """A share of the wager as people read it."""
    return f"{decimal(100 * value, places):f}%"
