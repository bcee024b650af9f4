"""Dead Man's Hand: who is dealt a pair of aces or eights always splits, as far as he may.

Two walks through the deal as it happens at the table, alike up to the dealer's hole card.
`plain` then gives each split hand its second card and nothing else. `with_hits` plays the
hands from the first to the last, and hits each hand of eights that is no set before the
next hand gets its second card. That both are one law is the point: when to hit is decided
by cards already seen, and the next card of a shuffled shoe does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from tests.odds.independent.cards import ACE, EIGHT, TEN, Law, Shoe, points

CARDS_LEAST: Final = 10
"""Two of the player, two of the dealer, two splits more and a second card for four hands."""

HANDS_MAX: Final = 4

ROWS_BY_SETS: Final = ("pair_no_set", "one_set", "two_sets", "three_sets", "four_sets")
OTHER_ROWS: Final = ("any_ace_or_eight", "pair_with_dealer_blackjack")

Counts = tuple[int, ...]
Sets = tuple[Fraction, ...]
"""The chance of no set, one, two, three and four."""

NO_MORE_SETS: Final[Sets] = (Fraction(1), Fraction(0), Fraction(0), Fraction(0), Fraction(0))


def plain(shoe: Shoe, *, ace_hands_max: int) -> Law:
    """Second cards only. Any shoe; a full one of eight decks takes no time."""

    def split(counts: Counts, pair: int, hands_max: int) -> Sets:
        partner = EIGHT if pair == ACE else ACE
        same, wanted = counts[pair - 1], counts[partner - 1]
        return _second_cards(same, wanted, sum(counts) - same - wanted, 2, 2, hands_max)

    return _deal(shoe, ace_hands_max, split)


def with_hits(shoe: Shoe, *, ace_hands_max: int) -> Law:
    """Each hand to its end, in order. For small shoes: states are as many as subsets."""

    def split(counts: Counts, pair: int, hands_max: int) -> Sets:
        return _play_hand(counts, pair, 2, 2, hands_max)

    law = _deal(shoe, ace_hands_max, split)
    _play_hand.cache_clear()
    _hit.cache_clear()
    return law


def capped(law: Law) -> Law:
    """Where three and four sets are not filed they pay as two."""
    two = law["two_sets"] + law["three_sets"] + law["four_sets"]
    rest = {row: chance for row, chance in law.items() if row not in ("three_sets", "four_sets")}
    return rest | {"two_sets": two}


def _deal(shoe: Shoe, ace_hands_max: int, split: Callable[[Counts, int, int], Sets]) -> Law:
    """The player's two cards, and for a pair of aces or eights the dealer's two, then splits."""
    if sum(shoe) < CARDS_LEAST:
        raise ValueError(f"{sum(shoe)} cards may not be enough to play all splits")
    law = {row: Fraction() for row in (*ROWS_BY_SETS, *OTHER_ROWS)}
    for one, two, chance, left in _two_cards(_by_points(shoe)):
        if one == two and one in (ACE, EIGHT):
            for row, share in _pair(left, one, ace_hands_max if one == ACE else HANDS_MAX, split):
                law[row] += chance * share
        elif {one, two} == {ACE, EIGHT}:
            law["one_set"] += chance
        elif ACE in (one, two) or EIGHT in (one, two):
            law["any_ace_or_eight"] += chance
    return law


def _pair(
    counts: Counts, pair: int, hands_max: int, split: Callable[[Counts, int, int], Sets]
) -> Iterator[tuple[str, Fraction]]:
    for up, hole, chance, left in _two_cards(counts):
        if {up, hole} == {ACE, TEN}:
            yield "pair_with_dealer_blackjack", chance
        else:
            for row, share in zip(ROWS_BY_SETS, split(left, pair, hands_max), strict=True):
                yield row, chance * share


def _by_points(shoe: Shoe) -> Counts:
    """How many aces, twos ... nines and tens."""
    counts = [0] * TEN
    for card, count in enumerate(shoe):
        counts[points(card) - 1] += count
    return tuple(counts)


def _one_card(counts: Counts) -> Iterator[tuple[int, Fraction, Counts]]:
    """Each value that can come next: its points, its chance, and the remaining shoe."""
    total = sum(counts)
    for index, count in enumerate(counts):
        if count:
            left = (*counts[:index], count - 1, *counts[index + 1 :])
            yield index + 1, Fraction(count, total), left


def _two_cards(counts: Counts) -> Iterator[tuple[int, int, Fraction, Counts]]:
    for one, chance, rest in _one_card(counts):
        for two, share, left in _one_card(rest):
            yield one, two, chance * share, left


def _mixed(parts: Iterator[tuple[Fraction, Sets]]) -> Sets:
    weighed = [tuple(weight * chance for chance in sets) for weight, sets in parts]
    return tuple(sum(column, Fraction()) for column in zip(*weighed, strict=True))


def _one_more(sets: Sets) -> Sets:
    return (Fraction(), *sets[:-1])


@cache
def _second_cards(
    same: int, wanted: int, other: int, waiting: int, hands: int, hands_max: int
) -> Sets:
    """Sets to come when so many hands wait for a second card.

    `same` are cards of the pair's rank, `wanted` those that make a set of it.
    """
    if waiting == 0:
        return NO_MORE_SETS
    total = same + wanted + other

    def parts() -> Iterator[tuple[Fraction, Sets]]:
        if same and hands < hands_max:
            after = _second_cards(same - 1, wanted, other, waiting + 1, hands + 1, hands_max)
            yield Fraction(same, total), after
        elif same:
            after = _second_cards(same - 1, wanted, other, waiting - 1, hands, hands_max)
            yield Fraction(same, total), after
        if wanted:
            after = _second_cards(same, wanted - 1, other, waiting - 1, hands, hands_max)
            yield Fraction(wanted, total), _one_more(after)
        if other:
            after = _second_cards(same, wanted, other - 1, waiting - 1, hands, hands_max)
            yield Fraction(other, total), after

    return _mixed(parts())


@cache
def _play_hand(counts: Counts, pair: int, waiting: int, hands: int, hands_max: int) -> Sets:
    """The first of the waiting hands gets its second card and is played to its end."""
    if waiting == 0:
        return NO_MORE_SETS

    def parts() -> Iterator[tuple[Fraction, Sets]]:
        for card, chance, left in _one_card(counts):
            if card == pair and hands < hands_max:
                yield chance, _play_hand(left, pair, waiting + 1, hands + 1, hands_max)
            elif {card, pair} == {ACE, EIGHT}:
                yield chance, _one_more(_play_hand(left, pair, waiting - 1, hands, hands_max))
            elif pair == ACE:  # split aces get one card each
                yield chance, _play_hand(left, pair, waiting - 1, hands, hands_max)
            else:
                yield chance, _hit(left, pair + card, False, waiting - 1, hands, hands_max)

    return _mixed(parts())


@cache
def _hit(
    counts: Counts, total: int, has_ace: bool, waiting: int, hands: int, hands_max: int
) -> Sets:
    """A hand of eights that is no set, hit until hard 17 or soft 18, or bust.

    Its total counts an ace as one. The hand also stands where the rest of the shoe may be
    needed for the second cards of the hands to come.
    """
    needed = waiting + 2 * (hands_max - hands)
    soft_18 = has_ace and 18 <= total + 10 <= 21
    if total >= 17 or soft_18 or sum(counts) <= needed:
        return _play_hand(counts, EIGHT, waiting, hands, hands_max)

    def parts() -> Iterator[tuple[Fraction, Sets]]:
        for card, chance, left in _one_card(counts):
            aced = has_ace or card == ACE
            yield chance, _hit(left, total + card, aced, waiting, hands, hands_max)

    return _mixed(parts())
