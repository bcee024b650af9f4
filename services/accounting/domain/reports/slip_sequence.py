"""Slip sequence: gaps, voids, halves and signers of every numbered slip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from accounting.domain.reports.composition import (
    Component,
    FactReference,
    ReportCell,
    ValueKind,
    added,
    by_formula,
)
from accounting.domain.reports.inputs import ReportInputs, SlipRecord
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    capped,
    count,
    text,
)
from accounting.domain.reports.slip_series import (
    KINDS,
    NUMBERED,
    Range,
    Series,
    all_series,
    halves,
    size,
    split,
    unsigned,
    words,
)
from blackjack.money import format_cents

COLUMNS: Final = (
    text("kind", "Kind"),
    text("series", "Series"),
    count("first", "First"),
    count("last", "Last"),
    count("used", "Used"),
    count("missing", "Missing"),
    count("explained", "Explained"),
    count("voids", "Voided"),
    count("halves", "Unmatched halves or numbers"),
    count("unsigned", "Signature exceptions"),
)
Place = tuple[str, str]
"""Kind and series."""
ADDED: Final = ("used", "missing", "explained", "voids", "halves", "unsigned")


def build(inputs: ReportInputs, _: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=ADDED)
    half, wrong = halves(inputs.slips), unsigned(inputs.slips)
    by_place: dict[Place, list[SlipRecord]] = {}
    for slip in inputs.slips:
        if _counts(slip):
            by_place.setdefault(_place(slip), []).append(slip)
    series = {(line.kind, line.name): line for line in all_series(inputs.slips)}
    for place in (*series, *sorted(by_place.keys() - series.keys())):
        papers = by_place.get(place, [])
        cells = {"kind": ReportCell(place[0]), "series": ReportCell(place[1])}
        if place in series:
            cells |= _numbered(series[place], papers)
        else:
            nothing = {key: added(()) for key in ("missing", "explained", "voids")}
            cells |= {"used": added(_papers({paper.name for paper in papers}, papers)), **nothing}
        cells["halves"] = added(_defects(half, place))
        cells["unsigned"] = added(_defects(wrong, place))
        grid.add(place, cells)
    lines = [
        f"{series_.kind} {series_.name}: {words(series_.missing)} missing"
        for series_ in series.values()
        if series_.missing
    ]
    lines += [f"{_named(slip)} {defect}" for slip, defect in (*half, *wrong)]
    lines += [
        f"{slip.name} voided: {slip.reason}"
        for slip in inputs.slips
        if slip.kind == "slip_voided" and not slip.is_before
    ]
    lines += [
        f"{slip.name} {slip.first} to {slip.last} explained: {slip.reason}"
        for slip in inputs.slips
        if slip.kind == "slips_explained" and not slip.is_before
    ]
    notes = (
        "A series is the common prefix of slips of one kind. Fills and credits are signed by"
        " cashier, security, dealer and supervisor, all others by two persons.",
        *capped(lines),
    )
    totals = grid.totals({"kind": ReportCell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, notes)


def _numbered(series: Series, papers: Sequence[SlipRecord]) -> dict[str, ReportCell]:
    named = {number: f"{series.name}{_written(series, number, papers)}" for number in series.used}
    first, last = (
        by_formula(number, "the number of this slip", *_papers({named[number]}, papers, number))
        for number in (series.first, series.last)
    )
    return {
        "first": first,
        "last": last,
        "used": added(_papers(set(named.values()), papers)),
        "missing": added(_ranges(series.missing, "missing")),
        "explained": added(_ranges(series.explained, "explained")),
        "voids": added(
            Component(f"{series.name}{number} voided", ReportCell(1), ValueKind.COUNT)
            for number in series.voids
        ),
    }


def _written(series: Series, number: int, papers: Sequence[SlipRecord]) -> str:
    """The number as written on the slip, with its leading zeros."""
    for paper in papers:
        if split(paper.name) == (series.name, number):
            return paper.name.removeprefix(series.name)
    return str(number)


def _papers(
    names: Iterable[str], papers: Sequence[SlipRecord], value: int = 1
) -> Iterable[Component]:
    """One component for each slip; its half at the table, if there is one."""
    by_name: dict[str, SlipRecord] = {}
    for paper in papers:
        by_name.setdefault(paper.name, paper)
    for name in sorted(names):
        if name in by_name:
            yield _paper(by_name[name], _named(by_name[name]), value)


def _defects(found: Sequence[tuple[SlipRecord, str]], place: Place) -> Iterable[Component]:
    for number, (slip, defect) in enumerate(item for item in found if _place(item[0]) == place):
        yield _paper(slip, f"{number + 1}. {_named(slip)} {defect}", 1)


def _paper(slip: SlipRecord, words_: str, value: int) -> Component:
    fact = FactReference(
        slip.kind, slip.day, slip.at, slip.table, seq=slip.seq, event_id=slip.event_id
    )
    return Component(
        f"{words_}, {format_cents(slip.cents)}", ReportCell(value), ValueKind.COUNT, fact
    )


def _ranges(ranges: Iterable[Range], what: str) -> Iterable[Component]:
    for span in ranges:
        yield Component(f"{words([span])} {what}", ReportCell(size([span])), ValueKind.COUNT)


def _counts(slip: SlipRecord) -> bool:
    return slip.kind in KINDS and not slip.is_before


def _place(slip: SlipRecord) -> Place:
    """Boxes have no series of their own: they are reused."""
    kind = KINDS[slip.kind]
    return kind, split(slip.name)[0] if kind in NUMBERED else ""


def _named(slip: SlipRecord) -> str:
    where = "at the table" if slip.side == "table" else "in the cage"
    return f"{KINDS[slip.kind]} {slip.name} of {slip.table} ({where})"


KIND: Final = ReportKind(
    "slip_sequence",
    "Slip sequence",
    "Series of slips with gaps, voids, missing halves and missing or repeated signers.",
    ("slips",),
    build,
)
