"""Planted losses: the table, the place in its books, and the amount.

Computed from the ground truth, the day's own facts and the settled rounds, and from nothing that
accounting has computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from blackjack.facts import Event, TableClosed, TableOpened
from blackjack.findings import Kind
from blackjack.outcomes import Payment, Result, SettledRound
from table_simulator.days.day import SimulatedDay
from table_simulator.domain.faults.draft import rounds_of
from table_simulator.domain.play.controller_log import moved_cents, value_cents
from table_simulator.domain.truth import Truth

MISPAID: Final = frozenset(
    {
        Kind.OVERPAID, Kind.UNDERPAID, Kind.UNPAID, Kind.PAID_LOSER, Kind.TOOK_WINNER,
        Kind.PAID_TWICE, Kind.UNCOLLECTED, Kind.VOID_PAID, Kind.AGGREGATE, Kind.COUPON_WRONG_PAY,
    }
)  # fmt: skip
"""The amount paid or collected differs from the amount owed."""
OUT_OF_TRAY: Final = frozenset({Kind.TRAY_VARIANCE, Kind.TRAY_CHANGED})
"""A finding, and no wager, explains missing chips; so it is for payments between rounds."""
OUT_OF_BOX: Final = "drop short"
"""Bills are missing, and nothing in the log explains it."""
UNJUDGED: Final = frozenset({Result.UNDETERMINED, Result.NOT_SETTLED})


class Place(StrEnum):
    """Where the books show a loss."""

    PAYOUTS = "payout error"
    TRAY = "tray variance"
    DROP = "drop variance"


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss of the house in cents; negative for a gain."""

    table: str
    what: str
    place: Place
    cents: int
    round: str = ""
    is_proved: bool = True
    """Whether a finding or a fact explains it; otherwise it can only remain unexplained."""
    has_fact: bool = False
    """Whether a fact reports the chips that moved, so that the closer agrees with the facts."""


def planted_losses(day: SimulatedDay) -> list[Loss]:
    """Every fault whose money differs from the facts around it."""
    return [
        loss
        for truth in day.truths
        if not truth.rejected_as and (loss := _loss(day, truth)) is not None
    ]


def _loss(day: SimulatedDay, truth: Truth) -> Loss | None:
    kinds = frozenset(truth.kinds)
    if kinds & MISPAID and truth.round:
        cents = _paid_in(day, truth) if Kind.VOID_PAID in kinds else truth.cents
        return Loss(truth.table, truth.fault, Place.PAYOUTS, cents, truth.round)
    if kinds & (MISPAID | OUT_OF_TRAY):
        paid = bool(kinds & MISPAID)
        return Loss(truth.table, truth.fault, Place.TRAY, truth.cents, truth.round, has_fact=paid)
    if truth.fault == OUT_OF_BOX:
        return Loss(truth.table, truth.fault, Place.DROP, truth.cents, is_proved=False)
    return None


def _paid_in(day: SimulatedDay, truth: Truth) -> int:
    """The loss of a void round is everything paid in it, whatever the cards would have won."""
    return sum(
        view.paid_cents for view in rounds_of(_arrived(day, truth.table)) if view.id == truth.round
    )


def unseen_losses(
    day: SimulatedDay, rounds: Iterable[SettledRound], planted: Iterable[Loss]
) -> Iterator[Loss]:
    """Chips moved while payments were not observed, on wagers that cannot be judged.

    For a judged wager the amount owed replaces the unobserved payment. For the others only the
    closer shows that chips moved, and nothing explains why.
    """
    seen: dict[str, int] = {}
    for settled in rounds:
        unseen = [outcome for outcome in settled.outcomes if outcome.payment is Payment.UNOBSERVED]
        if unseen or not settled.context.payments_seen:
            judged = [outcome for outcome in unseen if outcome.result not in UNJUDGED]
            moved = -sum(judgment.net_owed for judgment in judged)
            seen[settled.table] = seen.get(settled.table, 0) + moved
    from_tray = [loss for loss in planted if loss.place is Place.TRAY and not loss.has_fact]
    for table, moved in sorted(seen.items()):
        known = sum(loss.cents for loss in from_tray if loss.table == table)
        cents = missing_cents(_arrived(day, table)) + moved - known
        if cents:
            yield Loss(table, "unseen payments", Place.TRAY, cents, is_proved=False)


def missing_cents(events: Iterable[Event]) -> int:
    """Chips missing from the closer, compared with the opener and all facts."""
    expected = counted = 0
    for event in events:
        match event.fact:
            case TableOpened(inventory=chips):
                expected += value_cents(chips)
            case TableClosed(inventory=chips):
                counted += value_cents(chips)
            case fact:
                expected += moved_cents(fact)
    return expected - counted


def _arrived(day: SimulatedDay, table: str) -> list[Event]:
    return [
        entry.event
        for entry in day.controllers[table]
        if not entry.is_lost and not entry.is_twin and not entry.noise
    ]


def by_table(losses: Iterable[Loss]) -> Mapping[tuple[str, Place], int]:
    sums: dict[tuple[str, Place], int] = {}
    for loss in losses:
        key = loss.table, loss.place
        sums[key] = sums.get(key, 0) + loss.cents
    return sums
