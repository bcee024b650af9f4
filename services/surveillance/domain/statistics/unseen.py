"""The cards that nobody has seen, at the times of a round when something is left to chance.

Whatever the players do, the cards that are face down are in any order as likely as in any
other: that is all that a shuffle promises, and all that is used here. What is *not* promised is
what is left out: a shoe of which a card was not read, or not logged, is passed over until the
next, which is decided before the deal and so favours no result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from blackjack.cards.card import Card
from blackjack.cards.hand import is_natural
from blackjack.facts import ShoeKind
from blackjack.outcomes import DealerPlace, HandCards, SettledRound
from odds.shoe import CardCounts, NotAShoe


def before_the_deal(played: SettledRound) -> CardCounts | None:
    """What the round is dealt from, if every card is accounted for.

    Continuous shufflers and dealing machines have all cards back before each round.
    """
    context = played.context
    if not context.shoe_complete or context.shoe_unread or not context.shoe_decks:
        return None
    if context.shoe_kind is not ShoeKind.SHOE:
        return CardCounts.of_decks(context.shoe_decks)
    try:
        return CardCounts(tuple([context.shoe_decks - seen for seen in context.shoe_seen]))
    except NotAShoe:
        return None


def first_cards(hands: Iterable[HandCards], seat: int, number: int) -> tuple[Card | None, ...]:
    """The cards first dealt to a spot: a split has moved the second to hand 2."""
    by_number = {each.hand: each for each in hands if each.seat == seat}
    first, second = by_number.get(1), by_number.get(2)
    if first is None:
        return ()
    if second is not None and second.from_split:
        return *first.cards[:1], *second.cards[:1]
    return first.cards[:number]


def up_card(played: SettledRound) -> Card | None:
    """The card that the players act against."""
    for each in played.dealer:
        if each.place is DealerPlace.UP:
            return each.card
    return None


def hole_card(played: SettledRound) -> Card | None:
    """The card that lies face down while they act."""
    for each in played.dealer:
        if each.place is DealerPlace.HOLE:
            return each.card
    return None


def has_blackjack(played: SettledRound) -> bool:
    """Whether the peek ended the round."""
    up, hole = up_card(played), hole_card(played)
    return up is not None and hole is not None and is_natural(up, hole)


def at_insurance(played: SettledRound, shoe: CardCounts) -> list[int] | None:
    """What the hole card is one of when insurance is offered, by value: two cards lie on every
    spot. None where a card is unknown."""
    seats = sorted({each.seat for each in played.hands})
    dealt = (card for seat in seats for card in first_cards(played.hands, seat, 2))
    return _without(shoe, [*dealt, *_faced(played)])


def at_the_dealers_turn(played: SettledRound, shoe: CardCounts) -> list[int] | None:
    """What the hole card is one of when all players have acted, by value."""
    drawn = (card for hand in played.hands for card in hand.cards)
    return _without(shoe, [*drawn, *_faced(played)])


def _faced(played: SettledRound) -> Iterator[Card | None]:
    for each in played.dealer:
        if each.place in (DealerPlace.UP, DealerPlace.REPLACED):
            yield each.card


def _without(shoe: CardCounts, cards: Iterable[Card | None]) -> list[int] | None:
    """The values left without these cards, unless one of them is unknown or was never in it."""
    counts = list(shoe.counts)
    for card in cards:
        if card is None:
            return None
        counts[card.index] -= 1
        if counts[card.index] < 0:
            return None
    return _values(counts)


def by_points(shoe: CardCounts) -> list[int]:
    """Counts of the ten values, from ace to ten.

    >>> by_points(CardCounts.of_decks(6))
    [24, 24, 24, 24, 24, 24, 24, 24, 24, 96]
    """
    return _values(shoe.counts)


def _values(counts: Sequence[int]) -> list[int]:
    """Counts of the ten values, of counts of the 52 cards."""
    ranks = [sum(counts[rank::13]) for rank in range(13)]
    return [*ranks[:9], sum(ranks[9:])]
