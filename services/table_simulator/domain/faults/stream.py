"""Faults of the tray, of slips and signers, of the log itself, and facts that make no sense."""

from __future__ import annotations

import hashlib

from msgspec.structs import replace

from blackjack.cards import DECK
from blackjack.facts import (
    Action,
    CardDealt,
    ChipsSold,
    Event,
    HeartbeatSent,
    PlayerActed,
    ReadCorrected,
    RoundClosed,
    RuleSetActivated,
    SettlementCorrected,
    TableClosed,
    Tender,
    TrayObserved,
    WagerPaid,
    WagerPlaced,
)
from blackjack.rules import MAIN
from tests.croupier.draft import CannotPlant, Draft, View
from tests.croupier.log import inventory


def _cents(fact: TrayObserved | TableClosed) -> int:
    return sum(each.denomination_cents * each.count for each in fact.inventory)


def tray_variance(draft: Draft) -> str:
    """The table closes $300 short."""
    _take(draft, 300_00, since=_last(draft, TrayObserved))
    return ""


def tray_changed(draft: Draft) -> str:
    """Chips leave the tray between two looks at it, and nothing happened in between."""
    seen, fact = draft.outside(TrayObserved)
    _take(draft, 500_00, since=seen + 1)
    draft.add(seen, TrayObserved(inventory(_cents(fact) - 500_00)))
    return ""


def _last(draft: Draft, kind: type[TrayObserved]) -> int:
    return max(place for place, event in enumerate(draft.original) if isinstance(event.fact, kind))


def _take(draft: Draft, cents: int, *, since: int) -> None:
    """From this place on the tray is so much short."""
    draft.is_balanced = False
    for place in range(since, len(draft.original)):
        fact = draft.original[place].fact
        if isinstance(fact, TrayObserved | TableClosed):
            draft.alter(place, inventory=inventory(_cents(fact) - cents))


def signers(draft: Draft) -> str:
    """The closer is signed by one person twice."""
    place, fact = draft.outside(TableClosed)
    draft.alter(place, signers=(fact.signers[0], fact.signers[0]))
    return ""


def debit_limit(draft: Draft) -> str:
    place, fact = draft.outside(ChipsSold)
    draft.put(place, ChipsSold(600_00, Tender.DEBIT, fact.patron, fact.seat))
    return ""


def sequence_gap(draft: Draft) -> str:
    """A fact between two rounds never arrived."""
    draft.is_renumbered = False
    place, _ = draft.outside(HeartbeatSent)
    draft.drop(place)
    return ""


def sequence_conflict(draft: Draft) -> str:
    """Two facts claim one place in the stream."""
    draft.is_renumbered = draft.is_balanced = False
    place, _ = draft.outside(HeartbeatSent)
    draft.add(place, ChipsSold(20_00))
    return ""


def clock_skew(draft: Draft) -> str:
    view, place = draft.pick(lambda view: [view.facts[3][0]])
    draft.alter_event(place, ingested_at=draft.original[place].at + 2_000_000)
    return view.id


def chained(events: list[Event]) -> list[Event]:
    """The stream with a hash for every event, each naming the one before."""
    previous, linked = b"", []
    for event in events:
        digest = hashlib.sha256(previous + repr(event).encode()).digest()
        linked.append(replace(event, digest=digest, previous=previous))
        previous = digest
    return linked


def chain_broken(draft: Draft) -> str:
    """One event names another predecessor than the one that was received."""
    view, place = draft.pick(lambda view: [view.facts[-1][0]])
    draft.alter_event(place, previous=b"\x00" * 32)
    return view.id


def unknown_rules(draft: Draft) -> str:
    """A rule set nobody published."""
    place, _ = draft.outside(RuleSetActivated)
    draft.put(place, RuleSetActivated("e" * 64))
    return ""


def unapproved_rules(draft: Draft) -> str:
    """A paytable that no filing has."""
    place, fact = draft.outside(RuleSetActivated)
    if fact.definition is None:
        raise CannotPlant
    wrong = replace(fact.definition, paytables=dict.fromkeys(fact.definition.paytables, 99))
    draft.put(place, RuleSetActivated("d" * 64, wrong))
    return ""


def out_of_place(draft: Draft) -> str:
    """Somebody acts when no round is open."""
    place, _ = draft.outside(RoundClosed)
    draft.add(place, PlayerActed(1, Action.HIT))
    return ""


def bad_amount(draft: Draft) -> str:
    view, (place, fact) = draft.pick(lambda view: view.of(WagerPlaced)[-1:])
    draft.add(place, WagerPlaced(fact.seat, MAIN, -5_00))
    return view.id


def no_such_wager(draft: Draft) -> str:
    """A payment to a seat that nobody bet on."""
    view, place = draft.pick(lambda view: [view.facts[-2][0]])
    free = next(seat for seat in range(1, 10) if seat not in view.seats())
    draft.add(place, WagerPaid(free, MAIN, 10_00))
    return view.id


def no_such_hand(draft: Draft) -> str:
    """A player acts on a ninth hand."""

    def candidates(view: View) -> list[tuple[int, PlayerActed]]:
        return view.of(PlayerActed)

    view, (place, fact) = draft.pick(candidates)
    draft.add(place - 1, PlayerActed(fact.seat, Action.STAND, 9))
    return view.id


def read_corrected_too_late(draft: Draft) -> str:
    """A card of the first round turns out, at closing time, to have been another one."""
    place = next(
        place for place, event in enumerate(draft.original) if isinstance(event.fact, CardDealt)
    )
    closing, _ = draft.outside(TableClosed)
    draft.add(closing, ReadCorrected(draft.original[place].seq, DECK[0], "camera"))
    return ""


def out_of_reach(draft: Draft) -> str:
    """A correction of a round that nobody knows any more."""
    place, _ = draft.outside(TableClosed)
    lost = SettlementCorrected("a-round-long-gone", 1, MAIN, 5_00, "dispute", "S-1")
    draft.add(place, lost)
    return ""
