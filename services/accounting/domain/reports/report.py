"""A report as a plain value: typed columns, rows of cells, totals, notes.

A cell without a value is empty: the amount does not exist, which is not the same as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    Period,
    ReportCell,
    ValueKind,
    Values,
    added,
)
from accounting.domain.reports.inputs import ReportInputs

NOTES_MAX: Final = 50
"""The most lines of one kind in the notes; further ones are only counted."""


class ReportColumn(Struct, frozen=True):
    key: str
    title: str
    kind: ValueKind
    is_result: bool = False
    """Whether its amounts are results of the house, positive for a gain."""


Row = tuple[ReportCell, ...]


class Report(Struct, frozen=True):
    """A finished report. `names` identify its rows, also after a rebuild."""

    name: str
    title: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[Row, ...]
    names: tuple[Values, ...]
    totals: Row = ()
    notes: tuple[str, ...] = ()

    def cell(self, row: Values, column: str) -> ReportCell | None:
        """Find a cell by the name of its row, empty for the totals; None if there is none."""
        cells = dict(zip(self.names, self.rows, strict=True)).get(row) if row else self.totals
        places = {column.key: place for place, column in enumerate(self.columns)}
        return cells[places[column]] if cells and column in places else None

    def kind_of(self, column: str) -> ValueKind:
        return next(known.kind for known in self.columns if known.key == column)


class ReportQuery(Struct, frozen=True):
    """The parameters of a report, and the settings of the house."""

    period: Period
    table: str = ""
    preset: str = ""
    coupon_winnings_reduce_tax: bool = True

    @property
    def scope(self) -> dict[str, tuple[str, ...]]:
        """The filter of facts that belong to tables."""
        return {"table": (self.table,)} if self.table else {}


class ReportRows:
    """Collects rows by column key, each under a name, and totals of the `added` columns."""

    def __init__(self, columns: Sequence[ReportColumn], *, added: Iterable[str] = ()) -> None:
        self._columns = tuple(columns)
        self._added = frozenset(added)
        self._rows: dict[Values, Mapping[str, ReportCell]] = {}
        self._words: dict[Values, str] = {}

    def add(self, name: Values, cells: Mapping[str, ReportCell], *, words: str = "") -> None:
        """`words` describe the row to people, if its name does not."""
        self._rows[name] = cells
        self._words[name] = words or " ".join(map(str, name))

    @property
    def names(self) -> tuple[Values, ...]:
        return tuple(self._rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(
            tuple(row.get(column.key, EMPTY) for column in self._columns)
            for row in self._rows.values()
        )

    def total(self, key: str) -> ReportCell:
        """The sum of a column over its rows that are not zero; empty if no row has a value."""
        kind = next(column.kind for column in self._columns if column.key == key)
        parts = [
            Component(self._words[name], row[key], kind)
            for name, row in self._rows.items()
            if key in row and isinstance(row[key].value, int)
        ]
        return added(part for part in parts if part.cell.value) if parts else EMPTY

    def totals(self, made: Mapping[str, ReportCell]) -> Row:
        """`made` are cells that are not sums, such as a ratio of two totals."""
        if not self._rows:
            return ()
        return tuple(
            made[column.key]
            if column.key in made
            else self.total(column.key)
            if column.key in self._added
            else EMPTY
            for column in self._columns
        )


def with_note(report: Report, *notes: str) -> Report:
    """Return the report with notes in front of its own."""
    return structs.replace(report, notes=(*notes, *report.notes))


def capped(every: Iterable[str]) -> list[str]:
    """The first of many lines, and the number of the others."""
    lines = list(every)
    if len(lines) <= NOTES_MAX:
        return lines
    return [*lines[:NOTES_MAX], f"and {len(lines) - NOTES_MAX:,} more"]


def text(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.TEXT)


def cents(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.CENTS)


def result(key: str, title: str) -> ReportColumn:
    """A column of gains and losses of the house."""
    return ReportColumn(key, title, ValueKind.CENTS, is_result=True)


def count(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.COUNT)


def share_column(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.SHARE)


def number(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.NUMBER)


class ReportKind(Struct, frozen=True):
    """A kind of report: its names, the inputs that it needs, and the function that builds it."""

    name: str
    title: str
    words: str
    needs: tuple[str, ...]
    build: Callable[[ReportInputs, ReportQuery], Report]
    presets: tuple[str, ...] = ()
