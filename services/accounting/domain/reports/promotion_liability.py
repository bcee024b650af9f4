"""Promotion liability: coupons that are out at the end of a day, by promotion and age."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports.figures import Figures
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    EMPTY,
    Cell,
    Grid,
    Period,
    Question,
    Report,
    ReportKind,
    cents,
    count,
    figure,
    text,
)

COLUMNS: Final = (
    text("promotion", "Promotion"),
    text("age", "Age"),
    count("coupons", "Coupons"),
    cents("face", "Face"),
    cents("expected", "Expected cost"),
)


def build(figures: Figures, question: Question) -> Report:
    grid = Grid(COLUMNS, added=("coupons", "face", "expected"))
    as_of = Period(question.period.until_day, question.period.until_day)
    for each in figures.outstanding:
        scope: dict[str, tuple[str | int, ...]] = {
            "promotion": (each.promotion.promotion,),
            "age_min": (each.age_min,),
            "age_max": (each.age_max,),
        }
        one = figures.shares.get(each.promotion.promotion)
        grid.add(
            {
                "promotion": Cell(each.promotion.title),
                "age": Cell(each.band),
                "coupons": Cell(each.coupons),
                "face": figure(
                    {Leaf.OUTSTANDING_FACE: each.face}, ((Leaf.OUTSTANDING_FACE, 1),), as_of, scope
                ),
                "expected": Cell(round(one * each.coupons)) if one is not None else EMPTY,
            }
        )
    notes = (
        f"As of the end of {question.period.until_day}.",
        "The expected cost is that of the rule set which most rounds of these days were played by,"
        " among those where the terms allow the coupon; empty where there is none.",
    )
    totals = grid.totals({"promotion": Cell("total")})
    return Report(KIND.name, KIND.title, COLUMNS, grid.rows, totals, notes)


KIND: Final = ReportKind(
    "promotion_liability",
    "Promotion liability",
    "Coupons outstanding by promotion and age, their face value and what they are likely to cost.",
    ("outstanding", "played"),
    build,
)
