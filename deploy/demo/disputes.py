"""Which hand of a day is worth looking at: the one in which a guest lost most by a mistake."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blackjack.findings import Finding, Kind
from table_simulator.domain.truth import Truth

DISPUTED: Final = (Kind.TOOK_WINNER, Kind.UNDERPAID, Kind.UNPAID)
"""Where a guest has reason to call the supervisor."""


def most_disputed(truths: Iterable[Truth], findings: Iterable[Finding]) -> Truth | None:
    """A planted mistake against a guest that was found, by what it cost him."""
    found = {(finding.table, finding.round, finding.kind) for finding in findings}
    candidates = [
        truth
        for truth in truths
        if truth.round
        and any(
            (truth.table, truth.round, kind) in found for kind in truth.kinds if kind in DISPUTED
        )
    ]
    return max(candidates, key=lambda truth: (abs(truth.cents), truth.table), default=None)
