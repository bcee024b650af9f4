"""The net win for tax, with and without winnings paid on coupons."""

from __future__ import annotations

from collections.abc import Mapping

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import amount
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import ReportQuery
from blackjack.money import format_cents


def tax_notes(sums: Mapping[Leaf, int], query: ReportQuery) -> list[str]:
    """Wagers minus payments on winning wagers; there are no reserves for progressives."""
    reduced = amount(sums, leaves.PAID_WIN)
    whole = reduced + amount(sums, leaves.PROMOTION_COST)
    figure, other = (
        (reduced, whole) if query.coupon_winnings_reduce_tax else (whole, reduced)
    )  # fmt: skip
    words = "reduce" if query.coupon_winnings_reduce_tax else "do not reduce"
    others = "do not reduce" if query.coupon_winnings_reduce_tax else "reduce"
    notes = [
        f"Net win for tax: {format_cents(figure)} if winnings on coupons {words} it (the house's"
        f" setting); {format_cents(other)} if they {others} it."
    ]
    moved = amount(sums, leaves.UNDETERMINED)
    if moved:
        notes.append(f"Neither includes {format_cents(moved)} on undetermined wagers.")
    return notes
