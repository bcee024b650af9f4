"""A report as a plain value: typed columns, rows of cells, totals, notes.

A cell without a value is empty: the figure does not exist, which is not the same as nothing. A
cell that is made of facts says which, so that whoever asks can see them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from msgspec import Struct

from accounting.domain.reports.figures import Figures
from accounting.domain.reports.leaves import Leaf, Terms

NOTES_MAX: Final = 50
"""Lines of one kind in the notes: what is more is counted."""


class Kind(StrEnum):
    TEXT = "text"
    CENTS = "cents"
    COUNT = "count"
    SHARE = "share"
    """Millionths."""
    NUMBER = "number"
    """Thousandths."""


class Column(Struct, frozen=True):
    key: str
    title: str
    kind: Kind


Scope = tuple[tuple[str, tuple[str | int, ...]], ...]
"""Which facts: for each name, the values that it may have."""


class Drill(Struct, frozen=True, array_like=True):
    """Which facts a figure is made of: enough to ask for them again."""

    terms: tuple[tuple[str, int], ...]
    from_day: str
    until_day: str
    scope: Scope = ()


class Cell(Struct, frozen=True):
    value: str | int | None = None
    drill: Drill | None = None


EMPTY: Final = Cell()
PLACES_MAX: Final = 500
"""Of a total that can be asked for as one: more would be a token of many kilobytes."""
Row = tuple[Cell, ...]


class Report(Struct, frozen=True):
    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    totals: Row = ()
    notes: tuple[str, ...] = ()


class Period(Struct, frozen=True):
    """The gaming days of a report, as text."""

    from_day: str
    until_day: str


class Question(Struct, frozen=True):
    """What is asked of a report, and what the house has set."""

    period: Period
    table: str = ""
    preset: str = ""
    coupon_winnings_reduce_tax: bool = True


class Grid:
    """Rows by column key; totals of the columns that are to be added up."""

    def __init__(self, columns: Sequence[Column], *, added: Iterable[str] = ()) -> None:
        self._columns = tuple(columns)
        self._added = frozenset(added)
        self._rows: list[Mapping[str, Cell]] = []

    def add(self, cells: Mapping[str, Cell]) -> None:
        self._rows.append(cells)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(
            tuple(row.get(column.key, EMPTY) for column in self._columns) for row in self._rows
        )

    def total(self, key: str) -> int | None:
        """The sum of a column; none where no row has a figure."""
        found = [row[key].value for row in self._rows if key in row]
        numbers = [each for each in found if isinstance(each, int)]
        return sum(numbers) if numbers else None

    def _joint(self, key: str) -> Drill | None:
        """What all figures of a column are made of together.

        None where that cannot be asked as one question: a row has no such figure, figures are made
        of other terms, or the days and places of the rows are not every day at every place.
        """
        found = [row[key].drill for row in self._rows if key in row]
        drills = [each for each in found if each is not None]
        if not drills or len(drills) < len(self._rows) or len({each.terms for each in drills}) > 1:
            return None
        days = {(each.from_day, each.until_day) for each in drills}
        scopes = {each.scope for each in drills}
        if len(set(drills)) < len(drills) or len(days) * len(scopes) != len(drills):
            return None
        joint = _joint_scope(scopes)
        if joint is None or not _are_apart(days):
            return None
        first, last = min(days)[0], max(days)[1]
        return Drill(drills[0].terms, first, last, joint)

    def totals(self, made: Mapping[str, Cell]) -> Row:
        """`made` are cells that are no sums, such as a share of two totals."""
        if not self._rows:
            return ()
        return tuple(
            made[column.key]
            if column.key in made
            else Cell(self.total(column.key), self._joint(column.key))
            if column.key in self._added
            else EMPTY
            for column in self._columns
        )


def _joint_scope(scopes: Iterable[Scope]) -> Scope | None:
    """One place that is all of these: they differ in the values of one name at the most."""
    names = {tuple(name for name, _ in scope) for scope in scopes}
    if len(names) > 1:
        return None
    values: dict[str, set[tuple[str | int, ...]]] = {}
    for scope in scopes:
        for name, some in scope:
            values.setdefault(name, set()).add(tuple(some))
    several = [name for name, found in values.items() if len(found) > 1]
    if len(several) > 1 or any(len(found) > PLACES_MAX for found in values.values()):
        return None
    return tuple(
        (name, tuple(sorted({each for some in found for each in some}, key=str)))
        for name, found in values.items()
    )


def _are_apart(days: Iterable[tuple[str, str]]) -> bool:
    """Whether no day is in two of them."""
    ordered = sorted(days)
    return all(one[1] < other[0] for one, other in pairwise(ordered))


def figure(
    sums: Mapping[Leaf, int], terms: Terms, period: Period, scope: Mapping[str, Sequence[str | int]]
) -> Cell:
    """A figure with what it is made of."""
    return Cell(amount(sums, terms), drill(terms, period, scope))


def drill(terms: Terms, period: Period, scope: Mapping[str, Sequence[str | int]]) -> Drill:
    return Drill(
        tuple((leaf.value, sign) for leaf, sign in terms),
        period.from_day,
        period.until_day,
        tuple((name, tuple(values)) for name, values in scope.items()),
    )


def amount(sums: Mapping[Leaf, int], terms: Terms) -> int:
    return sum(sign * sums.get(leaf, 0) for leaf, sign in terms)


def share(part: int | float | None, whole: int | None) -> Cell:
    """Millionths; empty where there is nothing to have a share of.

    >>> share(125, 10_000).value, share(1, 0).value
    (12500, None)
    """
    if part is None or not whole:
        return EMPTY
    return Cell(round(part * 1_000_000 / whole))


def capped(lines: Sequence[str]) -> list[str]:
    """The first of many lines, and how many more there are."""
    if len(lines) <= NOTES_MAX:
        return list(lines)
    return [*lines[:NOTES_MAX], f"and {len(lines) - NOTES_MAX:,} more"]


def summed(every: Iterable[Mapping[Leaf, int]]) -> dict[Leaf, int]:
    """Sums of sums."""
    total: dict[Leaf, int] = {}
    for sums in every:
        for leaf, cents in sums.items():
            total[leaf] = total.get(leaf, 0) + cents
    return total


def text(key: str, title: str) -> Column:
    return Column(key, title, Kind.TEXT)


def cents(key: str, title: str) -> Column:
    return Column(key, title, Kind.CENTS)


def count(key: str, title: str) -> Column:
    return Column(key, title, Kind.COUNT)


def share_column(key: str, title: str) -> Column:
    return Column(key, title, Kind.SHARE)


def number(key: str, title: str) -> Column:
    return Column(key, title, Kind.NUMBER)


class ReportKind(Struct, frozen=True):
    """A report that there is: its names, the figures that it needs, and how it is made of them."""

    name: str
    title: str
    words: str
    needs: tuple[str, ...]
    build: Callable[[Figures, Question], Report]
    presets: tuple[str, ...] = ()
