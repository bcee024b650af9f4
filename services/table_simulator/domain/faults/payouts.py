"""Faults of the pay table: the amount paid differs from the amount owed."""

from __future__ import annotations

from blackjack.facts import (
    CardDealt,
    RoundClosed,
    RoundVoided,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import CannotPlant, RoundView, S
from table_simulator.domain.games import DOUBLE_ACTION, MATCH_MADNESS

CAPPED_WAGERS = (DOUBLE_ACTION, MATCH_MADNESS)
LARGE_CENTS = 50_00
"""Over the $25 from which a mismatch is P2."""


QUIET_CENTS = 1_000_00
"""Where no more than this is paid in a round, a payment too many makes no big win."""


def _payments(view: RoundView) -> list[tuple[int, WagerPaid]]:
    return view.plain(WagerPaid) if view.paid_cents <= QUIET_CENTS else []


def overpaid(draft: StreamDraft) -> str:
    view, (place, fact) = draft.pick(_payments)
    draft.alter(place, cents=fact.cents * 2 + LARGE_CENTS)
    return view.id


def underpaid(draft: StreamDraft) -> str:
    view, (place, fact) = draft.pick(lambda view: _large(view, WagerPaid))
    draft.alter(place, cents=fact.cents - 20_00)
    return view.id


def _large(view: RoundView, kind: type[WagerPaid]) -> list[tuple[int, WagerPaid]]:
    return [(place, fact) for place, fact in view.plain(kind) if fact.cents > 20_00]


def unpaid(draft: StreamDraft) -> str:
    view, (place, _) = draft.pick(lambda view: _not_waited_for(view.plain(WagerPaid)))
    draft.drop(place)
    return view.id


def _not_waited_for(settled: list[tuple[int, S]]) -> list[tuple[int, S]]:
    """Without Match Madness: until it is settled, cards must lie."""
    return [(place, fact) for place, fact in settled if fact.wager != MATCH_MADNESS]


def paid_loser(draft: StreamDraft) -> str:
    """Not half of a surrendered stake, of which a part is owed."""

    def candidates(view: RoundView) -> list[tuple[int, WagerCollected]]:
        return [taken for taken in view.plain(WagerCollected) if view.is_simple(taken[1].seat)]

    view, (place, fact) = draft.pick(candidates)
    draft.put(place, WagerPaid(fact.seat, fact.wager, fact.cents, fact.hand))
    return view.id


def took_winner(draft: StreamDraft) -> str:
    """The chips of a winner go into the tray."""

    def candidates(view: RoundView) -> list[tuple[int, WagerPaid]]:
        return [paid for paid in view.plain(WagerPaid) if view.is_simple(paid[1].seat)]

    view, (place, fact) = draft.pick(candidates)
    stake = view.stake(fact.seat, fact.wager)
    draft.put(place, WagerCollected(fact.seat, fact.wager, stake, fact.hand))
    return view.id


def paid_twice(draft: StreamDraft) -> str:
    view, (place, fact) = draft.pick(_payments)
    draft.add(place, fact)
    return view.id


def uncollected(draft: StreamDraft) -> str:
    view, (place, _) = draft.pick(lambda view: _not_waited_for(view.plain(WagerCollected)))
    draft.drop(place)
    return view.id


def aggregate_ignored(draft: StreamDraft) -> str:
    """Each winner of a capped deal is paid as if no aggregate limit were posted."""
    for view in draft.rounds():
        by_wager: dict[str, list[tuple[int, WagerPaid]]] = {}
        for place, fact in view.plain(WagerPaid):
            if fact.wager in CAPPED_WAGERS:
                by_wager.setdefault(fact.wager, []).append((place, fact))
        for paid in by_wager.values():
            odd = [
                payment
                for payment in paid
                if payment[1].cents % view.stake(payment[1].seat, payment[1].wager)
            ]
            if odd:
                for place, fact in paid:
                    draft.alter(place, cents=fact.cents * 3)
                return view.id
    raise CannotPlant


def void_paid(draft: StreamDraft) -> str:
    """A bonus was paid before the round was declared void; all other stakes went back."""

    def candidates(view: RoundView) -> list[tuple[int, WagerPaid]]:
        return [paid for paid in view.plain(WagerPaid) if paid[1].wager == DOUBLE_ACTION]

    view, (paid_at, paid) = draft.pick(candidates)
    dealt = next(place for place, fact in view.of(CardDealt) if not fact.face_up)
    for place, fact in view.facts:
        if place > dealt and place != paid_at and not isinstance(fact, RoundClosed):
            draft.drop(place)
    draft.add(paid_at, RoundVoided("misdeal", "S-1"))
    for _, fact in view.of(WagerPlaced):
        if (fact.seat, fact.wager, fact.tip) != (paid.seat, paid.wager, False):
            cents = fact.cents if fact.tip else view.stake(fact.seat, fact.wager)
            if cents:
                draft.add(paid_at, WagerReturned(fact.seat, fact.wager, cents, tip=fact.tip))
    return view.id
