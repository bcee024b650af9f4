"""Certificates printed for a person: an overview of many, or one in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.text import Text

from odds.certificates import Certificate, Judged, Verdict
from odds.decimals import root
from pitctl.certificate_data import exact_text, name_of, percent
from pitctl.odds_bet import print_rows
from pitctl.slips import Slip, slips
from pitctl.text import Page, counted

STYLES = {
    Verdict.AGREES: "green",
    Verdict.NEAR: "yellow",
    Verdict.MISPRINT: "bold red",
    Verdict.NOT_PRINTED: "dim",
}
HEADINGS = ("decks", "option", "exact edge", "deviation", "hit", "printed edge", "")


def print_overview(page: Page, certificates: Sequence[Certificate]) -> None:
    """A line for each certificate, and below each wager what its filing prints wrong."""
    for title, group in groupby(certificates, key=_title):
        shown = list(group)
        page.rule(Text(title, "bold"))
        widths = [max(map(len, column)) for column in zip(HEADINGS, *map(_row, shown), strict=True)]
        _put(page, HEADINGS, widths, "dim")
        for each in shown:
            _put(page, _row(each), widths, STYLES[each.verdict])
        page.blank()
        told = list(slips(shown))
        for slip in told:
            page.line(_complaint(slip), indent=2, hang=4)
        if told:
            page.blank()
    _print_sum(page, certificates)


def _title(certificate: Certificate) -> str:
    offer = certificate.offer
    return f"{offer.filing.title}: {offer.title}"


def _row(certificate: Certificate) -> tuple[str, ...]:
    offer = certificate.offer
    edge = certificate.printed_edge
    others = len(certificate.misprints) - (certificate.verdict is Verdict.MISPRINT)
    verdict = certificate.verdict.value
    return (
        str(offer.decks),
        str(offer.paytable.option),
        percent(offer.worth.edge),
        str(root(offer.worth.variance, 3)),
        percent(offer.worth.hit),
        edge.figure.text if edge is not None else "-",
        verdict + (f", {counted(others, 'other misprint')}" if others else ""),
    )


def _put(page: Page, cells: Sequence[str], widths: Sequence[int], style: str) -> None:
    """Numbers to the right, the verdict in its colour."""
    *numbers, verdict = cells
    line = "  ".join(cell.rjust(width) for cell, width in zip(numbers, widths, strict=False))
    page.line(line + "  ", (verdict, style), indent=2)


def _complaint(slip: Slip) -> str:
    deck = "deck" if slip.decks == (1,) else "decks"
    option = "option" if len(slip.options) == 1 else "options"
    decks, options = (", ".join(map(str, each)) for each in (slip.decks, slip.options))
    figures = "; ".join(slip.figures)
    return f"{decks} {deck}, {option} {options}: {figures}: {slip.reading}."


def _print_sum(page: Page, certificates: Sequence[Certificate]) -> None:
    counts = {verdict: sum(each.verdict is verdict for each in certificates) for verdict in Verdict}
    figures = sum(len(each.figures) for each in certificates)
    wrong = sum(len(each.misprints) for each in certificates)
    said = ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)
    page.line(f"{counted(len(certificates), 'certificate')}; printed edges: {said}")
    if figures:
        page.line(f"{counted(figures, 'printed figure')} in all, {wrong} of them misprinted")


def print_certificates(page: Page, certificates: Sequence[Certificate]) -> None:
    """All of them in full."""
    for number, each in enumerate(certificates):
        if number:
            page.blank()
        _print_certificate(page, each)


def _print_certificate(page: Page, certificate: Certificate) -> None:
    """One certificate: every row with its chance, the edge, and each printed figure."""
    offer = certificate.offer
    decks = counted(offer.decks, "deck")
    page.rule(Text.assemble((_title(certificate), "bold"), f", {decks}, {_option(certificate)}"))
    page.line(f"{offer.paytable.filing}, {offer.paytable.clause}", indent=2)
    page.line(f"paytable {offer.paytable.hash}", indent=2)
    page.blank()
    print_rows(page, offer.worth)
    page.blank()
    if certificate.figures:
        _print_figures(page, certificate.figures)
    else:
        page.line("The filing prints no statistics of it.", indent=2)


def _option(certificate: Certificate) -> str:
    return f"option {certificate.offer.paytable.option}"


def _print_figures(page: Page, figures: Sequence[Judged]) -> None:
    rows = [(name_of(each), each.figure.text, exact_text(each)) for each in figures]
    headings = ("printed in the filing", "", "exact")
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    line = "  ".join(cell.ljust(width) for cell, width in zip(headings, widths, strict=True))
    page.line((line, "dim"), indent=2)
    for each, row in zip(figures, rows, strict=True):
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        page.line(f"{cells}  ", (each.verdict.value, STYLES[each.verdict]), indent=2)
        if each.reading is not None:
            page.line(each.reading.words, indent=6, hang=2)
