"""Faults of cards and shoes."""

from __future__ import annotations

from collections import Counter

from blackjack.cards.card import DECK, Card
from blackjack.facts import (
    DEALER,
    BetsClosed,
    CardBurned,
    CardDealt,
    CardExposed,
    HoleCardRevealed,
    RoundOpened,
    ShoeCounted,
    ShoeLoaded,
    ShuffleCompleted,
    UpcardReplaced,
)
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import CannotPlant, RoundView

NEW_DECK_RUN = 8
"""So many cards in a new deck's order do not occur by chance."""


def _twin(card: Card) -> Card:
    """A card that counts the same in blackjack and is another one."""
    return next(other for other in DECK if other.points == card.points and other is not card)


def impossible_card(draft: StreamDraft) -> str:
    """A hit is read as a card of which the shoe has no copy left."""
    seen: Counter[Card] = Counter()
    decks, name, hits = 0, "", 0
    for place, event in enumerate(draft.original):
        match event.fact:
            case ShoeLoaded():
                seen.clear()
                decks = event.fact.decks
            case RoundOpened():
                name, hits = event.fact.round, 0
            case CardBurned(card=card) | UpcardReplaced(card=card) if card:
                seen[card] += 1
            case CardDealt(card=card, seat=seat) if card:
                hits += seat == DEALER
                gone = [
                    other for other in DECK if other.points == card.points and seen[other] == decks
                ]
                if hits == 2 and seat != DEALER and gone and name not in draft.used:
                    draft.alter(place, card=gone[0])
                    _forget_names(draft, place)
                    return name
                seen[card] += 1
            case _:
                pass
    raise CannotPlant


def _forget_names(draft: StreamDraft, after: int) -> None:
    """The next count of the shoe names no cards, only their number."""
    for place in range(after, len(draft.original)):
        if isinstance(draft.original[place].fact, ShoeCounted):
            draft.alter(place, cards=())
            return


def shoe_short(draft: StreamDraft) -> str:
    """Five cards are missing when the shoe is counted down."""
    place, fact = draft.outside(ShoeCounted)
    draft.alter(place, remaining=fact.remaining - 5, cards=fact.cards[5:])
    return ""


def hole_card_switched(draft: StreamDraft) -> str:
    """The hole card that is turned is not the one that was dealt."""

    def candidates(view: RoundView) -> list[tuple[int, HoleCardRevealed]]:
        return view.of(HoleCardRevealed)

    view, (place, fact) = draft.pick(candidates)
    assert fact.card is not None
    draft.alter(place, card=_twin(fact.card))
    return view.id


def match_card_switched(draft: StreamDraft) -> str:
    """A player turns another card than he was dealt; it matches no more and no less."""

    def candidates(view: RoundView) -> list[tuple[int, CardExposed]]:
        shown = view.of(CardExposed)
        targets = {fact.card.rank for _, fact in shown if fact.card and fact.seat == DEALER}
        return [
            (place, fact)
            for place, fact in shown
            if fact.seat != DEALER and fact.card and fact.card.rank not in targets
        ]

    view, (place, fact) = draft.pick(candidates)
    assert fact.card is not None
    draft.alter(place, card=_twin(fact.card))
    return view.id


def unshuffled(draft: StreamDraft) -> str:
    """The first shoe was never shuffled: the table was played so, and nothing is changed here."""
    cards = [
        event.fact.card
        for event in draft.original[:200]
        if isinstance(event.fact, CardBurned | CardDealt) and event.fact.card
    ]
    if cards[:NEW_DECK_RUN] != list(DECK[:NEW_DECK_RUN]):
        raise CannotPlant("the shoe was shuffled")
    loaded = [
        place for place, event in enumerate(draft.original) if isinstance(event.fact, ShoeLoaded)
    ]
    draft.touched |= {loaded[0], [*loaded, len(draft.original) - 1][1]}
    return ""


def shuffler_fault(draft: StreamDraft) -> str:
    place, _ = draft.outside(ShuffleCompleted)
    draft.alter(place, fault="card jam")
    return ""


def unapproved_decks(draft: StreamDraft) -> str:
    """One deck more in the first shoe than the rule set allows."""
    for place, event in enumerate(draft.original):
        match event.fact:
            case ShoeLoaded(decks=decks):
                if decks == 8:
                    raise CannotPlant("nine decks are no shoe")
                draft.alter(place, decks=decks + 1)
            case ShuffleCompleted(cards=cards):
                draft.alter(place, cards=cards + 52)
            case ShoeCounted(remaining=remaining):
                draft.alter(place, remaining=remaining + 52, cards=())
                return ""
            case _:
                pass
    return ""


def low_confidence(draft: StreamDraft) -> str:
    """A card of a hand was hardly seen."""

    def candidates(view: RoundView) -> list[int]:
        return [place for place, fact in view.of(CardDealt) if fact.seat != DEALER]

    view, place = draft.pick(candidates)
    draft.alter_event(place, confidence=420)
    return view.id


def unread_card(draft: StreamDraft) -> str:
    """A card of a hand was not read at all."""

    def candidates(view: RoundView) -> list[int]:
        return [place for place, fact in view.of(CardDealt) if fact.seat != DEALER]

    view, place = draft.pick(candidates)
    draft.alter(place, card=None)
    return view.id


def card_before_bets_closed(draft: StreamDraft) -> str:
    """The first card of the deal while bets are still open."""
    view, place = draft.pick(lambda view: [view.first(BetsClosed)[0]])
    first, dealt = view.first(CardDealt)
    assert first == place + 1
    draft.put(place, dealt)
    draft.put(first, BetsClosed())
    return view.id
