"""The names of the topics: the single source for every service, script and test."""

from __future__ import annotations

from typing import Final

TABLE_EVENTS: Final = "table-events"
"""What tables reported, keyed by table."""

SETTLED_ROUNDS: Final = "settled-rounds"
"""Rounds as judged, keyed by table."""

FINDINGS: Final = "findings"
"""Findings and their withdrawals, keyed by table."""

PROMOTION_EVENTS: Final = "promotion-events"
"""Promotions defined, coupons issued, voided, expired."""

CAGE_EVENTS: Final = "cage-events"
"""What the cage and the count room reported."""

ALERTS: Final = "alerts"
"""What surveillance says."""

TABLE_SNAPSHOTS: Final = "table-snapshots"
"""The state of each table, in the transaction that moved its offset."""

CATALOGUE: Final = "catalogue"
"""Rule sets and promotion terms by their hash."""

DEAD_LETTERS: Final = "dead-letters"
"""Bytes that no codec accepted, with the reason."""

KEPT_FOR_EVER: Final = frozenset(
    {TABLE_EVENTS, SETTLED_ROUNDS, FINDINGS, PROMOTION_EVENTS, CAGE_EVENTS, ALERTS}
)
COMPACTED: Final = frozenset({TABLE_SNAPSHOTS, CATALOGUE})
ALL: Final = KEPT_FOR_EVER | COMPACTED | {DEAD_LETTERS}
