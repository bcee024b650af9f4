"""The net win for tax, by both readings of what winnings on coupons do to it."""

from __future__ import annotations

from collections.abc import Mapping

from accounting.domain.reports import leaves
from accounting.domain.reports.composition import amount
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import ReportQuery
from blackjack.money import format_cents


def tax_notes(sums: Mapping[Leaf, int], query: ReportQuery) -> list[str]:
    """Wagers less what was paid on winning wagers; nothing is set aside for progressives."""
    reduced = amount(sums, leaves.PAID_WIN)
    whole = reduced + amount(sums, leaves.PROMOTION_COST)
    figure, other = (
        (reduced, whole) if query.coupon_winnings_reduce_tax else (whole, reduced)
    )  # fmt: skip
    words = "reduce" if query.coupon_winnings_reduce_tax else "do not reduce"
    others = "do not reduce" if query.coupon_winnings_reduce_tax else "reduce"
    notes = [
        f"Net win for tax: {format_cents(figure)}, where winnings on coupons {words} it, as the "
        f"house has set; {format_cents(other)} where they {others} it."
    ]
    moved = amount(sums, leaves.UNDETERMINED)
    if moved:
        notes.append(f"{format_cents(moved)} that moved on undetermined wagers is in neither.")
    return notes
