"""One side bet at two seats of one round, by every single deal of a small shoe.

The dealer's cards are in the hands of both seats, their own are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from math import perm
from typing import Final

from tests.odds.independent import brute
from tests.odds.independent.brute import LOSS, Deal
from tests.odds.independent.cards import ACE, EIGHT, TEN, Shoe, points

JointLaw = dict[tuple[str, str], Fraction]

Seen = Callable[[Deal], tuple[Deal, Deal]]
"""What each of two seats is judged by, of all cards that were dealt."""


def _up_card_last(deal: Deal) -> tuple[Deal, Deal]:
    one, two, three, four, up = deal
    return (one, two, up), (three, four, up)


def _hole_card_first(deal: Deal) -> tuple[Deal, Deal]:
    hole, up, one, two, three, four = deal
    return (hole, up, one, two), (hole, up, three, four)


def _match_me_first(deal: Deal) -> tuple[Deal, Deal]:
    target = deal[0]
    return (target, *deal[1:4]), (target, *deal[4:7])


def _all_shared(deal: Deal) -> tuple[Deal, Deal]:
    return deal, deal


CARDS: Final[dict[str, tuple[int, Seen, Callable[[Deal], str]]]] = {
    "double_action": (5, _up_card_last, brute.double_action),
    "skweezit": (5, _up_card_last, brute.skweezit),
    "match_three_up": (6, _hole_card_first, brute.match_several_decks),
    "match_me": (7, _match_me_first, brute.match_several_decks),
    "match_me_2": (7, _match_me_first, brute.match_several_decks),
    "match_me_one_deck": (7, _match_me_first, brute.match_one_deck),
    "match_me_2_one_deck": (7, _match_me_first, brute.match_one_deck),
    "upcard_bonus": (3, _all_shared, brute.upcard_bonus),
}
"""By evaluator: cards of both seats together, who sees which, and the filing's text."""


def law(evaluator: str, shoe: Shoe) -> JointLaw:
    """The law of both seats' outcomes; for evaluators that only cards decide."""
    size, seen, judge = CARDS[evaluator]
    ways: Counter[tuple[str, str]] = Counter()
    for deal, count in brute.deals(shoe, size):
        one, other = seen(deal)
        ways[judge(one), judge(other)] += count
    total = perm(sum(shoe), size)
    return {pair: Fraction(count, total) for pair, count in ways.items()}


Play = Generator[None, int, tuple[str, str]]
"""A round that draws card after card and ends with the outcome of both seats."""


def dead_mans_hand(shoe: Shoe, *, ace_hands_max: int) -> JointLaw:
    """Both seats through their splits, by every order in which the kinds of cards can come."""
    counts: Counter[int] = Counter()
    for card, count in enumerate(shoe):
        counts[points(card) if points(card) in (ACE, EIGHT, TEN) else 0] += count
    found: JointLaw = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        drawn, chance = waiting.pop()
        ended = _played(drawn, ace_hands_max)
        if ended is not None:
            found[ended] = found.get(ended, Fraction()) + chance
            continue
        left = counts - Counter(drawn)
        for kind, count in left.items():
            waiting.append(((*drawn, kind), chance * Fraction(count, left.total())))
    return found


def _played(drawn: tuple[int, ...], ace_hands_max: int) -> tuple[str, str] | None:
    """How the round ends with these cards, or None if it needs more."""
    game = _round(ace_hands_max)
    next(game)
    try:
        for card in drawn:
            game.send(card)
    except StopIteration as ended:
        pair: tuple[str, str] = ended.value
        return pair
    return None


def _round(ace_hands_max: int) -> Play:
    """Cards as the table deals them: one to each seat, the up card, again, the hole card."""
    dealt: list[int] = []
    while len(dealt) < 6:
        dealt.append((yield))
    one, two, up, three, four, hole = dealt
    blackjack = {up, hole} == {ACE, TEN}
    outcomes = []
    for cards in ((one, three), (two, four)):
        first, second = cards
        if first != second or first not in (ACE, EIGHT):
            if set(cards) == {ACE, EIGHT}:
                outcomes.append("one_set")
            else:
                outcomes.append("any_ace_or_eight" if {ACE, EIGHT} & set(cards) else LOSS)
        elif blackjack:
            outcomes.append("pair_with_dealer_blackjack")
        else:
            hands_max = ace_hands_max if first == ACE else 4
            hands = 2
            seconds: list[int] = []
            while len(seconds) < hands:
                card = yield
                if card == first and hands < hands_max:
                    hands += 1
                else:
                    seconds.append(card)
            sets = seconds.count(EIGHT if first == ACE else ACE)
            rows = ("pair_no_set", "one_set", "two_sets", "three_sets", "four_sets")
            outcomes.append(rows[sets])
    return outcomes[0], outcomes[1]
