"""A report as a plain value: typed columns, rows of cells, totals, notes.

A cell without a value is empty: the figure does not exist, which is not the same as nothing.
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
"""Lines of one kind in the notes: what is more is counted."""


class ReportColumn(Struct, frozen=True):
    key: str
    title: str
    kind: ValueKind
    is_result: bool = False
    """Whether its amounts are gains and losses of the house, positive for a gain."""


Row = tuple[ReportCell, ...]


class Report(Struct, frozen=True):
    """`names` say which row is which, whatever else has changed."""

    name: str
    title: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[Row, ...]
    names: tuple[Values, ...]
    totals: Row = ()
    notes: tuple[str, ...] = ()

    def cell(self, row: Values, column: str) -> ReportCell | None:
        """By the name of its row, or none for the totals; None where there is none such."""
        cells = dict(zip(self.names, self.rows, strict=True)).get(row) if row else self.totals
        places = {column.key: place for place, column in enumerate(self.columns)}
        return cells[places[column]] if cells and column in places else None

    def kind_of(self, column: str) -> ValueKind:
        return next(known.kind for known in self.columns if known.key == column)


class ReportQuery(Struct, frozen=True):
    """What is asked of a report, and what the house has set."""

    period: Period
    table: str = ""
    preset: str = ""
    coupon_winnings_reduce_tax: bool = True

    @property
    def scope(self) -> dict[str, tuple[str, ...]]:
        """Of facts that lie at tables."""
        return {"table": (self.table,)} if self.table else {}


class ReportRows:
    """Rows by column key, each under a name; totals of the columns that are to be added up."""

    def __init__(self, columns: Sequence[ReportColumn], *, added: Iterable[str] = ()) -> None:
        self._columns = tuple(columns)
        self._added = frozenset(added)
        self._rows: dict[Values, Mapping[str, ReportCell]] = {}
        self._words: dict[Values, str] = {}

    def add(self, name: Values, cells: Mapping[str, ReportCell], *, words: str = "") -> None:
        """`words` are how people call the row, where its name does not say."""
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
        """The sum of a column, made of rows that are not nought; empty where none has a figure."""
        kind = next(column.kind for column in self._columns if column.key == key)
        parts = [
            Component(self._words[name], row[key], kind)
            for name, row in self._rows.items()
            if key in row and isinstance(row[key].value, int)
        ]
        return added(part for part in parts if part.cell.value) if parts else EMPTY

    def totals(self, made: Mapping[str, ReportCell]) -> Row:
        """`made` are cells that are no sums, such as a share of two totals."""
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
    """With what a reader must know before all else."""
    return structs.replace(report, notes=(*notes, *report.notes))


def capped(said: Iterable[str]) -> list[str]:
    """The first of many lines, and how many more there are."""
    lines = list(said)
    if len(lines) <= NOTES_MAX:
        return lines
    return [*lines[:NOTES_MAX], f"and {len(lines) - NOTES_MAX:,} more"]


def text(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.TEXT)


def cents(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.CENTS)


def result(key: str, title: str) -> ReportColumn:
    """A gain or a loss of the house."""
    return ReportColumn(key, title, ValueKind.CENTS, is_result=True)


def count(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.COUNT)


def share_column(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.SHARE)


def number(key: str, title: str) -> ReportColumn:
    return ReportColumn(key, title, ValueKind.NUMBER)


class ReportKind(Struct, frozen=True):
    """A report that there is: its names, the figures that it needs, and how it is made of them."""

    name: str
    title: str
    words: str
    needs: tuple[str, ...]
    build: Callable[[ReportInputs, ReportQuery], Report]
    presets: tuple[str, ...] = ()
