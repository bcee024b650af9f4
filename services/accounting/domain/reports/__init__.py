"""All reports. To add one, write a module with its `KIND` and list it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from accounting.domain.reports import (
    cash_log,
    coupon_ledger,
    hold_variance,
    master_games,
    payout_exceptions,
    promotion_cost,
    promotion_liability,
    reconciliation,
    slip_sequence,
    trial_balance,
    win_by_wager,
)
from accounting.domain.reports.report import ReportKind

REPORTS: Final[Mapping[str, ReportKind]] = {
    module.KIND.name: module.KIND
    for module in (
        master_games,
        reconciliation,
        win_by_wager,
        hold_variance,
        coupon_ledger,
        payout_exceptions,
        slip_sequence,
        cash_log,
        trial_balance,
        promotion_cost,
        promotion_liability,
    )
}
"""In print order."""
