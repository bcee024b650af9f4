"""Faults of the pay table: what was paid is not what was owed."""

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
from tests.croupier.draft import CannotPlant, Draft, View
from tests.croupier.games import DOUBLE_ACTION, MATCH_MADNESS

CAPPED_WAGERS = (DOUBLE_ACTION, MATCH_MADNESS)
LARGE_CENTS = 50_00
"""Over the $25 from which a mismatch is P2."""


def overpaid(draft: Draft) -> str:
    view, (place, fact) = draft.pick(lambda view: view.plain(WagerPaid))
    draft.alter(place, cents=fact.cents * 2 + LARGE_CENTS)
    return view.id


def underpaid(draft: Draft) -> str:
    view, (place, fact) = draft.pick(lambda view: _large(view, WagerPaid))
    draft.alter(place, cents=fact.cents - 20_00)
    return view.id


def _large(view: View, kind: type[WagerPaid]) -> list[tuple[int, WagerPaid]]:
    return [(place, fact) for place, fact in view.plain(kind) if fact.cents > 20_00]


def unpaid(draft: Draft) -> str:
    view, (place, _) = draft.pick(lambda view: view.plain(WagerPaid))
    draft.drop(place)
    return view.id


def paid_loser(draft: Draft) -> str:
    view, (place, fact) = draft.pick(lambda view: view.plain(WagerCollected))
    draft.put(place, WagerPaid(fact.seat, fact.wager, fact.cents, fact.hand))
    return view.id


def took_winner(draft: Draft) -> str:
    """The chips of a winner go into the tray."""

    def candidates(view: View) -> list[tuple[int, WagerPaid]]:
        return [each for each in view.plain(WagerPaid) if view.is_simple(each[1].seat)]

    view, (place, fact) = draft.pick(candidates)
    stake = view.stake(fact.seat, fact.wager)
    draft.put(place, WagerCollected(fact.seat, fact.wager, stake, fact.hand))
    return view.id


def paid_twice(draft: Draft) -> str:
    view, (place, fact) = draft.pick(lambda view: view.plain(WagerPaid))
    draft.add(place, fact)
    return view.id


def uncollected(draft: Draft) -> str:
    view, (place, _) = draft.pick(lambda view: view.plain(WagerCollected))
    draft.drop(place)
    return view.id


def aggregate_ignored(draft: Draft) -> str:
    """Each winner of a capped deal is paid as if no aggregate limit were posted."""
    for view in draft.rounds():
        by_wager: dict[str, list[tuple[int, WagerPaid]]] = {}
        for place, fact in view.plain(WagerPaid):
            if fact.wager in CAPPED_WAGERS:
                by_wager.setdefault(fact.wager, []).append((place, fact))
        for paid in by_wager.values():
            odd = [each for each in paid if each[1].cents % view.stake(each[1].seat, each[1].wager)]
            if odd:
                for place, fact in paid:
                    draft.alter(place, cents=fact.cents * 3)
                return view.id
    raise CannotPlant


def void_paid(draft: Draft) -> str:
    """A bonus was paid before the round was declared void; all other stakes went back."""

    def candidates(view: View) -> list[tuple[int, WagerPaid]]:
        return [each for each in view.plain(WagerPaid) if each[1].wager == DOUBLE_ACTION]

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
