"""Which of the dealer's cards lay up, which was the hole card, and which lay where.

A settled round has the cards and not how they lay; the events of the round, which are
still at hand when it is settled, have both.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from blackjack.cards import Card
from blackjack.facts import DEALER, CardDealt, Event, Place, ReadCorrected, UpcardReplaced
from blackjack.outcomes import HandCards, SettledRound


class DealerCards(Struct, frozen=True):
    """A label for each of the dealer's cards; none where the events do not fit the cards.

    `replaced` is the card that the up card was dealt in place of, in a tuple of its own,
    since it may not have been read.
    """

    labels: tuple[str, ...] = ()
    replaced: tuple[Card | None, ...] = ()


def dealer_cards(
    settled: SettledRound, hand: HandCards, events: Iterable[Event], *, confidence_min: int
) -> DealerCards:
    """How the dealer's cards lay in this round."""
    corrected: dict[int, Card] = {}
    in_hand: list[str] = []
    places: list[str] = []
    up: Event | None = None
    replaced = False
    for event in events:
        fact = event.fact
        if isinstance(fact, ReadCorrected):
            corrected[fact.corrects_seq] = fact.card
        if not settled.first_seq <= event.seq <= settled.last_seq:
            continue
        if isinstance(fact, UpcardReplaced):
            replaced = up is not None
        elif isinstance(fact, CardDealt) and fact.seat == DEALER:
            if fact.place is not Place.HAND:
                places.append(fact.place.value)
            elif fact.face_up and up is None:
                up = event
                in_hand.append("up")
            else:
                in_hand.append("" if "hole" in in_hand else "hole")
    if len(in_hand) == len(hand.cards):
        original: tuple[Card | None, ...] = ()
        if replaced and up is not None and isinstance(up.fact, CardDealt):
            sure = up.confidence >= confidence_min
            original = (corrected.get(up.seq, up.fact.card if sure else None),)
        return DealerCards(tuple(in_hand), original)
    laid = tuple(dict.fromkeys(place for place in places if place != Place.DISCARD))
    return DealerCards(laid) if len(laid) == len(hand.cards) else DealerCards()
