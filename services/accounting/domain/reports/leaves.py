"""The leaves of report amounts: each leaf is a sum over facts of one kind.

An amount adds and subtracts leaves. `accounting.postgres.report_inputs.measures` defines each leaf
once in SQL, so that an amount and the list of its facts cannot disagree.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Leaf(StrEnum):
    # Wagers, as settled.
    OWED_WIN = "owed_win"
    PAID_WIN = "paid_win"
    UNDETERMINED_MOVED = "undetermined_moved"
    UNDETERMINED_LEAST = "undetermined_least"
    UNDETERMINED_MOST = "undetermined_most"
    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    UNOBSERVED = "unobserved"
    PROMOTION_COST = "promotion_cost"
    HANDLE = "handle"
    PLACED = "placed"
    JUDGED_WIN = "judged_win"
    OWED = "owed"
    PAID = "paid"
    WINNINGS_OWED = "winnings_owed"
    WINNINGS_PAID = "winnings_paid"
    REDEEMED = "redeemed"
    REDEEMED_FACE = "redeemed_face"
    ROUNDS = "rounds"
    # Cash facts of tables, outside rounds.
    OPENER = "opener"
    CLOSER = "closer"
    FILLS = "fills"
    CREDITS = "credits"
    SOLD_CASH = "sold_cash"
    SOLD_DEBIT = "sold_debit"
    SOLD_TICKETS = "sold_tickets"
    SOLD_CHECKS = "sold_checks"
    SOLD_LARGE = "sold_large"
    TICKETS_ISSUED = "tickets_issued"
    DROPPED = "dropped"
    # Entries of the cage.
    OPENER_BY_HAND = "opener_by_hand"
    CLOSER_BY_HAND = "closer_by_hand"
    CHIPS_REDEEMED = "chips_redeemed"
    REDEEMED_LARGE = "redeemed_large"
    # Counts of the count room.
    DROP_CURRENCY = "drop_currency"
    DROP_DEBIT = "drop_debit"
    DROP_TICKETS = "drop_tickets"
    DROP_CHECKS = "drop_checks"
    DROP_CHIPS = "drop_chips"
    COUPONS_COUNTED = "coupons_counted"
    # Coupons at the promotions desk.
    ISSUED = "issued"
    VOIDED = "voided"
    EXPIRED = "expired"
    DESK_REDEEMED = "desk_redeemed"
    OUTSTANDING = "outstanding"
    ISSUED_FACE = "issued_face"
    VOIDED_FACE = "voided_face"
    EXPIRED_FACE = "expired_face"
    DESK_REDEEMED_FACE = "desk_redeemed_face"
    DESK_PAID = "desk_paid"
    OUTSTANDING_FACE = "outstanding_face"
    # The ledger.
    DEBIT = "debit"
    CREDIT = "credit"


Terms = tuple[tuple[Leaf, int], ...]
"""The leaves of an amount, each added (1) or subtracted (-1)."""

OPENER: Final[Terms] = ((Leaf.OPENER, 1), (Leaf.OPENER_BY_HAND, 1))
CLOSER: Final[Terms] = ((Leaf.CLOSER, 1), (Leaf.CLOSER_BY_HAND, 1))
FILLS: Final[Terms] = ((Leaf.FILLS, 1),)
CREDITS: Final[Terms] = ((Leaf.CREDITS, 1),)
TENDERS: Final[dict[str, tuple[Leaf, Leaf]]] = {
    "currency": (Leaf.DROP_CURRENCY, Leaf.SOLD_CASH),
    "debit": (Leaf.DROP_DEBIT, Leaf.SOLD_DEBIT),
    "tickets": (Leaf.DROP_TICKETS, Leaf.SOLD_TICKETS),
    "checks": (Leaf.DROP_CHECKS, Leaf.SOLD_CHECKS),
}
"""By kind of drop: the counted contents of the box, and the reported sales."""
SOLD: Final[Terms] = tuple((sold, 1) for _, sold in TENDERS.values())
DROP: Final[Terms] = (*((dropped, 1) for dropped, _ in TENDERS.values()), (Leaf.DROP_CHIPS, 1))
"""Coupons are counted, but are not drop."""
TICKETS_ISSUED: Final[Terms] = ((Leaf.TICKETS_ISSUED, 1),)
"""Chips that came into the tray for a ticket, which the house must honor."""


def less(terms: Terms) -> Terms:
    return tuple((leaf, -sign) for leaf, sign in terms)


COUNT_WIN: Final[Terms] = (
    *DROP, *CLOSER, *CREDITS, *less(OPENER), *less(FILLS), *less(TICKETS_ISSUED),
)  # fmt: skip
OWED_WIN: Final[Terms] = ((Leaf.OWED_WIN, 1),)
PAID_WIN: Final[Terms] = ((Leaf.PAID_WIN, 1),)
UNDETERMINED: Final[Terms] = ((Leaf.UNDETERMINED_MOVED, 1),)
PAYOUT_ERRORS: Final[Terms] = ((Leaf.OVERPAID, -1), (Leaf.UNDERPAID, -1))
"""The leaves are from the patron's point of view; the house's result has the opposite sign."""
PROMOTION_COST: Final[Terms] = ((Leaf.PROMOTION_COST, 1),)
EXPECTED_CLOSER: Final[Terms] = (
    *OPENER, *FILLS, *less(CREDITS), *less(SOLD), *TICKETS_ISSUED, *PAID_WIN, *UNDETERMINED,
)  # fmt: skip
TRAY_VARIANCE: Final[Terms] = (*CLOSER, *less(EXPECTED_CLOSER))
DROP_VARIANCE: Final[Terms] = (*DROP, *less(SOLD))
DROP_VARIANCE_BY_KIND: Final[dict[str, Terms]] = {
    kind: ((dropped, 1), (sold, -1)) for kind, (dropped, sold) in TENDERS.items()
}
"""Chips in the box have no tender: they are only in the whole variance."""
