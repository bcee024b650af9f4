"""Slip sequence: gaps, voids, halves and signers of every numbered paper."""

from __future__ import annotations

from collections import Counter
from typing import Final

from accounting.domain.reports.figures import Figures, Slip
from accounting.domain.reports.report import (
    Cell,
    Grid,
    Question,
    Report,
    ReportKind,
    capped,
    count,
    text,
)
from accounting.domain.reports.slip_series import (
    KINDS,
    NUMBERED,
    all_series,
    halves,
    size,
    split,
    unsigned,
    words,
)

COLUMNS: Final = (
    text("kind", "Kind"),
    text("series", "Series"),
    count("first", "First"),
    count("last", "Last"),
    count("used", "Used"),
    count("missing", "Missing"),
    count("explained", "Explained"),
    count("voids", "Void"),
    count("halves", "Halves or numbers wrong"),
    count("unsigned", "Signatures wrong"),
)
ADDED: Final = ("used", "missing", "explained", "voids", "halves", "unsigned")


def build(figures: Figures, _: Question) -> Report:
    grid = Grid(COLUMNS, added=ADDED)
    half, wrong = halves(figures.slips), unsigned(figures.slips)
    half_by, wrong_by = (
        Counter(_place(slip) for slip, _ in half),
        Counter(_place(slip) for slip, _ in wrong),
    )
    series = all_series(figures.slips)
    lines = [
        f"{each.kind} {each.name}: {words(each.missing)} missing" for each in series if each.missing
    ]
    rows: set[tuple[str, str]] = set()
    for each in series:
        place = (each.kind, each.name)
        rows.add(place)
        grid.add(
            {
                "kind": Cell(each.kind),
                "series": Cell(each.name),
                "first": Cell(each.first),
                "last": Cell(each.last),
                "used": Cell(each.used),
                "missing": Cell(size(each.missing)),
                "explained": Cell(each.explained),
                "voids": Cell(each.voids),
                "halves": Cell(half_by[place]),
                "unsigned": Cell(wrong_by[place]),
            }
        )
    for place in sorted({_place(slip) for slip in figures.slips if _counts(slip)} - rows):
        papers = [each for each in figures.slips if _counts(each) and _place(each) == place]
        grid.add(
            {
                "kind": Cell(place[0]),
                "series": Cell(place[1]),
                "used": Cell(len({each.name for each in papers})),
                "missing": Cell(0),
                "explained": Cell(0),
                "voids": Cell(0),
                "halves": Cell(half_by[place]),
                "unsigned": Cell(wrong_by[place]),
            }
        )
    lines += [f"{_named(slip)} {lacks}" for slip, lacks in (*half, *wrong)]
    lines += [
        f"{each.name} is void: {each.reason}"
        for each in figures.slips
        if each.kind == "slip_voided" and not each.is_before
    ]
    lines += [
        f"{each.name} {each.first} to {each.last} explained: {each.reason}"
        for each in figures.slips
        if each.kind == "slips_explained" and not each.is_before
    ]
    notes = (
        "A series is what slips of one kind have before their last number. A fill or a credit is"
        " signed by cashier, security, dealer and supervisor, all others by two persons.",
        *capped(lines),
    )
    totals = grid.totals({"kind": Cell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, totals, notes)


def _counts(slip: Slip) -> bool:
    return slip.kind in KINDS and not slip.is_before


def _place(slip: Slip) -> tuple[str, str]:
    """Kind and series. Boxes have no series of their own: they go round."""
    kind = KINDS[slip.kind]
    return kind, split(slip.name)[0] if kind in NUMBERED else ""


def _named(slip: Slip) -> str:
    where = "at the table" if slip.side == "table" else "in the cage"
    return f"{KINDS[slip.kind]} {slip.name} of {slip.table} ({where})"


KIND: Final = ReportKind(
    "slip_sequence",
    "Slip sequence",
    "Series of slips with gaps, voids, missing halves and missing or repeated signers.",
    ("slips",),
    build,
)
