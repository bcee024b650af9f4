"""Promotion cost: what coupons were paid, against what their terms and the odds expect."""

from __future__ import annotations

from typing import Final

from accounting.domain.reports.figures import ExpectedCost, Figures
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Cell,
    Grid,
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
    text("kind", "Kind"),
    cents("face", "Face of one"),
    count("redeemed", "Redeemed at tables"),
    cents("redeemed_face", "Redeemed, face"),
    cents("winnings_paid", "Winnings paid"),
    cents("expected", "Expected cost"),
    cents("difference", "Paid less expected"),
    count("unvalued", "Not valued"),
    cents("desk_paid", "Paid at the desk"),
)
ADDED: Final = (
    "redeemed", "redeemed_face", "winnings_paid", "expected", "difference", "unvalued", "desk_paid",
)  # fmt: skip


def build(figures: Figures, question: Question) -> Report:
    grid = Grid(COLUMNS, added=ADDED)
    unknown: list[str] = []
    for each in figures.coupons:
        name, terms = each.promotion.promotion, each.promotion.terms
        scope = {"promotion": (name,)}
        at_tables = scope | ({"table": (question.table,)} if question.table else {})
        paid = figure(each.sums, ((Leaf.PROMOTION_COST, 1),), question.period, at_tables)
        expected = figures.costs.get(name, ExpectedCost(0.0, 0))
        cells = {
            "promotion": Cell(each.promotion.title),
            "kind": Cell(terms.kind.value.replace("_", " ") if terms is not None else "unknown"),
            "face": Cell(terms.face_cents if terms is not None else None),
            "redeemed": Cell(each.redeemed),
            "redeemed_face": figure(
                each.sums, ((Leaf.REDEEMED_FACE, 1),), question.period, at_tables
            ),
            "winnings_paid": paid,
            "desk_paid": figure(each.sums, ((Leaf.DESK_PAID, 1),), question.period, scope),
        }
        if expected.unvalued:
            unknown.append(f"{expected.unvalued} of {each.promotion.title}")
        if expected.unvalued < each.redeemed or not each.redeemed:
            cells["expected"] = Cell(round(expected.cents))
            cells["difference"] = Cell(each.sums[Leaf.PROMOTION_COST] - round(expected.cents))
        cells["unvalued"] = Cell(expected.unvalued)
        grid.add(cells)
    notes = [
        "Expected is the exact cost of the coupons that were spent, by their terms, the rule set"
        " and the wager they lay on; a free ace pays nothing itself, its cost is in the wager.",
    ]
    if unknown:
        notes.append(
            "Not valued, because terms or rules are not known, or do not allow a coupon where it"
            f" lay: {', '.join(unknown)}. Winnings paid on them are in the difference."
        )
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.totals({"promotion": Cell("total")}),
        tuple(notes),
    )


KIND: Final = ReportKind(
    "promotion_cost",
    "Promotion cost",
    "What was paid on coupons, against the exact expected cost of those that were redeemed.",
    ("coupons", "redemptions", "promotions"),
    build,
)
