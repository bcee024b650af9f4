"""Faults of the tray, of slips and signers, of the log itself, and facts that make no sense."""

from __future__ import annotations

from msgspec.structs import replace

from blackjack.cards.card import DECK
from blackjack.facts import (
    Action,
    CardDealt,
    ChipsSold,
    GapDeclared,
    HeartbeatSent,
    PlayerActed,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    RuleSetActivated,
    SettlementCorrected,
    TableClosed,
    TableOpened,
    Tender,
    TipDropped,
    TrayObserved,
    WagerChanged,
    WagerPaid,
    WagerPlaced,
)
from blackjack.rulebook.house_rules import MAIN
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import CannotPlant, RoundView
from table_simulator.domain.play.controller_log import inventory, moved_cents, value_cents


def _cents(fact: TrayObserved | TableClosed) -> int:
    return value_cents(fact.inventory)


def tray_variance(draft: StreamDraft) -> str:
    """The table closes $300 short, and since the look at the tray before that chips moved.

    Had none moved, the tray would have changed by itself, which is another finding.
    """
    *_, before, last = (
        place
        for place, event in enumerate(draft.original)
        if isinstance(event.fact, TableOpened | TrayObserved)
    )
    if not any(moved_cents(event.fact) for event in draft.original[before:last]):
        raise CannotPlant("no chips moved between the last two looks at the tray")
    _take(draft, 300_00, since=last)
    return ""


def tray_changed(draft: StreamDraft) -> str:
    """Chips leave the tray between two looks at it, and nothing happened in between."""
    seen, fact = draft.outside(TrayObserved)
    _take(draft, 500_00, since=seen + 1)
    draft.add(seen, TrayObserved(inventory(_cents(fact) - 500_00)))
    return ""


def _closing(draft: StreamDraft) -> tuple[int, TableClosed]:
    return next(
        (place, event.fact)
        for place, event in enumerate(draft.original)
        if isinstance(event.fact, TableClosed)
    )


def _take(draft: StreamDraft, cents: int, *, since: int) -> None:
    """From this place on the tray is so much short."""
    draft.missing_cents = cents
    for place in range(since, len(draft.original)):
        fact = draft.original[place].fact
        if isinstance(fact, TrayObserved | TableClosed):
            draft.alter(place, inventory=inventory(_cents(fact) - cents))


def signers(draft: StreamDraft) -> str:
    """The closer is signed by one person twice."""
    place, fact = _closing(draft)
    draft.alter(place, signers=(fact.signers[0], fact.signers[0]))
    return ""


def debit_limit(draft: StreamDraft) -> str:
    """A named patron buys for more than $500 by card."""
    place, fact = draft.outside(ChipsSold, lambda sale: sale.patron != "")
    draft.put(place, ChipsSold(600_00, Tender.DEBIT, fact.patron, fact.seat))
    return ""


def debit_no_patron(draft: StreamDraft) -> str:
    """A sale by card, within its limit, without the name of the buyer."""
    place, fact = draft.outside(ChipsSold)
    draft.put(place, ChipsSold(100_00, Tender.DEBIT, "", fact.seat))
    return ""


def sequence_gap(draft: StreamDraft) -> str:
    """A fact between two rounds was lost before it was sent; the controller declares the gap.

    It must: a gateway takes nothing after an undeclared gap.
    """
    place, _ = draft.outside(HeartbeatSent)
    draft.lose(place)
    draft.add(place, GapDeclared(0, 0, "storage fault"))
    return ""


def sequence_conflict(draft: StreamDraft) -> str:
    """Two facts claim one place in the stream."""
    place, _ = draft.outside(HeartbeatSent)
    draft.claim(place, TipDropped(20_00))
    return ""


def clock_skew(draft: StreamDraft) -> str:
    view, place = draft.pick(lambda view: [view.facts[3][0]])
    event = draft.original[place]
    if not event.ingested_at:
        raise CannotPlant("no gateway has a clock to compare with")
    draft.alter_event(place, at=event.ingested_at - 2_000_000)
    return view.id


def chain_broken(draft: StreamDraft) -> str:
    """One event names another predecessor than the one that was received."""
    view, place = draft.pick(lambda view: [view.facts[-1][0]])
    draft.alter_event(place, previous=b"\x00" * 32)
    return view.id


def unknown_rules(draft: StreamDraft) -> str:
    """For one round the table plays by a rule set that was never published."""
    return _play_one_round_by(draft, RuleSetActivated("e" * 64))


def unapproved_rules(draft: StreamDraft) -> str:
    """For one round the table plays by a paytable that no filing has."""
    _, fact = draft.outside(RuleSetActivated)
    if fact.definition is None:
        raise CannotPlant
    wrong = replace(fact.definition, paytables=dict.fromkeys(fact.definition.paytables, 99))
    return _play_one_round_by(draft, RuleSetActivated("d" * 64, wrong))


def _play_one_round_by(draft: StreamDraft, rules: RuleSetActivated) -> str:
    """Found when it is activated, between two rounds; the round after it stays unresolved."""
    view, place = draft.pick(lambda view: [view.first(RoundOpened)[0] - 1])
    _, proper = draft.outside(RuleSetActivated)
    draft.add(place, rules)
    draft.add(view.facts[-1][0], proper)
    draft.used.add(view.id)
    return ""


def out_of_place(draft: StreamDraft) -> str:
    """A player acts when no round is open."""
    place, _ = draft.outside(RoundClosed)
    draft.add(place, PlayerActed(1, Action.HIT))
    return ""


def bad_amount(draft: StreamDraft) -> str:
    view, (place, fact) = draft.pick(lambda view: view.of(WagerPlaced)[-1:])
    draft.add(place, WagerPlaced(fact.seat, MAIN, -5_00))
    return view.id


def no_such_wager(draft: StreamDraft) -> str:
    """A bet is changed on a seat without a bet."""
    view, free = draft.pick(_free_seats)
    draft.add(view.of(WagerPlaced)[-1][0], WagerChanged(free, MAIN, 10_00))
    return view.id


def paid_with_no_bet(draft: StreamDraft) -> str:
    """A payment to a seat without a bet."""
    view, free = draft.pick(_free_seats)
    draft.add(view.facts[-2][0], WagerPaid(free, MAIN, 60_00))
    return view.id


def _free_seats(view: RoundView) -> list[int]:
    return sorted({*range(1, 10)} - {*view.seats()})


def paid_between_rounds(draft: StreamDraft) -> str:
    """A payment when no round is open."""
    place, _ = draft.outside(RoundClosed)
    draft.add(place, WagerPaid(1, MAIN, 40_00))
    return ""


def no_such_hand(draft: StreamDraft) -> str:
    """A player acts on a ninth hand."""

    def candidates(view: RoundView) -> list[tuple[int, PlayerActed]]:
        return view.of(PlayerActed)

    view, (place, fact) = draft.pick(candidates)
    draft.add(place - 1, PlayerActed(fact.seat, Action.STAND, 9))
    return view.id


def read_corrected_too_late(draft: StreamDraft) -> str:
    """A card of the first round turns out, at closing time, to have been another one."""
    place = next(
        place for place, event in enumerate(draft.original) if isinstance(event.fact, CardDealt)
    )
    closing, _ = _closing(draft)
    draft.add(closing, ReadCorrected(draft.original[place].seq, DECK[0], "camera"))
    return ""


def out_of_reach(draft: StreamDraft) -> str:
    """A correction of a round that is too old to be known."""
    place, _ = _closing(draft)
    lost = SettlementCorrected("a-round-long-gone", 1, MAIN, 5_00, "dispute", "S-1")
    draft.add(place, lost)
    return ""
