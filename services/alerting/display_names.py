"""Names of kinds of alerts as people read them; codes are for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from blackjack.display_names import finding_name

_ALERTS: Final[Mapping[str, str]] = {
    "payout.mismatch": "Mispay",
    "payout.repeated": "Repeated mispays",
    "limit.breach": "Limit exceeded",
    "approval.missing": "Approval missing",
    "procedure.upcard": "Up card replacement",
    "procedure.dealer_play": "Dealer play",
    "procedure.player_action": "Action not allowed",
    "procedure.ruling": "Ruling",
    "card.impossible": "Impossible card",
    "coupon.terms": "Coupon terms",
    "coupon.unknown": "Coupon never issued",
    "coupon.duplicate": "Duplicate coupon",
    "coupon.void": "Void coupon",
    "coupon.other_patron": "Coupon of another patron",
    "coupon.over_limit": "Coupons over the daily limit",
    "coupon.washing": "Coupon washing",
    "coupon.substitution": "Coupon substitution",
    "patron.two_places": "Patron at two tables",
    "patron.excluded": "Excluded patron",
    "cash.reporting_line": "Cash reporting threshold",
    "cash.no_patron": "Cash without a patron",
    "cash.debit_limit": "Debit sales over the limit at several tables",
    "slip.gap": "Slip number missing",
    "slip.signers": "Slip signatures",
    "box.variance": "Drop box variance",
    "tray.shortage_pattern": "Repeated float shortages",
    "table.silent": "Table silent",
    "floor.silent": "Floor silent",
    "log.refused": "Events rejected",
    "log.nonsense": "Inconsistent events",
    "office.refused": "Entry rejected",
    "luck.beyond_chance": "Results beyond chance",
    "dealer.dumping": "Chip dumping",
    "dealer.error_rate": "Dealer error rate",
    "play.count": "Card counting",
    "play.hole_card": "Hole-carding",
    "surveillance.behind": "Surveillance delayed",
}


def alert_name(code: str) -> str:
    """Name a kind of alert or of evidence; a kind of finding keeps its name.

    >>> alert_name("payout.mismatch"), alert_name("payout.took_winner"), alert_name("shortage")
    ('Mispay', 'Winning bet taken', 'Shortage')
    """
    return _ALERTS.get(code) or finding_name(code)
