"""The composition of an amount in a report: facts, or other amounts down to facts.

An amount that sums facts has a `DrillQuery`, which selects them again when a user drills down. Any
other amount (a share, a theoretical win, the effect of a cause, a total) has components, which are
amounts themselves, down to facts. Components add up to their amount, unless a formula states how
it follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from accounting.domain.reports.leaves import Leaf, Terms


class ValueKind(StrEnum):
    TEXT = "text"
    CENTS = "cents"
    COUNT = "count"
    SHARE = "share"
    """Millionths."""
    NUMBER = "number"
    """Thousandths."""


class Period(Struct, frozen=True):
    """The gaming days of a report, as text."""

    from_day: str
    until_day: str


Values = tuple[str | int, ...]
Scope = Mapping[str, Sequence[str | int]]
"""A filter of facts: the allowed values by name."""


class DrillQuery(Struct, frozen=True, array_like=True):
    """Selects the facts that an amount sums."""

    terms: tuple[tuple[str, int], ...]
    from_day: str
    until_day: str
    scope: tuple[tuple[str, Values], ...] = ()


class FactReference(Struct, frozen=True):
    """Identifies a fact, as far as it is known."""

    kind: str
    day: str = ""
    at: int = 0
    table: str = ""
    round: str = ""
    opening_seq: int = 0
    seq: int = 0
    event_id: str = ""


class ReportCell(Struct, frozen=True):
    """A value and its composition: facts by `drill`, or components by `made`."""

    value: str | int | None = None
    drill: DrillQuery | None = None
    made: Callable[[], Composition] | None = None


class Component(Struct, frozen=True):
    """An amount within another, under words that are unique in it; or a fact."""

    words: str
    cell: ReportCell
    kind: ValueKind = ValueKind.CENTS
    fact: FactReference | None = None


class Composition(Struct, frozen=True):
    parts: tuple[Component, ...]
    formula: str = ""
    """How the amount follows from its parts; empty where they add up to it."""


EMPTY: Final = ReportCell()


def figure(sums: Mapping[Leaf, int], terms: Terms, period: Period, scope: Scope) -> ReportCell:
    """A cell that sums facts."""
    return ReportCell(amount(sums, terms), drill(terms, period, scope))


def drill(terms: Terms, period: Period, scope: Scope) -> DrillQuery:
    return DrillQuery(
        tuple((leaf.value, sign) for leaf, sign in terms),
        period.from_day,
        period.until_day,
        tuple((name, tuple(values)) for name, values in scope.items()),
    )


def amount(sums: Mapping[Leaf, int], terms: Terms) -> int:
    return sum(sign * sums.get(leaf, 0) for leaf, sign in terms)


def summed(every: Iterable[Mapping[Leaf, int]]) -> dict[Leaf, int]:
    """Add up sums by leaf."""
    total: dict[Leaf, int] = {}
    for sums in every:
        for leaf, cents in sums.items():
            total[leaf] = total.get(leaf, 0) + cents
    return total


def added(parts: Iterable[Component]) -> ReportCell:
    """The sum of its parts."""
    every = tuple(parts)
    return ReportCell(total_of(every), made=lambda: Composition(every))


def total_of(parts: Iterable[Component]) -> int:
    return sum(part.cell.value for part in parts if isinstance(part.cell.value, int))


def by_formula(value: int | None, formula: str, *parts: Component) -> ReportCell:
    """A cell whose value follows from others by a formula."""
    return (
        ReportCell(value, made=lambda: Composition(parts, formula)) if value is not None else EMPTY
    )


def ratio(part: Component, whole: Component) -> ReportCell:
    """A share in millionths; empty where the whole is zero.

    >>> def part(words, cents):
    ...     return Component(words, ReportCell(cents))
    >>> ratio(part("win", 125), part("drop", 10_000)).value
    12500
    >>> ratio(part("win", 1), part("drop", 0)).value is None
    True
    """
    some, all_ = part.cell.value, whole.cell.value
    if not isinstance(some, int) or not isinstance(all_, int) or not all_:
        return EMPTY
    return by_formula(round(some * 1_000_000 / all_), f"{part.words} / {whole.words}", part, whole)


def less(part: Component) -> Component:
    """The same component, subtracted."""
    taken = part.cell.value
    if not isinstance(taken, int):
        return part
    made: Callable[[], Composition] | None = None
    if part.cell.drill is not None or part.cell.made is not None:
        made = lambda: Composition((part,), "subtracted")  # noqa: E731
    return Component(f"less {part.words}", ReportCell(-taken, made=made), part.kind, part.fact)


def in_whole_cents(exact: Iterable[float]) -> list[int]:
    """Amounts rounded so that they add up to the rounded sum.

    >>> in_whole_cents([0.4, 0.4, 0.4])
    [0, 1, 0]
    """
    rounded: list[int] = []
    so_far = 0.0
    for share in exact:
        before = round(so_far)
        so_far += share
        rounded.append(round(so_far) - before)
    return rounded
