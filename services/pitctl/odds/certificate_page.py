"""Certificates printed for a person: an overview of many, or one in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from odds.certificates import Certificate, Judged, Verdict
from odds.certificates.words import (
    exact_text,
    name_of,
    source_of,
    summary_cells,
    title_of,
    worst_of,
)
from pitctl.odds.certificate_summary import totals
from pitctl.odds.slips import Slip, slips
from pitctl.odds.worth_page import print_worth
from pitctl.output.text import Page, counted

STYLES: Final = {
    Verdict.AGREES: "green",
    Verdict.NEAR: "yellow",
    Verdict.MISPRINT: "bold red",
    Verdict.NOT_PRINTED: "dim",
}
HEADINGS: Final = (
    "decks",
    "option",
    "edge",
    "deviation",
    "hit",
    "printed",
    "verdict",
    "other figures",
)


def print_overview(page: Page, certificates: Sequence[Certificate]) -> None:
    """A line for each certificate, and below each wager what its filing prints wrong."""
    for title, group in groupby(certificates, key=title_of):
        shown = list(group)
        page.rule(Text(title, "bold"))
        page.table(
            HEADINGS,
            [summary_cells(each) for each in shown],
            align="rrrrrrll",
            styles=[STYLES[worst_of(each)] for each in shown],
        )
        page.blank()
        told = list(slips(shown))
        for slip in told:
            page.line(_complaint(slip), indent=2, hang=4)
        if told:
            page.blank()
    for line in totals(certificates):
        page.line(line)


def _complaint(slip: Slip) -> str:
    deck = "deck" if slip.decks == (1,) else "decks"
    option = "option" if len(slip.options) == 1 else "options"
    decks, options = (", ".join(map(str, each)) for each in (slip.decks, slip.options))
    figures = "; ".join(each.briefly for each in slip.spoiled)
    return f"{decks} {deck}, {option} {options}: {figures}: {slip.reading}."


def print_certificates(page: Page, certificates: Sequence[Certificate]) -> None:
    """All of them in full."""
    for number, each in enumerate(certificates):
        if number:
            page.blank()
        _print_certificate(page, each)


def _print_certificate(page: Page, certificate: Certificate) -> None:
    """Every row with its chance, the edge, and each printed figure."""
    offer = certificate.offer
    chosen = f", {counted(offer.decks, 'deck')}, option {offer.paytable.option}"
    page.rule(Text.assemble((title_of(certificate), "bold"), chosen))
    page.line(source_of(certificate), indent=2, hang=2)
    page.line(f"paytable {offer.paytable.hash}", indent=2)
    page.blank()
    print_worth(page, offer.worth)
    page.blank()
    if certificate.figures:
        _print_figures(page, certificate.figures)
    else:
        page.line("The filing prints no statistics of it.", indent=2)


def _print_figures(page: Page, figures: Sequence[Judged]) -> None:
    page.table(
        ("figure", "printed", "exact", "verdict"),
        [
            (name_of(each), each.figure.text, exact_text(each), each.verdict.value)
            for each in figures
        ],
        align="lrrl",
        styles=[STYLES[each.verdict] for each in figures],
        notes=[each.reading.words if each.reading is not None else "" for each in figures],
    )
