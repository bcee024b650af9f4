"""The choice of a disputed hand: played out at a full table, and costly to a patron."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from blackjack.facts import Action, PlayerActed
from blackjack.findings import Finding, Kind
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.draft import StreamEntry, rounds_of
from table_simulator.domain.faults.round_view import RoundView
from table_simulator.domain.truth import Truth

DISPUTED: Final = (Kind.TOOK_WINNER, Kind.UNDERPAID, Kind.UNPAID)
"""Where a patron has reason to call the supervisor."""

ELABORATE: Final = frozenset({Action.SPLIT, Action.DOUBLE})


def most_disputed(
    truths: Iterable[Truth],
    findings: Iterable[Finding],
    controllers: Mapping[str, list[StreamEntry]] | None = None,
) -> Truth | None:
    """Return the most interesting planted mistake against a patron that was found.

    A hand of blackjack comes before a bonus, and any of a round of blackjack before one of a
    game without hands. Then the cost to the patron decides: it counts twice after a split or a
    double, and half for a patron alone at the table.
    """
    found = {(finding.table, finding.round, finding.kind) for finding in findings}
    candidates = [
        truth
        for truth in truths
        if truth.round
        and any(
            (truth.table, truth.round, kind) in found for kind in truth.kinds if kind in DISPUTED
        )
    ]
    rounds = _rounds(controllers or {}, {truth.table for truth in candidates})
    return max(candidates, key=lambda truth: _interest(truth, rounds), default=None)


def _rounds(controllers: Mapping[str, list[StreamEntry]], tables: set[str]) -> dict[str, RoundView]:
    return {
        view.id: view
        for table in tables & controllers.keys()
        for view in rounds_of(
            [entry.event for entry in controllers[table] if not entry.is_twin and not entry.noise]
        )
    }


def _interest(truth: Truth, rounds: Mapping[str, RoundView]) -> tuple[bool, bool, int, str]:
    view = rounds.get(truth.round)
    doubled_cents = 2 * abs(truth.cents)
    if view is None:
        return False, False, doubled_cents, truth.table
    if any(fact.action in ELABORATE for fact in view.acted(truth.seat)):
        doubled_cents *= 2
    if len(view.seats()) == 1:
        doubled_cents //= 2
    return truth.wager == MAIN, bool(view.of(PlayerActed)), doubled_cents, truth.table
