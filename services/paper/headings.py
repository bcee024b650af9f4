"""Headings, which are entries in the outline of the file too: a reader jumps by it."""

from __future__ import annotations

from typing import Final

from reportlab.platypus import Paragraph as Text

from paper.document import Heading
from paper.fonts import Face, markup, printable
from paper.style import HEADINGS

ABOVE: Final = 12.0
"""The distance above its heading at which a jump lands."""


class HeadingText(Text):
    """A heading with its place in the outline."""

    def __init__(self, text: str, *, level: int, key: str, outline_level: int) -> None:
        super().__init__(markup(text, Face.BOLD), HEADINGS[level])
        self._title, self._key, self._level = printable(text), key, outline_level

    def draw(self) -> None:
        super().draw()
        self.canv.bookmarkHorizontal(self._key, 0, self.height + ABOVE)
        self.canv.addOutlineEntry(self._title, self._key, self._level, closed=True)


class Outline:
    """Numbers the headings of a document. No entry is more than one level below the last."""

    def __init__(self) -> None:
        self._count = 0
        self._level = -1

    def enter(self, heading: Heading) -> HeadingText:
        level = min(max(heading.level, 1), len(HEADINGS)) - 1
        self._count += 1
        self._level = min(level, self._level + 1)
        return HeadingText(
            heading.text, level=level, key=f"section-{self._count}", outline_level=self._level
        )
