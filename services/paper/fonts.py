r"""The faces of a document, and text as they can print it.

Bitstream Vera comes with reportlab and may be embedded by anyone. It has the Latin letters
of Europe, quotes, dashes, fractions and the signs of arithmetic; `paper.suits` adds the four
suits. A character that no face has is printed as its escape: nothing is dropped silently, and
no character of a name can break the markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Final
from unicodedata import normalize
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont

from paper.suits import font_file

SUITS: Final = "Paper-Suits"


class Face(StrEnum):
    """The two weights that are used."""

    REGULAR = "Paper-Regular"
    BOLD = "Paper-Bold"


_FILES: Final = {Face.REGULAR: "Vera.ttf", Face.BOLD: "VeraBd.ttf"}


@cache
def _font(name: str) -> TTFont:
    """The font of this name, registered on first use."""
    font = TTFont(name, BytesIO(font_file()) if name == SUITS else _FILES[Face(name)])
    registerFont(font)
    return font


def _has(font: str, character: str) -> bool:
    return bool(_font(font).face.charToGlyph.get(ord(character)))


@cache
def _font_for(character: str, face: Face) -> str | None:
    """The font that prints a character; None where there is none."""
    if not character.isprintable():
        return None
    return next((font for font in (face, SUITS) if _has(font, character)), None)


def printable(text: str, face: Face = Face.REGULAR) -> str:
    r"""The text in characters that print, line breaks kept.

    >>> print(printable("3 × ♠ – “½” 牌 \x07"))
    3 × ♠ – “½” \u724c \x07
    """
    return "".join(
        character
        if character == "\n" or _font_for(character, face) is not None
        else character.encode("unicode_escape").decode()
        for character in normalize("NFC", text.replace("\t", " "))
    )


def _runs(text: str, face: Face) -> Iterator[tuple[str, str]]:
    """Stretches of printable text, each with its font."""
    for font, characters in groupby(text, key=lambda character: _font_for(character, face)):
        yield font or face, "".join(characters)


def markup(text: str, face: Face = Face.REGULAR) -> str:
    """The text as reportlab's paragraphs read it: nothing in it is markup of its own.

    >>> markup("A♠ < 9")
    'A<font name="Paper-Suits">♠</font> &lt; 9'
    """
    return "<br/>".join(
        "".join(
            f'<font name="{SUITS}">{run}</font>' if font == SUITS else escape(run)
            for font, run in _runs(line, face)
        )
        for line in printable(text, face).split("\n")
    )


def width(text: str, face: Face, size: float) -> float:
    """How wide the widest line of a text is when nothing wraps it."""
    return max(
        sum(_font(font).stringWidth(run, size) for font, run in _runs(line, face))
        for line in printable(text, face).split("\n")
    )


def shortened(text: str, face: Face, size: float, width_max: float) -> str:
    """The text on one line, cut with an ellipsis where it is too wide.

    >>> shortened("Certificates", Face.REGULAR, 8, 30)
    'Certif…'
    """
    line = " ".join(printable(text, face).split())
    if width(line, face, size) <= width_max:
        return line
    while line and width(f"{line}…", face, size) > width_max:
        line = line[:-1]
    return f"{line.rstrip()}…"


def load_fonts() -> None:
    """Every font registered: reportlab looks them up by name."""
    for name in (*Face, SUITS):
        _font(name)
