"""Certificates printed for a person: an overview of many, or one in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.text import Text

from odds.certificates import Certificate, JudgedFigure, PrintVerdict
from odds.certificates.words import (
    exact_text,
    name_of,
    source_of,
    summary_cells,
    title_of,
    worst_of,
)
from pitctl.odds.certificate_summary import totals
from pitctl.odds.shared_misprints import SharedMisprint, shared_misprints
from pitctl.odds.worth_page import print_worth
from pitctl.output.text import Page, count_noun

STYLES: Final = {
    PrintVerdict.AGREES: "green",
    PrintVerdict.NEAR: "yellow",
    PrintVerdict.MISPRINT: "bold red",
    PrintVerdict.NOT_PRINTED: "dim",
}
HEADINGS: Final = (
    "decks",
    "option",
    "edge",
    "deviation",
    "hit",
    "printed",
    "verdict",
    "other misprints",
)


def print_overview(page: Page, certificates: Sequence[Certificate]) -> None:
    """A line for each certificate, and below each wager the misprints of its filing."""
    for title, group in groupby(certificates, key=title_of):
        shown = list(group)
        page.rule(Text(title, "bold"))
        page.table(
            HEADINGS,
            [summary_cells(certificate) for certificate in shown],
            align="rrrrrrll",
            styles=[STYLES[worst_of(certificate)] for certificate in shown],
        )
        page.blank()
        misprints = list(shared_misprints(shown))
        for misprint in misprints:
            page.line(_misprint_line(misprint), indent=2, hang=4)
        if misprints:
            page.blank()
    for line in totals(certificates):
        page.line(line)


def _misprint_line(misprint: SharedMisprint) -> str:
    deck = "deck" if misprint.decks == (1,) else "decks"
    option = "option" if len(misprint.options) == 1 else "options"
    decks, options = (
        ", ".join(map(str, numbers)) for numbers in (misprint.decks, misprint.options)
    )
    spoiled = "; ".join(figure.briefly for figure in misprint.spoiled)
    return f"{decks} {deck}, {option} {options}: {spoiled}: {misprint.reading}."


def print_certificates(page: Page, certificates: Sequence[Certificate]) -> None:
    """All of them in full."""
    for number, certificate in enumerate(certificates):
        if number:
            page.blank()
        _print_certificate(page, certificate)


def _print_certificate(page: Page, certificate: Certificate) -> None:
    """Every row with its probability, the edge, and each printed figure."""
    offer = certificate.offer
    chosen = f", {count_noun(offer.decks, 'deck')}, option {offer.paytable.option}"
    page.rule(Text.assemble((title_of(certificate), "bold"), chosen))
    page.line(source_of(certificate), indent=2, hang=2)
    page.line(f"paytable {offer.paytable.hash}", indent=2)
    page.blank()
    print_worth(page, offer.worth)
    page.blank()
    if certificate.judged:
        _print_judged(page, certificate.judged)
    else:
        page.line("The filing prints no statistics of it.", indent=2)


def _print_judged(page: Page, judged: Sequence[JudgedFigure]) -> None:
    page.table(
        ("figure", "printed", "exact", "verdict"),
        [(name_of(one), one.figure.text, exact_text(one), one.verdict.value) for one in judged],
        align="lrrl",
        styles=[STYLES[one.verdict] for one in judged],
        notes=[one.reading.words if one.reading is not None else "" for one in judged],
    )
