"""Certificates as a document: nothing that is certified is missing from it."""

from datetime import date
from functools import cache
from io import BytesIO

from pypdf import PdfReader

from blackjack import ENGINE
from blackjack.rulebook.filings import FILINGS
from odds.certificates import Certificate, certify
from odds.certificates.words import exact_text, name_of
from odds.decimals import decimal, root
from pitctl.odds.certificate_pdf import MEANINGS, write_pdf


@cache
def certificates() -> tuple[Certificate, ...]:
    return tuple(certify())


def written(chosen: tuple[Certificate, ...]) -> bytes:
    file = BytesIO()
    write_pdf(file, chosen)
    return file.getvalue()


@cache
def pages() -> tuple[str, ...]:
    """The text of every page without white space: a line may break anywhere."""
    reader = PdfReader(BytesIO(written(certificates())))
    return tuple(squeezed(page.extract_text()) for page in reader.pages)


def squeezed(text: str) -> str:
    return "".join(text.split())


def page_of(certificate: Certificate) -> str:
    """The one page that has all of a certificate, from its heading on."""
    offer = certificate.offer
    decks = f"{offer.decks} {'deck' if offer.decks == 1 else 'decks'}"
    option = f"option {offer.paytable.option}"
    heading = squeezed(f"{offer.title}, {decks}, {option} {offer.filing.title}, ")
    (page,) = (page for page in pages() if heading in page)
    return page[page.index(heading) :]


def test_every_certificate_is_whole_on_one_page() -> None:
    for certificate in certificates():
        page, worth = page_of(certificate), certificate.offer.worth
        paytable = certificate.offer.paytable
        for said in (
            paytable.hash,
            paytable.filing,
            paytable.clause,
            f"{decimal(100 * worth.edge, 10)}%",
            f"{root(worth.variance, 10)}",
            f"{decimal(100 * worth.hit, 10)}%",
        ):
            assert squeezed(said) in page
        for row in worth.rows:
            chance = row.probability
            said = f"{row.pays} {decimal(1 / chance, 2):,} {decimal(chance, 10):f}"
            assert squeezed(said) in page
            assert f"{chance.numerator}/{chance.denominator}" in page


def test_every_printed_figure_has_its_verdict_and_its_explanation() -> None:
    for certificate in certificates():
        page = page_of(certificate)
        for judged in certificate.judged:
            said = (name_of(judged), judged.figure.text, exact_text(judged), judged.verdict.value)
            assert squeezed("".join(said)) in page
            if judged.reading is not None:
                assert squeezed(judged.reading.words) in page
        if not certificate.judged:
            assert squeezed("The filing prints no statistics of this paytable.") in page


def test_the_first_page_says_what_it_is_and_what_the_verdicts_mean() -> None:
    first = pages()[0]
    assert squeezed("Certificates of exact odds") in first
    assert squeezed(f"{len(certificates())} certificates") in first
    assert squeezed(f"Computed by Pitledger, engine version {ENGINE}") in first
    assert all(squeezed(words) in first for words in MEANINGS.values())


def test_every_page_is_numbered() -> None:
    for number, page in enumerate(pages(), start=1):
        assert f"page{number}of{len(pages())}" in page


def test_the_misprints_are_listed_with_what_explains_them_before_the_certificates() -> None:
    begin = next(number for number, page in enumerate(pages()) if "Misprints" in page)
    end = next(number for number, page in enumerate(pages()) if "Paytable" in page)
    listed = "".join(pages()[begin:end]).casefold()
    readings = {
        judged.reading.words
        for each in certificates()
        for judged in each.misprints
        if judged.reading is not None
    }
    assert readings
    assert all(squeezed(words).casefold() in listed for words in readings)


def test_it_ends_with_every_paytable_and_the_signatures() -> None:
    begin = next(number for number, page in enumerate(pages()) if "Paytablescertified" in page)
    end = "".join(pages()[begin:])
    assert all(end.count(each.offer.paytable.hash) == 1 for each in certificates())
    assert "Preparedby" in pages()[-1]
    assert "Verifiedby" in pages()[-1]
    assert pages()[-1].count("Licensenumber") == 2


def test_a_choice_without_misprints_says_that_there_are_none() -> None:
    chosen = tuple(certify({"half_back": FILINGS["half_back"]}))
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(written(chosen))).pages)
    assert squeezed("Every printed figure of these certificates is the exact one.") in squeezed(
        text
    )
    assert "no printed figures" in text


def test_a_date_is_printed_where_one_is_given() -> None:
    file = BytesIO()
    write_pdf(file, certificates()[:1], date(2026, 3, 1))
    assert "2026-03-01" in PdfReader(file).pages[0].extract_text()


def test_the_same_certificates_are_the_same_bytes() -> None:
    chosen = certificates()[:4]
    assert written(chosen) == written(chosen)
