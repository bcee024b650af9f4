"""The coupon ledger: coupons of each promotion from issue to end, and what is wrong with some."""

from __future__ import annotations

from collections import Counter
from typing import Final

from accounting.domain.reports.figures import CouponSums, Figures
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import (
    Cell,
    Grid,
    Period,
    Question,
    Report,
    ReportKind,
    capped,
    cents,
    count,
    figure,
    text,
)

COLUMNS: Final = (
    text("promotion", "Promotion"),
    count("issued", "Issued"),
    count("redeemed", "Redeemed"),
    count("voided", "Void"),
    count("expired", "Expired"),
    count("outstanding", "Outstanding"),
    cents("issued_face", "Issued, face"),
    cents("redeemed_face", "Redeemed, face"),
    cents("voided_face", "Void, face"),
    cents("expired_face", "Expired, face"),
    cents("outstanding_face", "Outstanding, face"),
    cents("winnings_paid", "Winnings at tables"),
    cents("desk_paid", "Paid at the desk"),
    count("dropped", "Dropped"),
    count("undropped", "Redeemed less dropped"),
    count("problems", "Problems"),
)
ADDED: Final = tuple(each.key for each in COLUMNS[1:])


def build(figures: Figures, question: Question) -> Report:
    grid = Grid(COLUMNS, added=ADDED)
    problems = Counter(each.promotion for each in figures.coupon_problems)
    for each in figures.coupons:
        grid.add(_row(each, question, problems[each.promotion.promotion]))
    titles = {each.promotion.promotion: each.promotion.title for each in figures.coupons}
    lines = [
        f"{titles.get(each.promotion, each.promotion)}, coupon {each.serial}: {each.words}"
        + (f", at {each.table}" if each.table else "")
        + (f", round {each.round}" if each.round else "")
        for each in figures.coupon_problems
    ]
    notes = ["Outstanding is what is out at the end of the last day, whenever it was issued."]
    if question.table:
        notes.append(f"Redeemed, winnings and dropped are of table {question.table} alone.")
    return Report(
        KIND.name,
        KIND.title,
        COLUMNS,
        grid.rows,
        grid.totals({"promotion": Cell("total")}),
        (*notes, *capped(lines)),
    )


def _row(each: CouponSums, question: Question, problems: int) -> dict[str, Cell]:
    desk: dict[str, tuple[str, ...]] = {"promotion": (each.promotion.promotion,)}
    table = desk | ({"table": (question.table,)} if question.table else {})
    period = question.period

    def of(leaf: Leaf, scope: dict[str, tuple[str, ...]]) -> Cell:
        return figure(each.sums, ((leaf, 1),), period, scope)

    redeemed = of(Leaf.REDEEMED_FACE, table)
    if not question.table:
        terms = ((Leaf.REDEEMED_FACE, 1), (Leaf.DESK_REDEEMED_FACE, 1))
        redeemed = figure(each.sums, terms, period, desk)
    as_of = Period(period.until_day, period.until_day)
    return {
        "promotion": Cell(each.promotion.title),
        "issued": Cell(each.issued),
        "redeemed": Cell(each.redeemed + (0 if question.table else each.desk_redeemed)),
        "voided": Cell(each.voided),
        "expired": Cell(each.expired),
        "outstanding": Cell(each.outstanding),
        "issued_face": of(Leaf.ISSUED_FACE, desk),
        "redeemed_face": redeemed,
        "voided_face": of(Leaf.VOIDED_FACE, desk),
        "expired_face": of(Leaf.EXPIRED_FACE, desk),
        "outstanding_face": figure(each.sums, ((Leaf.OUTSTANDING_FACE, 1),), as_of, desk),
        "winnings_paid": of(Leaf.PROMOTION_COST, table),
        "desk_paid": of(Leaf.DESK_PAID, desk),
        "dropped": Cell(each.dropped),
        "undropped": Cell(each.redeemed - each.dropped),
        "problems": Cell(problems),
    }


KIND: Final = ReportKind(
    "coupon_ledger",
    "Coupon ledger",
    "Coupons issued, redeemed, void, expired and outstanding, and those that are in question.",
    ("coupons", "coupon_problems"),
    build,
)
