"""The coupon ledger: coupons of each promotion from issue to end, and their exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from accounting.domain.reports.composition import (
    Component,
    FactReference,
    Period,
    ReportCell,
    ValueKind,
    added,
    figure,
    less,
)
from accounting.domain.reports.inputs import CouponProblem, CouponSums, ReportInputs
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Report,
    ReportKind,
    ReportQuery,
    ReportRows,
    capped,
    cents,
    count,
    text,
)

COLUMNS: Final = (
    text("promotion", "Promotion"),
    text("terms", "Terms"),
    count("issued", "Issued"),
    count("redeemed", "Redeemed"),
    count("voided", "Voided"),
    count("expired", "Expired"),
    count("outstanding", "Outstanding"),
    cents("issued_face", "Issued, face"),
    cents("redeemed_face", "Redeemed, face"),
    cents("voided_face", "Voided, face"),
    cents("expired_face", "Expired, face"),
    cents("outstanding_face", "Outstanding, face"),
    cents("winnings_paid", "Winnings paid at tables"),
    cents("desk_paid", "Paid at promotions desk"),
    count("dropped", "Dropped"),
    count("undropped", "Redeemed minus dropped"),
    count("problems", "Exceptions"),
)
ADDED: Final = tuple(column.key for column in COLUMNS[1:])


def build(inputs: ReportInputs, query: ReportQuery) -> Report:
    grid = ReportRows(COLUMNS, added=ADDED)
    problems: dict[str, list[CouponProblem]] = {}
    for problem in inputs.coupon_problems:
        problems.setdefault(problem.promotion, []).append(problem)
    for coupons in inputs.coupons:
        name = coupons.promotion.promotion
        cells = _row(coupons, query, problems.get(name, []))
        grid.add((name,), cells, words=coupons.promotion.words)
    titles = {coupons.promotion.promotion: coupons.promotion.words for coupons in inputs.coupons}
    lines = [
        f"{titles.get(problem.promotion, problem.promotion)}, {_words(problem)}"
        for problem in inputs.coupon_problems
    ]
    notes = ["Outstanding: all coupons not ended by the end of the last day, whenever issued."]
    if query.table:
        notes.append(f"Redeemed, winnings and dropped: table {query.table} only.")
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.names,
        grid.totals({"promotion": ReportCell("total")}),
        (*notes, *capped(lines)),
    )


def _row(
    coupons: CouponSums, query: ReportQuery, problems: Sequence[CouponProblem]
) -> dict[str, ReportCell]:
    desk = {"promotion": (coupons.promotion.promotion,)}
    table = desk | query.scope
    period = query.period
    as_of = Period(period.until_day, period.until_day)

    def at_desk(*of: Leaf) -> ReportCell:
        return figure(coupons.sums, tuple((leaf, 1) for leaf in of), period, desk)

    def at_tables(leaf: Leaf) -> ReportCell:
        return figure(coupons.sums, ((leaf, 1),), period, table)

    def out(leaf: Leaf) -> ReportCell:
        return figure(coupons.sums, ((leaf, 1),), as_of, desk)

    if query.table:
        redeemed, face = at_tables(Leaf.REDEEMED), at_tables(Leaf.REDEEMED_FACE)
    else:
        redeemed = at_desk(Leaf.REDEEMED, Leaf.DESK_REDEEMED)
        face = at_desk(Leaf.REDEEMED_FACE, Leaf.DESK_REDEEMED_FACE)
    dropped = at_tables(Leaf.DROPPED)
    spent = Component("redeemed at tables", at_tables(Leaf.REDEEMED), ValueKind.COUNT)
    return {
        "promotion": ReportCell(coupons.promotion.title),
        "terms": ReportCell(coupons.promotion.short),
        "issued": at_desk(Leaf.ISSUED),
        "redeemed": redeemed,
        "voided": at_desk(Leaf.VOIDED),
        "expired": at_desk(Leaf.EXPIRED),
        "outstanding": out(Leaf.OUTSTANDING),
        "issued_face": at_desk(Leaf.ISSUED_FACE),
        "redeemed_face": face,
        "voided_face": at_desk(Leaf.VOIDED_FACE),
        "expired_face": at_desk(Leaf.EXPIRED_FACE),
        "outstanding_face": out(Leaf.OUTSTANDING_FACE),
        "winnings_paid": at_tables(Leaf.PROMOTION_COST),
        "desk_paid": at_desk(Leaf.DESK_PAID),
        "dropped": dropped,
        "undropped": added((spent, less(Component("dropped", dropped, ValueKind.COUNT)))),
        "problems": added(map(_problem, problems)),
    }


def _problem(problem: CouponProblem) -> Component:
    fact = FactReference(
        "coupon", problem.day, problem.at, problem.table, problem.round, problem.opening_seq
    )
    return Component(_words(problem), ReportCell(1), ValueKind.COUNT, fact)


def _words(problem: CouponProblem) -> str:
    at = f", at {problem.table}" if problem.table else ""
    round_ = f", round {problem.round}" if problem.round else ""
    return f"coupon {problem.serial}: {problem.words}{at}{round_}"


KIND: Final = ReportKind(
    "coupon_ledger",
    "Coupon ledger",
    "Coupons issued, redeemed, voided, expired and outstanding, with exceptions.",
    ("coupons", "coupon_problems"),
    build,
)
