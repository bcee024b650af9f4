"""Certificates as a document to be signed: a summary, the misprints, each one in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import IO, Final

import paper
from blackjack import ENGINE
from odds.certificates import Certificate, Verdict
from odds.decimals import decimal, root
from paper import Align, Column, Row, Tone
from pitctl.certificate_data import exact_text, name_of, percent
from pitctl.slips import reading_of, slips
from pitctl.text import counted

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
    Verdict.AGREES: Tone.OK,
    Verdict.NEAR: Tone.WARN,
    Verdict.MISPRINT: Tone.BAD,
    Verdict.NOT_PRINTED: Tone.PLAIN,
}
_MEANINGS: Final = (Column("verdict", part=0.15), Column("what it says of a printed figure"))
_SUMMARY: Final = (
    Column("decks", Align.RIGHT, part=0.08),
    Column("option", Align.RIGHT, part=0.08),
    Column("exact edge", Align.RIGHT, part=0.12),
    Column("deviation", Align.RIGHT, part=0.12),
    Column("hit", Align.RIGHT, part=0.12),
    Column("printed edge", Align.RIGHT, part=0.14),
    Column("verdict on the printed edge"),
)
_MISPRINTS: Final = (
    Column("decks", part=0.13),
    Column("options", part=0.13),
    Column("figures printed wrong", part=0.45),
    Column("what explains them"),
)
_OUTCOMES: Final = (
    Column("outcome"),
    Column("pays", Align.RIGHT),
    Column("probability", Align.RIGHT),
    Column("one in", Align.RIGHT),
    Column("exactly", Align.RIGHT),
)
_PRINTED: Final = (
    Column("figure of the filing", part=0.34),
    Column("printed", Align.RIGHT, part=0.16),
    Column("exact", Align.RIGHT, part=0.2),
    Column("verdict"),
)
_PAYTABLES: Final = (
    Column("decks", part=0.2),
    Column("option", Align.RIGHT, part=0.1),
    Column("paytable hash"),
)


def write_pdf(file: IO[bytes], certificates: Sequence[Certificate]) -> None:
    """Write the certificates as one document, ready to be printed and signed."""
    paper.write_pdf(file, as_document(certificates))


def as_document(certificates: Sequence[Certificate]) -> paper.Document:
    """What the document says."""
    groups = [(title, [*group]) for title, group in groupby(certificates, key=_title)]
    return paper.Document(
        title=TITLE,
        issuer=ISSUER,
        subtitle=(
            "Side bets of blackjack games filed in Washington State, beside what their filings"
            " print",
            _totals(certificates),
            f"Worked out by engine {ENGINE}",
        ),
        subject="Exact odds of filed side bets, by paytable hash",
        blocks=(
            _meanings(),
            paper.Paragraph(METHOD, small=True),
            *_summary(groups),
            *_misprints(groups),
            *(block for title, group in groups for block in _section(title, group)),
            *_paytables(groups),
            paper.Together(
                (paper.Heading("Signatures"), paper.Signatures(statement=STATEMENT)),
            ),
        ),
    )


def _title(certificate: Certificate) -> str:
    offer = certificate.offer
    return f"{offer.filing.title}: {offer.title}"


def _totals(certificates: Sequence[Certificate]) -> str:
    figures = sum(len(each.figures) for each in certificates)
    wrong = sum(len(each.misprints) for each in certificates)
    said = f"{counted(figures, 'printed figure')}, {wrong} of them misprinted"
    return f"{counted(len(certificates), 'certificate')}; {said if figures else 'nothing printed'}"


def _meanings() -> paper.Table:
    """The verdicts with their marks."""
    rows = (Row((verdict.value, words), _TONES[verdict]) for verdict, words in MEANINGS.items())
    return paper.Table(_MEANINGS, tuple(rows))


def _summary(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    yield paper.Heading("Summary")
    for title, group in groups:
        rows = tuple(map(_summary_row, group))
        yield paper.Together((paper.Heading(title, level=2), paper.Table(_SUMMARY, rows)))


def _summary_row(certificate: Certificate) -> Row:
    offer, edge = certificate.offer, certificate.printed_edge
    others = len(certificate.misprints) - (certificate.verdict is Verdict.MISPRINT)
    more = f", {counted(others, 'other misprint')}" if others else ""
    return Row(
        (
            str(offer.decks),
            str(offer.paytable.option),
            percent(offer.worth.edge),
            str(root(offer.worth.variance, 3)),
            percent(offer.worth.hit),
            edge.figure.text if edge is not None else "–",
            f"{certificate.verdict.value}{more}",
        ),
        Tone.BAD if others else _TONES[certificate.verdict],
    )


def _misprints(groups: Sequence[tuple[str, list[Certificate]]]) -> Iterator[paper.Block]:
    yield paper.Heading("Misprints")
    if not any(each.misprints for _, group in groups for each in group):
        yield paper.Paragraph("No printed figure of these certificates is a misprint.")
    for title, group in groups:
        rows = tuple(_misprint_rows(group))
        if rows:
            yield paper.Together((paper.Heading(title, level=2), paper.Table(_MISPRINTS, rows)))


def _misprint_rows(group: Sequence[Certificate]) -> Iterator[Row]:
    for slip in slips(group):
        decks, options = (", ".join(map(str, each)) for each in (slip.decks, slip.options))
        cells = (decks, options, "\n".join(slip.figures), _sentence(slip.reading))
        yield Row(cells, Tone.BAD)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _section(title: str, group: Sequence[Certificate]) -> Iterator[paper.Block]:
    """The certificates of a wager, beginning a page; none is broken over pages."""
    yield paper.PageBreak()
    yield paper.Heading(title)
    for each in group:
        yield paper.Together(tuple(_certificate(each)))


def _certificate(certificate: Certificate) -> Iterator[paper.Block]:
    offer = certificate.offer
    paytable, worth = offer.paytable, offer.worth
    decks = counted(offer.decks, "deck")
    yield paper.Heading(f"{offer.title}, {decks}, option {paytable.option}", level=2)
    source = f"Filing {paytable.filing}, {paytable.clause}"
    yield paper.Paragraph(f"{source}\nPaytable {paytable.hash}, engine {ENGINE}", small=True)
    yield paper.Table(
        _OUTCOMES,
        tuple(
            Row(
                (
                    row.label,
                    str(row.pays),
                    f"{decimal(row.probability, 10):f}",
                    f"{decimal(1 / row.probability, 2):,}" if row.probability else "never",
                    _fraction(row.probability),
                )
            )
            for row in worth.rows
        ),
    )
    yield paper.Figures(
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
        Row(
            (name_of(each), each.figure.text, exact_text(each), each.verdict.value),
            _TONES[each.verdict],
        )
        for each in certificate.figures
    )
    yield paper.Table(_PRINTED, tuple(rows))
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
            Row((", ".join(decks), str(option), digest))
            for (option, digest), decks in decks_of.items()
        )
        yield paper.Together((paper.Heading(title, level=2), paper.Table(_PAYTABLES, rows)))
