"""Folding again: late facts in their place, corrected reads, corrections in their rounds."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from msgspec import structs

from blackjack.applying import apply
from blackjack.facts import (
    CERTAIN,
    CardBurned,
    CardDealt,
    CardExposed,
    Event,
    HoleCardRevealed,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    SettlementCorrected,
    TableClosed,
    UpcardReplaced,
)
from blackjack.findings import Finding
from blackjack.following import breaks_chain, miss, note_break, note_unreached
from blackjack.outcomes import SettledRound
from blackjack.state import State

CARD_FACTS: Final = (CardDealt, CardBurned, CardExposed, UpcardReplaced, HoleCardRevealed)
"""Facts that report one card, whose reading can be corrected."""

Mark = tuple[int, State]
"""The number of the event that opened a round, and the state before it."""


class Refolded:
    """What folding again from a checkpoint came to."""

    __slots__ = ("found", "marks", "rounds", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.marks: list[Mark] = []
        self.found: dict[str, Finding] = {}
        self.rounds: dict[str, SettledRound] = {}


def fold_anew(base: State, events: list[Event]) -> Refolded:
    """Fold the events again, each where it belongs, from the state before the first."""
    state = base.fork()
    refolded = Refolded(state)
    for link in _in_effect(base, events):
        if type(link.event.fact) is RoundOpened:
            refolded.marks.append((link.event.seq, state.fork()))
        if link.missing_from:
            miss(state, link.event, link.missing_from)
        elif link.broken:
            note_break(state, link.event)
        if link.event.seq >= state.next_seq:
            state.next_seq = link.event.seq + 1
            state.last_digest = link.event.digest
        fact = link.event.fact
        if isinstance(fact, ReadCorrected) and not reaches(base, events, fact, link.event):
            note_unreached(state, link.event, fact)
        apply(state, link.event)
        for each in state.found:
            refolded.found[each.id] = each
        for withdrawal in state.withdrawn:
            refolded.found.pop(withdrawal.id, None)
        for settled in state.rounds:
            refolded.rounds[settled.round] = settled
        state.forget_notes()
    return refolded


class _Link:
    """An event with what its place in the stream says about the events before it."""

    __slots__ = ("broken", "event", "missing_from")

    def __init__(self, event: Event, missing_from: int, broken: bool) -> None:
        self.event = event
        self.missing_from = missing_from
        """The first number that is missing right before the event, 0 if none is."""
        self.broken = broken


def _in_effect(base: State, events: list[Event]) -> list[_Link]:
    """The events as they are to be applied: reads corrected, corrections in their rounds."""
    corrected = {
        event.fact.corrects_seq: event.fact.card
        for event in events
        if type(event.fact) is ReadCorrected
    }
    links: list[_Link] = []
    ends: dict[str, _Link] = {}
    moved: list[tuple[str, _Link]] = []
    playing = base.round.name if base.round is not None else ""
    expected, digest = base.next_seq, base.last_digest
    for event in events:
        missing_from = expected if event.seq > expected else 0
        link = _Link(event, missing_from, not missing_from and breaks_chain(digest, event))
        expected, digest = event.seq + 1, event.digest
        fact = event.fact
        if event.seq in corrected:
            link.event = _corrected(event, corrected[event.seq])
        if playing and isinstance(fact, RoundClosed | RoundOpened | TableClosed):
            ends[playing] = link
            playing = ""
        if isinstance(fact, RoundOpened):
            playing = fact.round
        if isinstance(fact, SettlementCorrected) and fact.round in ends:
            moved.append((fact.round, link))
        else:
            links.append(link)
    for name, link in moved:
        links.insert(links.index(ends[name]), link)
    return links


def _corrected(event: Event, card: object) -> Event:
    """The event as it should have been read."""
    fact = event.fact
    if isinstance(fact, CARD_FACTS):
        return structs.replace(event, fact=structs.replace(fact, card=card), confidence=CERTAIN)
    return event


def reaches(base: State, events: list[Event], fact: ReadCorrected, event: Event) -> bool:
    """Whether a corrected reading is one of a card that is still at hand."""
    if not base.next_seq <= fact.corrects_seq < event.seq:
        return False
    at = bisect_left(events, fact.corrects_seq, key=_seq)
    return events[at].seq != fact.corrects_seq or isinstance(events[at].fact, CARD_FACTS)


def _seq(event: Event) -> int:
    return event.seq
