"""Folding again: late facts in their place, corrected reads, corrections in their rounds."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from msgspec import structs

from blackjack.cards.card import Card
from blackjack.facts import (
    CERTAIN,
    CardBurned,
    CardDealt,
    CardExposed,
    Event,
    HoleCardRevealed,
    PromotionDefined,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    SettlementCorrected,
    TableClosed,
    UpcardReplaced,
)
from blackjack.findings import Finding
from blackjack.outcomes import SettledRound
from blackjack.play.bet_closing import RoundBets
from blackjack.play.clock import skewed_after
from blackjack.play.coupons import is_sound
from blackjack.play.dispatch import apply, apply_fact, check_clock
from blackjack.play.event_order import breaks_chain, miss, note_break, note_unreached
from blackjack.play.state import TableState
from blackjack.rulebook.promotions import Terms

CARD_FACTS: Final = (CardDealt, CardBurned, CardExposed, UpcardReplaced, HoleCardRevealed)
"""Facts that report one card, whose reading can be corrected."""

Mark = tuple[int, TableState]
"""The number of the event that opened a round, and the state before it."""


class RefoldResult:
    """The result of folding again from a checkpoint."""

    __slots__ = ("found", "marks", "rounds", "state")

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.marks: list[Mark] = []
        self.found: dict[str, Finding] = {}
        self.rounds: dict[str, SettledRound] = {}

    def take_notes(self) -> None:
        """Collect the outputs of the last event."""
        state = self.state
        for finding in state.found:
            self.found[finding.id] = finding
        for withdrawal in state.withdrawn:
            self.found.pop(withdrawal.id, None)
        for settled in state.rounds:
            self.rounds[settled.round] = settled
        state.forget_notes()


def refold(base: TableState, events: list[Event]) -> RefoldResult:
    """Fold the events again, each where it belongs, from the state before the first."""
    state = base.fork()
    state.order_is_final = True
    state.terms = _published(events) | state.terms
    refolded = RefoldResult(state)
    for link in _in_effect(base, events):
        event = link.event
        if type(event.fact) is RoundOpened:
            mark = state.fork()
            mark.order_is_final = False
            refolded.marks.append((event.seq, mark))
        if link.missing_from:
            miss(state, event, link.missing_from)
        elif link.broken:
            note_break(state, event)
        if event.seq >= state.next_seq:
            state.next_seq = event.seq + 1
            state.last_digest = event.digest
        if link.elsewhere:
            _apply_elsewhere(state, event, link)
        else:
            if isinstance(event.fact, ReadCorrected) and not reaches(base, events, event):
                note_unreached(state, event, event.fact)
            apply(state, event)
        refolded.take_notes()
    state.order_is_final = False
    return refolded


def _published(events: list[Event]) -> dict[str, Terms]:
    """Terms that came after a coupon named them: a definition holds whenever it arrives."""
    published: dict[str, Terms] = {}
    for event in events:
        fact = event.fact
        if isinstance(fact, PromotionDefined) and is_sound(fact):
            published.setdefault(fact.promotion, fact.terms)
    return published


def _apply_elsewhere(state: TableState, event: Event, link: _StreamLink) -> None:
    """A correction counts in its round, but its chips move when it was made.

    A bet that was reported late counts when it was made, and the clock is judged where it came.
    """
    tray = state.tray
    if link.elsewhere == WHEN_IT_WAS_MADE:
        skewed, state.skewed = state.skewed, state.skewed - {event.device}
        apply_fact(state, event)
        state.skewed = skewed
    elif link.elsewhere == IN_ITS_ROUND:
        state.tray = tray.fork()
        apply(state, event)
        state.tray = tray
    elif isinstance(event.fact, SettlementCorrected):
        tray.move(-event.fact.cents)
    else:
        check_clock(state, event)


IN_ITS_ROUND: Final = 1
WHERE_IT_CAME: Final = 2
WHEN_IT_WAS_MADE: Final = 3


class _StreamLink:
    """An event with what its place in the stream shows about the events before it.

    A correction of a round that is over stands twice: in its round, where it counts, and
    where it came, where its chips moved. So does a bet that came too early or too late: when it
    was made, and where it came. `elsewhere` is which of the places it is.
    """

    __slots__ = ("broken", "elsewhere", "event", "missing_from")

    def __init__(self, event: Event, missing_from: int, broken: bool, elsewhere: int = 0) -> None:
        self.event = event
        self.missing_from = missing_from
        """The first number that is missing right before the event, 0 if none is."""
        self.broken = broken
        self.elsewhere = elsewhere


def _in_effect(base: TableState, events: list[Event]) -> list[_StreamLink]:
    """The events as they are to be applied: reads corrected, corrections in their rounds."""
    corrected = {
        event.fact.corrects_seq: event.fact.card
        for event in events
        if type(event.fact) is ReadCorrected and event.fact.corrects_seq < event.seq
    }
    links: list[_StreamLink] = []
    ends: dict[str, _StreamLink] = {}
    moved: list[tuple[str, _StreamLink]] = []
    moves: list[tuple[_StreamLink, _StreamLink, bool]] = []
    playing = base.round.name if base.round is not None else ""
    bets: RoundBets[_StreamLink] = RoundBets(is_whole=False)
    in_round = base.round is not None
    skewed = base.skewed
    expected, digest = base.next_seq, base.last_digest
    for event in events:
        skewed = skewed_after(skewed, event)
        missing_from = expected if event.seq > expected else 0
        link = _StreamLink(event, missing_from, not missing_from and breaks_chain(digest, event))
        expected, digest = event.seq + 1, event.digest
        fact = event.fact
        if event.seq in corrected:
            link.event = _corrected(event, corrected[event.seq])
        if playing and isinstance(fact, RoundClosed | RoundOpened | TableClosed):
            ends[playing] = link
            playing = ""
        if isinstance(fact, RoundOpened):
            playing = fact.round
            moves += bets.moves()
            bets = RoundBets(is_whole=True)
            in_round = True
        elif isinstance(fact, RoundClosed | TableClosed):
            in_round = False
        elif in_round:
            bets.take(link, event, is_skewed=event.device in skewed)
        if isinstance(fact, SettlementCorrected) and fact.round in ends:
            moved.append((fact.round, _StreamLink(event, 0, broken=False, elsewhere=IN_ITS_ROUND)))
            link.elsewhere = WHERE_IT_CAME
        links.append(link)
    for name, link in moved:
        links.insert(links.index(ends[name]), link)
    for link, target, is_before in (*moves, *bets.moves()):
        link.elsewhere = WHERE_IT_CAME
        made = _StreamLink(link.event, 0, broken=False, elsewhere=WHEN_IT_WAS_MADE)
        links.insert(links.index(target) + (not is_before), made)
    return links


def _corrected(event: Event, card: Card) -> Event:
    """The event as it should have been read."""
    fact = event.fact
    if isinstance(fact, CARD_FACTS):
        return structs.replace(event, fact=structs.replace(fact, card=card), confidence=CERTAIN)
    return event


def reaches(base: TableState, events: list[Event], event: Event) -> bool:
    """Whether a corrected reading is one of a card that is still at hand."""
    fact = event.fact
    if not isinstance(fact, ReadCorrected):
        return False
    if not base.next_seq <= fact.corrects_seq < event.seq:
        return False
    at = bisect_left(events, fact.corrects_seq, key=seq_of)
    return events[at].seq != fact.corrects_seq or isinstance(events[at].fact, CARD_FACTS)


def seq_of(event: Event) -> int:
    return event.seq
