"""Text: every sign we use prints, what cannot is shown, and nothing in it is markup."""

import pytest
from pypdf.generic import DictionaryObject

from paper import Heading, Paragraph, PrintedColumn, PrintedTable, TableRow
from tests.paper.reading import document_of, pages_of, read


@pytest.mark.parametrize("sign", "“”’–—−×½¼¾…·±≤≥≠≈€£§éüñøłžŠ♠♥♦♣")
def test_every_sign_we_use_is_printed_in_text_tables_and_headings(sign: str) -> None:
    table = PrintedTable((PrintedColumn(f"head {sign}"),), (TableRow((f"cell {sign}",)),))
    document = document_of(Heading(f"Part {sign}"), Paragraph(f"text {sign}"), table)
    (page,) = pages_of(document)
    for place in ("Part", "text", "head", "cell"):
        assert f"{place} {sign}" in page


def test_cards_are_printed_as_they_are_called() -> None:
    (page,) = pages_of(document_of(Paragraph("A♠ K♥ Q♦ J♣"), title="Hand of A♠"))
    assert "A♠K♥Q♦J♣" in page.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("牌", r"\u724c"),
        ("Борис", r"\u0411\u043e\u0440\u0438\u0441"),
        ("🂡", r"\U0001f0a1"),
        ("bell \x07", r"bell \x07"),
        ("nul \x00", r"nul \x00"),
    ],
)
def test_what_no_face_has_is_printed_as_its_escape(text: str, shown: str) -> None:
    (page,) = pages_of(document_of(Paragraph(text), title=f"Title {text}"))
    assert page.count(shown) == 3  # title, text, footer


def test_an_accent_typed_apart_is_joined_to_its_letter() -> None:
    (page,) = pages_of(document_of(Paragraph("Jose\u0301")))
    assert "José" in page


def test_markup_in_a_text_is_printed_and_not_obeyed() -> None:
    hostile = '<b>bold</b> &amp; <img src="file:///etc/passwd"/> </para> <a href="x">'
    table = PrintedTable((PrintedColumn(hostile),), (TableRow((hostile,)),))
    (page,) = pages_of(document_of(Heading(hostile), Paragraph(hostile), table))
    assert page.count("</para>") == 4
    assert page.count("&amp;") == 4


def test_a_line_break_stays_one() -> None:
    (page,) = read(document_of(Paragraph("first line\nsecond line"))).pages
    assert "first line\nsecond line" in page.extract_text()


def test_every_font_that_a_page_names_is_embedded() -> None:
    (page,) = read(document_of(Heading("♠"), Paragraph("♥"))).pages
    resources = page["/Resources"]
    assert isinstance(resources, DictionaryObject)
    fonts = resources["/Font"]
    assert isinstance(fonts, DictionaryObject)
    names = set()
    for font_ in fonts.values():
        font = font_.get_object()
        assert "/FontFile2" in font["/FontDescriptor"]
        names.add(str(font["/BaseFont"]).partition("+")[2])
    assert names == {"BitstreamVeraSans-Roman", "BitstreamVeraSans-Bold", "PitledgerSuits"}
