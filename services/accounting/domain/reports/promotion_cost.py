"""Promotion cost: winnings paid on coupons, against the cost expected by terms and odds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from accounting.domain.reports.composition import (
    EMPTY,
    Component,
    ReportCell,
    ValueKind,
    added,
    by_formula,
    figure,
    in_whole_cents,
    less,
)
from accounting.domain.reports.inputs import ExpectedCost, ReportInputs
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    cents,
    count,
    result,
    text,
)
from blackjack.display_names import wager_name
from blackjack.money import format_cents
from blackjack.rulebook.promotions import PromotionKind, Terms

COLUMNS: Final = (
    text("promotion", "Promotion"),
    text("terms", "Terms"),
    text("kind", "Kind"),
    cents("face", "Face value"),
    count("redeemed", "Redeemed at tables"),
    cents("redeemed_face", "Redeemed, face"),
    cents("winnings_paid", "Winnings paid"),
    cents("expected", "Expected cost"),
    result("difference", "Expected minus paid"),
    cents("in_wagers", "Expected, within wagers"),
    count("unvalued", "Not valued"),
    cents("desk_paid", "Paid at promotions desk"),
)
ADDED: Final = (
    "redeemed", "redeemed_face", "winnings_paid", "expected", "difference", "in_wagers", "unvalued",
    "desk_paid",
)  # fmt: skip


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=ADDED)
    unknown: list[str] = []
    for coupons in inputs.coupons:
        name, terms = coupons.promotion.promotion, coupons.promotion.terms
        scope = {"promotion": (name,)}
        at_tables = scope | query.scope
        redeemed, face, paid = (
            figure(coupons.sums, ((leaf, 1),), query.period, at_tables)
            for leaf in (Leaf.REDEEMED, Leaf.REDEEMED_FACE, Leaf.PROMOTION_COST)
        )
        costs = inputs.costs.get(name, ())
        unvalued = added(_coupons(one) for one in costs if one.cents is None)
        cells = {
            "promotion": ReportCell(coupons.promotion.title),
            "terms": ReportCell(coupons.promotion.short),
            "kind": ReportCell(
                terms.kind.value.replace("_", " ") if terms is not None else "unknown"
            ),
            "face": _face(terms.face_cents, name) if terms is not None else EMPTY,
            "redeemed": redeemed,
            "redeemed_face": face,
            "winnings_paid": paid,
            "unvalued": unvalued,
            "desk_paid": figure(coupons.sums, ((Leaf.DESK_PAID, 1),), query.period, scope),
        }
        if unvalued.value:
            unknown.append(f"{unvalued.value} of {coupons.promotion.words}")
        if unvalued.value != redeemed.value or not redeemed.value:
            column = "in_wagers" if _pays_nothing_itself(terms) else "expected"
            cells[column] = added(_expected(costs))
        if "in_wagers" not in cells:
            expected = cells.get("expected", added(()))
            cells["difference"] = added(
                (Component("expected cost", expected), less(Component("winnings paid", paid)))
            )
        grid.add((name,), cells, words=coupons.promotion.words)
    notes = [
        "The expected cost is exact, by the terms of the redeemed coupons, the rule set and the"
        " wager they lay on. A free ace pays nothing itself: its cost is in the winnings of its"
        " wager, so there is no payment to compare it with.",
    ]
    if unknown:
        notes.append(
            "Not valued, because terms or rules are unknown or do not allow the coupon on its"
            f" wager: {', '.join(unknown)}. Winnings paid on them are in the difference."
        )
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.names,
        grid.totals({"promotion": ReportCell("total")}),
        tuple(notes),
    )


def _pays_nothing_itself(terms: Terms | None) -> bool:
    return terms is not None and terms.kind is PromotionKind.FREE_ACE


def _face(face_cents: int, promotion: str) -> ReportCell:
    stated = Component(f"terms {promotion[:12]}", ReportCell(face_cents))
    return by_formula(face_cents, "from the terms", stated)


def _expected(costs: Sequence[ExpectedCost]) -> Iterable[Component]:
    """One component for equal coupons: their number times the cost of one."""
    valued = [(cost, cost.cents) for cost in costs if cost.cents is not None]
    amounts = in_whole_cents(one * cost.redeemed.coupons for cost, one in valued)
    for (cost, one), cents_ in zip(valued, amounts, strict=True):
        coupons = _coupons(cost)
        unit = Component("cost of one, in cents", ReportCell(round(one * 1_000)), ValueKind.NUMBER)
        yield Component(coupons.words, by_formula(cents_, "coupons x cost of one", coupons, unit))


def _coupons(cost: ExpectedCost) -> Component:
    alike = cost.redeemed
    rules = alike.rule_set[:12] or "unknown"
    words = f"on {wager_name(alike.wager)} of {format_cents(alike.placed)} by rule set {rules}"
    return Component(words, ReportCell(alike.coupons), ValueKind.COUNT)


KIND: Final = ReportKind(
    "promotion_cost",
    "Promotion cost",
    "Winnings paid on coupons, against the exact expected cost of the redeemed ones.",
    ("coupons", "redemptions", "promotions"),
    build,
)
