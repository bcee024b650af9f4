"""Certificates as a document to be signed: a summary, the misprints, each one in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import IO, Final

import paper
from blackjack import ENGINE
from odds.certificates import Certificate, Verdict
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
from pitctl.odds.slips import slips
from pitctl.odds.worth_page import chance_cells
from pitctl.output.text import counted

TITLE: Final = "Certificates of exact odds"
ISSUER: Final = "Pitledger"
MEANINGS: Final = {
    Verdict.AGREES: "The printed figure is the exact one, rounded half up at its last digit.",
    Verdict.NEAR: "It is not, but within 0.1 percentage point; one in so many, within 1% too.",
    Verdict.MISPRINT: "It is further off. Where another reading would explain it, that is given.",
}
METHOD: Final = (
    "Every probability is counted way by way over the whole shoe, through the same evaluators"
    " that settle the wagers, and kept as an exact fraction; decimals are rounded half up, and"
    " only for print. The house edge is what the house keeps of one unit wagered, on average;"
    " the standard deviation is that of the player’s net result, per unit. A hit is any prize"
    " or push."
)
STATEMENT: Final = (
    "I have compared the figures above with the filings named, and the paytable hashes with"
    " the paytables in use."
)

_TONES: Final = {
    Verdict.AGREES: RowTone.OK,
    Verdict.NEAR: RowTone.WARN,
    Verdict.MISPRINT: RowTone.BAD,
    Verdict.NOT_PRINTED: RowTone.PLAIN,
}
_MEANINGS: Final = (
    PrintedColumn("verdict", part=0.15),
    PrintedColumn("what it says of a printed figure"),
)
_SUMMARY: Final = (
    PrintedColumn("decks", Align.RIGHT, part=0.08),
    PrintedColumn("option", Align.RIGHT, part=0.08),
    PrintedColumn("exact edge", Align.RIGHT, part=0.12),
    PrintedColumn("deviation", Align.RIGHT, part=0.12),
    PrintedColumn("hit", Align.RIGHT, part=0.12),
    PrintedColumn("printed edge", Align.RIGHT, part=0.14),
    PrintedColumn("verdict", part=0.17),
    PrintedColumn("other figures"),
)
_MISPRINTS: Final = (
    PrintedColumn("decks", part=0.1),
    PrintedColumn("options", part=0.1),
    PrintedColumn("figures printed wrong", part=0.4),
    PrintedColumn("what explains them"),
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
    """What the document says; it has the date that it is given, or none."""
    groups = [(title, [*group]) for title, group in groupby(certificates, key=title_of)]
    return paper.Document(
        title=TITLE,
        issuer=ISSUER,
        subtitle=(
            "Side bets of blackjack games filed in Washington State, beside what their filings"
            " print",
            *totals(certificates),
            f"Worked out by Pitledger, engine version {ENGINE}",
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
    yield paper.Heading("What is printed wrong")
    if not any(each.off for _, group in groups for each in group):
        yield paper.Paragraph("Every printed figure of these certificates is the exact one.")
    for title, group in groups:
        rows = tuple(_misprint_rows(group))
        if rows:
            yield paper.BlockGroup(
                (paper.Heading(title, level=2), paper.PrintedTable(_MISPRINTS, rows))
            )


def _misprint_rows(group: Sequence[Certificate]) -> Iterator[TableRow]:
    for slip in slips(group):
        decks, options = (", ".join(map(str, each)) for each in (slip.decks, slip.options))
        figures = "\n".join(line for each in slip.spoiled for line in each.lines)
        cells = (decks, options, figures, _sentence(slip.reading))
        yield TableRow(cells, RowTone.WARN if slip.is_near else RowTone.BAD)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _section(title: str, group: Sequence[Certificate]) -> Iterator[paper.Block]:
    """The certificates of a wager, beginning a page; none is broken over pages."""
    yield paper.PageBreak()
    yield paper.Heading(title)
    for each in group:
        yield paper.BlockGroup(tuple(_certificate(each)))


def _certificate(certificate: Certificate) -> Iterator[paper.Block]:
    offer = certificate.offer
    paytable, worth = offer.paytable, offer.worth
    decks = counted(offer.decks, "deck")
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
    if not certificate.figures:
        yield paper.Paragraph("The filing prints no statistics of this paytable.", small=True)
        return
    rows = (
        TableRow(
            (name_of(each), each.figure.text, exact_text(each), each.verdict.value),
            _TONES[each.verdict],
        )
        for each in certificate.figures
    )
    yield paper.PrintedTable(_PRINTED, tuple(rows))
    explained: dict[str, list[str]] = {}
    for each in certificate.figures:
        if each.reading is not None or each.verdict is Verdict.MISPRINT:
            explained.setdefault(reading_of(each), []).append(name_of(each))
    for words, names in explained.items():
        yield paper.Paragraph(f"{_sentence('; '.join(names))[:-1]}: {words}.", small=True)


def _paytables(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    """Every paytable once, by its hash: what is signed, on the pages before the signatures."""
    yield paper.PageBreak()
    yield paper.Heading("Paytables certified")
    for title, group in groups:
        decks_of: dict[tuple[int, str], list[str]] = {}
        for each in group:
            paytable = each.offer.paytable
            decks_of.setdefault((paytable.option, paytable.hash), []).append(str(each.offer.decks))
        rows = tuple(
            TableRow((", ".join(decks), str(option), digest))
            for (option, digest), decks in decks_of.items()
        )
        yield paper.BlockGroup(
            (paper.Heading(title, level=2), paper.PrintedTable(_PAYTABLES, rows))
        )
