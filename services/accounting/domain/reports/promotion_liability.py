"""Promotion liability: outstanding coupons at the end of a day, by promotion and age."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    Period,
    ReportCell,
    ValueKind,
    by_formula,
    figure,
)
from accounting.domain.reports.inputs import ReportInputs
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    count,
    text,
)

COLUMNS: Final = (
    text("promotion", "Promotion"),
    text("terms", "Terms"),
    text("age", "Age"),
    count("coupons", "Coupons"),
    cents("face", "Face value"),
    cents("expected", "Expected cost"),
)


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=("coupons", "face", "expected"))
    as_of = Period(query.period.until_day, query.period.until_day)
    for outstanding in inputs.outstanding:
        scope: dict[str, tuple[str | int, ...]] = {
            "promotion": (outstanding.promotion.promotion,),
            "age_min": (outstanding.age_min,),
            "age_max": (outstanding.age_max,),
        }
        sums = {Leaf.OUTSTANDING: outstanding.coupons, Leaf.OUTSTANDING_FACE: outstanding.face}
        coupons = figure(sums, ((Leaf.OUTSTANDING, 1),), as_of, scope)
        one = inputs.shares.get(outstanding.promotion.promotion)
        grid.add(
            (outstanding.promotion.promotion, outstanding.band),
            {
                "promotion": ReportCell(outstanding.promotion.title),
                "terms": ReportCell(outstanding.promotion.short),
                "age": ReportCell(outstanding.band),
                "coupons": coupons,
                "face": figure(sums, ((Leaf.OUTSTANDING_FACE, 1),), as_of, scope),
                "expected": _expected(Component("coupons", coupons, ValueKind.COUNT), one),
            },
            words=f"{outstanding.promotion.words}, {outstanding.band}",
        )
    notes = (
        f"As of the end of {query.period.until_day}.",
        "The expected cost is by the rule set with the most rounds on these days among those that"
        " the terms allow; empty if there is none.",
    )
    totals = grid.totals({"promotion": ReportCell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, grid.names, totals, notes)


def _expected(coupons: Component, one: float | None) -> ReportCell:
    if one is None:
        return EMPTY
    cost = Component("cost of one, in cents", ReportCell(round(one * 1_000)), ValueKind.NUMBER)
    value = round(one * int(coupons.cell.value or 0))
    return by_formula(value, "coupons x cost of one", coupons, cost)


KIND: Final = ReportKind(
    "promotion_liability",
    "Promotion liability",
    "Outstanding coupons by promotion and age, their face value and expected cost.",
    ("outstanding", "played"),
    build,
)
