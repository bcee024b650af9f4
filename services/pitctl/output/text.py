"""Text for people: amounts, times and cards, and a page to put them on.

Text of a log is printed, never interpreted: a control character in the name of a table is
printed as its escape, so that no log can move the cursor or color the screen.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from typing import IO, Final, Never

from rich.console import Console
from rich.text import Text

from blackjack.cards.card import Card
from blackjack.hand_history.times import write_time
from blackjack.money import FormattedAmount, Tone

COLUMNS_UNKNOWN: Final = 100
"""Where the width of the terminal is unknown."""

COLUMNS_LEAST, COLUMNS_MOST = 60, 120
"""Below, a row of money does not fit; above, the eye loses the line."""

_TYPEWRITER: Final = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "−": "-", "×": "x"}  # noqa: RUF001
)
TONE_STYLES: Final = {Tone.GAIN: "green", Tone.LOSS: "red", Tone.EVEN: ""}
_ABSOLUTE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_SUIT_STYLES: Final = {True: "bold red", False: "bold"}


def escape(text: str) -> str:
    r"""Escape every character that does not print.

    >>> print(escape("BJ-07 \x1b[2J ♠"))
    BJ-07 \x1b[2J ♠
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def shorten(name: str, most: int = 40) -> str:
    """Shorten a long name to its beginning, its end and its length.

    >>> shorten("BJ-07"), shorten("x" * 5000, 24)
    ('BJ-07', 'xxxxx…xxxxx (5,000 long)')
    """
    if len(name) <= most:
        return name
    length = f" ({len(name):,} long)"
    side = max(most - len(length) - 1, 2) // 2
    return f"{name[:side]}…{name[-side:]}{length}"


def styled(amount: FormattedAmount) -> Text:
    """An amount in the color of its tone."""
    return Text(amount.text, TONE_STYLES[amount.tone])


def format_moment(at: int) -> str:
    """Write a time to the second.

    >>> format_moment(1_772_396_100_250_000)
    '2026-03-01 20:15:00 UTC'
    """
    text = write_time(at)
    return f"{text[:10]} {text[11:19]} UTC" if _ABSOLUTE.match(text) else text


def format_clock(at: int) -> str:
    """Write the time of day.

    >>> format_clock(1_772_396_100_250_000)
    '20:15:00'
    """
    return format_moment(at)[11:19]


def count_noun(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    >>> count_noun(1, "finding"), count_noun(0, "finding"), count_noun(2, "loss", "losses")
    ('1 finding', '0 findings', '2 losses')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def class_words(name: str) -> str:
    """Write the name of a class as words.

    >>> class_words("WagerPaid")
    'wager paid'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def _widths(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(headings, *rows, strict=True)]


def _in_ascii(text: str) -> str:
    """For a terminal without signs: quotes and dashes as on a typewriter, the rest escaped.

    >>> print(_in_ascii("“Straight” – 5 × é"))
    "Straight" - 5 x \\xe9
    """
    return text.translate(_TYPEWRITER).encode("ascii", "backslashreplace").decode()


class _Console(Console):
    """Rich ends the program when its reader has gone; that is for the command to decide."""

    def on_broken_pipe(self) -> Never:
        raise BrokenPipeError


class Page:
    """Lines of a printed report: wrapped at the terminal's edge, without trailing blanks."""

    def __init__(self, file: IO[str], *, columns: int = 0) -> None:
        columns = columns or shutil.get_terminal_size((COLUMNS_UNKNOWN, 24)).columns
        self.columns = max(COLUMNS_LEAST, min(columns, COLUMNS_MOST))
        self._console = _Console(
            file=file, width=self.columns, highlight=False, markup=False, emoji=False
        )
        self._file = file
        self._is_plain = self._console.color_system is None
        self.has_signs = self._console.encoding.startswith("utf")
        """Whether suits and lines can be drawn; otherwise two letters and dashes stand for them."""

    def line(self, *parts: str | Text | tuple[str, str], indent: int = 0, hang: int = 0) -> None:
        """One line, continued `hang` columns further in where it is too long."""
        text = Text.assemble(*((escape(p) if isinstance(p, str) else p) for p in parts))
        width = self.columns - indent
        if text.cell_len <= width:
            self._put(text, indent)
            return
        first = text.wrap(self._console, width)[0]
        rest = text[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        self._put(first, indent)
        for row in rest.wrap(self._console, width - hang):
            self._put(row, indent + hang)

    def table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        indent: int = 2,
        align: str = "",
        styles: Sequence[str] = (),
        notes: Sequence[str] = (),
    ) -> None:
        """Columns as wide as they need; the last one is wrapped where the edge is near.

        `align` has a letter a column, l or r; `styles` are those of the rows, and a note stands
        below its row.
        """
        widths = _widths(headings, rows)
        before = sum(widths[:-1]) + 2 * (len(widths) - 1)
        hang = before if 3 * before <= 2 * self.columns else 4
        sides = align or "l" * len(widths)
        for number, row in enumerate((headings, *rows)):
            cells = [
                escape(cell).rjust(width) if side == "r" else escape(cell).ljust(width)
                for cell, width, side in zip(row, widths, sides, strict=True)
            ]
            style = (styles[number - 1] if styles else "") if number else "dim"
            self.line(("  ".join(cells).rstrip(), style), indent=indent, hang=hang)
            if number and notes and notes[number - 1]:
                self.line(notes[number - 1], indent=indent + 4, hang=2)

    def fits(self, headings: Sequence[str], rows: Sequence[Sequence[str]], indent: int = 2) -> bool:
        """Whether a table is printed without wrapping anything."""
        widths = _widths(headings, rows)
        return indent + sum(widths) + 2 * (len(widths) - 1) <= self.columns

    def blank(self) -> None:
        self._put(Text(), 0)

    def flush(self) -> None:
        """Hand the lines so far to the reader at the other end of a pipe."""
        self._file.flush()

    def rule(self, title: Text) -> None:
        """A heading with a line to the edge, or above one that is too long for that."""
        sign = "─" if self.has_signs else "-"
        rest = self.columns - title.cell_len - 4
        if rest >= 2:
            self._put(Text.assemble((sign * 2, "dim"), " ", title, " ", (sign * rest, "dim")), 0)
        else:
            self._put(Text(sign * self.columns, "dim"), 0)
            self.line(title, hang=2)

    def card(self, card: Card | None) -> Text:
        """A card as print shows it, red or black; `??` for one that was not read."""
        if card is None:
            return Text("??", "bold yellow")
        return Text(card.sign if self.has_signs else card.name, _SUIT_STYLES[card.is_red])

    def cards(self, cards: Iterable[Card | None]) -> Text:
        return Text(" ").join(self.card(card) for card in cards)

    def _put(self, text: Text, indent: int) -> None:
        if not self.has_signs:
            text = Text(_in_ascii(text.plain))
        if self._is_plain:  # the usual case in a pipe, and four times as fast
            self._file.write(f"{' ' * indent}{text.plain.rstrip()}\n")
            return
        text.rstrip()
        self._console.print(Text(" " * indent) + text, soft_wrap=True)
