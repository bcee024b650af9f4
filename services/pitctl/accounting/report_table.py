"""A report on a terminal: columns that fit, or groups of columns below each other.

Nothing is cut. A report that is too wide is broken into groups, and each repeats the columns that
identify a row; long words are wrapped in their column.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from casino.accounting.v1.report_pb2 import Report
from pitctl.output.text import Page, count_noun, escape
from report_forms.cells import (
    days_of,
    draft_notice,
    for_people,
    is_number,
    leading,
    totals_of,
)

GAP: Final = 2
INDENT: Final = 2
WORDS_MAX: Final = 34
"""Characters that a column of words has at most; longer ones are wrapped."""
TITLE_MIN: Final = 10
"""Characters that the title of a narrow column may have on a line."""
LEADING_PART: Final = 2
"""Columns that are repeated take at most one part in so many of the width."""


class TerminalColumn(Struct, frozen=True):
    """A column as it is printed: its title and its cells, each of one or more lines."""

    title: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    totals: tuple[str, ...]
    is_number: bool

    @property
    def width(self) -> int:
        every = (self.title, self.totals, *self.cells)
        return max((len(line) for lines in every for line in lines), default=0)


def print_report(page: Page, report: Report) -> None:
    """Title, status, the rows in as many groups as needed, totals, notes."""
    page.rule(Text(escape(report.title or report.name), "bold"))
    page.line(escape(", ".join(filter(None, (report.property, days_of(report))))), indent=INDENT)
    if status := draft_notice(report):
        page.line((status, "yellow"), indent=INDENT)
    page.blank()
    columns = printed_columns(report, words_max=min(WORDS_MAX, (page.columns - INDENT - GAP) // 2))
    groups = column_groups(columns, page.columns - INDENT, repeated=leading(report.columns))
    for number, group in enumerate(groups):
        if number:
            page.blank()
        _print_group(page, group, rows=len(report.rows), is_only=len(groups) == 1)
    if not report.rows:
        page.line(("No rows.", "dim"), indent=INDENT)
    page.blank()
    for note in report.notes:
        page.line(escape(note), indent=INDENT, hang=2)
    page.line((count_noun(len(report.rows), "row"), "dim"), indent=INDENT)


def printed_columns(report: Report, *, words_max: int = WORDS_MAX) -> list[TerminalColumn]:
    """The columns as texts; two of words fit beside each other."""
    totals = totals_of(report)
    columns = []
    for place, column in enumerate(report.columns):
        cells = [escape(for_people(row.cells[place], column)) for row in report.rows]
        last = [escape(for_people(row.cells[place], column)) for row in totals]
        number = is_number(column)
        title = escape(column.title)
        longest = max(map(len, title.split()), default=0)
        room = max([len(cell) for cell in cells + last] + [TITLE_MIN]) if number else words_max
        columns.append(
            TerminalColumn(
                title=_wrapped(title, min(max(room, longest), words_max)),
                cells=tuple(_wrapped(cell, room) for cell in cells),
                totals=_wrapped(last[0] if last else "", room),
                is_number=number,
            )
        )
    return columns


def column_groups(
    columns: Sequence[TerminalColumn], width: int, *, repeated: int
) -> list[list[TerminalColumn]]:
    """As few groups as fit the width, each with the leading columns repeated."""
    if _width(columns) <= width:
        return [list(columns)]
    while repeated > 1 and _width(columns[:repeated]) * LEADING_PART > width:
        repeated -= 1
    first = list(columns[:repeated])
    groups: list[list[TerminalColumn]] = []
    group = list(first)
    for column in columns[repeated:]:
        if len(group) > repeated and _width([*group, column]) > width:
            groups.append(group)
            group = list(first)
        group.append(column)
    return [*groups, group]


def _print_group(page: Page, group: Sequence[TerminalColumn], *, rows: int, is_only: bool) -> None:
    height = max((len(column.title) for column in group), default=0)
    titles = [("",) * (height - len(column.title)) + column.title for column in group]
    _print_row(page, group, titles, "dim")
    for number in range(rows):
        _print_row(page, group, [column.cells[number] for column in group])
    if any(any(column.totals) for column in group if column.is_number or is_only):
        sign = "─" if page.has_signs else "-"
        lines = [sign * column.width if any(column.totals) else "" for column in group]
        _print_row(page, group, [(line,) for line in lines], "dim")
        _print_row(page, group, [column.totals for column in group], "bold")


def _print_row(
    page: Page, group: Sequence[TerminalColumn], cells: Sequence[Sequence[str]], style: str = ""
) -> None:
    for number in range(max((len(lines) for lines in cells), default=0)):
        parts = []
        for column, lines in zip(group, cells, strict=True):
            text = lines[number] if number < len(lines) else ""
            right = column.is_number
            parts.append(text.rjust(column.width) if right else text.ljust(column.width))
        page.line(((" " * GAP).join(parts).rstrip(), style), indent=INDENT)


def _wrapped(text: str, width: int) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, width)) or ("",)


def _width(columns: Sequence[TerminalColumn]) -> int:
    return sum(column.width for column in columns) + GAP * max(len(columns) - 1, 0)
