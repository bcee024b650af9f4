"""Certificates as a document to be signed: a summary, the misprints, each one in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import IO, Final

import paper
from blackjack import ENGINE
from odds.certificates import Certificate, PrintVerdict
from odds.certificates.words import (
    exact_text,
    name_of,
    reading_of,
    source_of,
    summary_cells,
    title_of,
    worst_of,
)
from odds.decimals import decimal, root
from paper import Align, PrintedColumn, RowTone, TableRow
from pitctl.odds.certificate_summary import totals
from pitctl.odds.shared_misprints import shared_misprints
from pitctl.odds.worth_page import chance_cells
from pitctl.output.text import count_noun

TITLE: Final = "Certificates of exact odds"
ISSUER: Final = "Pitledger"
MEANINGS: Final = {
    PrintVerdict.AGREES: "The printed figure is the exact one, rounded half up at its last digit.",
    PrintVerdict.NEAR: "It differs by at most 0.1 percentage point; a rate also by at most 1%.",
    PrintVerdict.MISPRINT: "It differs by more. The most likely explanation is given, if any.",
}
METHOD: Final = (
    "Every probability is counted way by way over the whole shoe, through the same evaluators"
    " that settle the wagers, and kept as an exact fraction; decimals are rounded half up, and"
    " only for print. The house edge is the average part of one unit wagered that the house keeps;"
    " the standard deviation is that of the player’s net result, per unit. A hit is any prize"
    " or push."
)
STATEMENT: Final = (
    "I have compared the printed figures above with the filings named, and the paytable hashes"
    " with the paytables in use."
)

_TONES: Final = {
    PrintVerdict.AGREES: RowTone.OK,
    PrintVerdict.NEAR: RowTone.WARN,
    PrintVerdict.MISPRINT: RowTone.BAD,
    PrintVerdict.NOT_PRINTED: RowTone.PLAIN,
}
_MEANINGS: Final = (
    PrintedColumn("verdict", part=0.15),
    PrintedColumn("meaning for a printed figure"),
)
_SUMMARY: Final = (
    PrintedColumn("decks", Align.RIGHT, part=0.08),
    PrintedColumn("option", Align.RIGHT, part=0.08),
    PrintedColumn("exact edge", Align.RIGHT, part=0.12),
    PrintedColumn("deviation", Align.RIGHT, part=0.12),
    PrintedColumn("hit", Align.RIGHT, part=0.12),
    PrintedColumn("printed edge", Align.RIGHT, part=0.14),
    PrintedColumn("verdict", part=0.17),
    PrintedColumn("other misprints"),
)
_MISPRINTS: Final = (
    PrintedColumn("decks", part=0.1),
    PrintedColumn("options", part=0.1),
    PrintedColumn("misprints", part=0.4),
    PrintedColumn("explanation"),
)
_OUTCOMES: Final = (
    PrintedColumn("outcome"),
    PrintedColumn("pays", Align.RIGHT),
    PrintedColumn("one in", Align.RIGHT),
    PrintedColumn("probability", Align.RIGHT),
    PrintedColumn("exactly", Align.RIGHT),
)
_PRINTED: Final = (
    PrintedColumn("figure of the filing", part=0.34),
    PrintedColumn("printed", Align.RIGHT, part=0.16),
    PrintedColumn("exact", Align.RIGHT, part=0.2),
    PrintedColumn("verdict"),
)
_PAYTABLES: Final = (
    PrintedColumn("decks", part=0.2),
    PrintedColumn("option", Align.RIGHT, part=0.1),
    PrintedColumn("paytable hash"),
)


def write_pdf(
    file: IO[bytes], certificates: Sequence[Certificate], dated: date | None = None
) -> None:
    """Write the certificates as one document, ready to be printed and signed."""
    paper.write_pdf(file, as_document(certificates, dated))


def as_document(certificates: Sequence[Certificate], dated: date | None = None) -> paper.Document:
    """The document, with a date if one is given."""
    groups = [(title, [*group]) for title, group in groupby(certificates, key=title_of)]
    return paper.Document(
        title=TITLE,
        issuer=ISSUER,
        subtitle=(
            "Side bets of blackjack games filed in Washington State, beside what their filings"
            " print",
            *totals(certificates),
            f"Computed by Pitledger, engine version {ENGINE}",
        ),
        dated=dated,
        subject="Exact odds of filed side bets, by paytable hash",
        blocks=(
            _meanings(),
            paper.Paragraph(METHOD, small=True),
            *_summary(groups),
            *_misprints(groups),
            *(block for title, group in groups for block in _section(title, group)),
            *_paytables(groups),
            paper.BlockGroup(
                (paper.Heading("Signatures"), paper.Signatures(statement=STATEMENT)),
            ),
        ),
    )


def _meanings() -> paper.PrintedTable:
    """The verdicts with their marks."""
    rows = (
        TableRow((verdict.value, words), _TONES[verdict]) for verdict, words in MEANINGS.items()
    )
    return paper.PrintedTable(_MEANINGS, tuple(rows))


def _summary(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    yield paper.Heading("Summary")
    for title, group in groups:
        rows = tuple(map(_summary_row, group))
        yield paper.BlockGroup((paper.Heading(title, level=2), paper.PrintedTable(_SUMMARY, rows)))


def _summary_row(certificate: Certificate) -> TableRow:
    return TableRow(summary_cells(certificate), _TONES[worst_of(certificate)])


def _misprints(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    yield paper.Heading("Misprints")
    if not any(certificate.off for _, group in groups for certificate in group):
        yield paper.Paragraph("Every printed figure of these certificates is the exact one.")
    for title, group in groups:
        rows = tuple(_misprint_rows(group))
        if rows:
            yield paper.BlockGroup(
                (paper.Heading(title, level=2), paper.PrintedTable(_MISPRINTS, rows))
            )


def _misprint_rows(group: Sequence[Certificate]) -> Iterator[TableRow]:
    for misprint in shared_misprints(group):
        decks, options = (
            ", ".join(map(str, numbers)) for numbers in (misprint.decks, misprint.options)
        )
        lines = "\n".join(line for spoiled in misprint.spoiled for line in spoiled.lines)
        cells = (decks, options, lines, _sentence(misprint.reading))
        yield TableRow(cells, RowTone.WARN if misprint.is_near else RowTone.BAD)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _section(title: str, group: Sequence[Certificate]) -> Iterator[paper.Block]:
    """The certificates of a wager, beginning a page; none is broken over pages."""
    yield paper.PageBreak()
    yield paper.Heading(title)
    for certificate in group:
        yield paper.BlockGroup(tuple(_certificate(certificate)))


def _certificate(certificate: Certificate) -> Iterator[paper.Block]:
    offer = certificate.offer
    paytable, worth = offer.paytable, offer.worth
    decks = count_noun(offer.decks, "deck")
    yield paper.Heading(f"{offer.title}, {decks}, option {paytable.option}", level=2)
    yield paper.Paragraph(f"{source_of(certificate)}\nPaytable {paytable.hash}", small=True)
    yield paper.PrintedTable(
        _OUTCOMES,
        tuple(
            TableRow((row.label, *chance_cells(row), _fraction(row.probability)))
            for row in worth.rows
        ),
    )
    yield paper.KeyNumbers(
        (
            ("House edge", f"{decimal(100 * worth.edge, 10)}%"),
            ("Standard deviation, per unit", f"{root(worth.variance, 10)}"),
            ("Any prize or push", f"{decimal(100 * worth.hit, 10)}%"),
        )
    )
    yield from _printed(certificate)


def _fraction(value: Fraction) -> str:
    """With spaces, so that a long one is wrapped at its bar."""
    return f"{value.numerator} / {value.denominator}"


def _printed(certificate: Certificate) -> Iterator[paper.Block]:
    if not certificate.judged:
        yield paper.Paragraph("The filing prints no statistics of this paytable.", small=True)
        return
    rows = (
        TableRow(
            (name_of(judged), judged.figure.text, exact_text(judged), judged.verdict.value),
            _TONES[judged.verdict],
        )
        for judged in certificate.judged
    )
    yield paper.PrintedTable(_PRINTED, tuple(rows))
    explained: dict[str, list[str]] = {}
    for judged in certificate.judged:
        if judged.reading is not None or judged.verdict is PrintVerdict.MISPRINT:
            explained.setdefault(reading_of(judged), []).append(name_of(judged))
    for words, names in explained.items():
        yield paper.Paragraph(f"{_sentence('; '.join(names))[:-1]}: {words}.", small=True)


def _paytables(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    """Every paytable once, by its hash, on the pages before the signatures."""
    yield paper.PageBreak()
    yield paper.Heading("Paytables certified")
    for title, group in groups:
        decks_of: dict[tuple[int, str], list[str]] = {}
        for certificate in group:
            offer = certificate.offer
            key = (offer.paytable.option, offer.paytable.hash)
            decks_of.setdefault(key, []).append(str(offer.decks))
        rows = tuple(
            TableRow((", ".join(decks), str(option), digest))
            for (option, digest), decks in decks_of.items()
        )
        yield paper.BlockGroup(
            (paper.Heading(title, level=2), paper.PrintedTable(_PAYTABLES, rows))
        )
