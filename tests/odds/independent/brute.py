"""Every ordered deal of a shoe, judged by the text of the filings and counted.

Laws here hold the loss too, under `LOSS`, so that each sums to one by counting alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import perm
from typing import Final

from tests.odds.independent.cards import (
    ACE,
    EIGHT,
    KING,
    QUEEN,
    TEN,
    Card,
    Law,
    Shoe,
    is_red,
    points,
    rank,
    suit,
)

LOSS: Final = "loss"
Deal = tuple[Card, ...]


def deals(shoe: Shoe, size: int) -> Iterator[tuple[Deal, int]]:
    """Every ordered deal of so many cards, and in how many ways the shoe can give it."""
    if size == 0:
        yield (), 1
        return
    left = list(shoe)
    for card, count in enumerate(shoe):
        if count:
            left[card] -= 1
            for rest, ways in deals(tuple(left), size - 1):
                yield (card, *rest), count * ways
            left[card] += 1


def law(shoe: Shoe, size: int, judge: Callable[[Deal], str]) -> Law:
    """The law of `judge` over so many cards dealt from the shoe."""
    ways_of: Counter[str] = Counter()
    for deal, ways in deals(shoe, size):
        ways_of[judge(deal)] += ways
    total = perm(sum(shoe), size)
    return {outcome: Fraction(ways, total) for outcome, ways in ways_of.items()}


def law_given(first: Card, shoe: Shoe, size: int, judge: Callable[[Deal], str]) -> Law:
    """The law when the first card dealt is already known: it has left the shoe."""
    left = tuple(count - (card == first) for card, count in enumerate(shoe))
    return law(left, size - 1, lambda rest: judge((first, *rest)))


def double_action(deal: Deal) -> str:
    """Filing 000, rule 3. The player's two cards, then the up card; the best row counts."""
    one, two, up = (rank(card) for card in deal)
    suited = len({suit(card) for card in deal}) == 1
    if one == two == up:
        return "suited_three_of_a_kind" if suited else "three_of_a_kind"
    ranks = {one, two, up}
    in_a_row = len(ranks) == 3 and max(ranks) - min(ranks) == 2
    if in_a_row or ranks == {QUEEN, KING, ACE}:
        return "straight_flush" if suited else "straight"
    if suited:
        return "flush"
    return "match" if up in (one, two) else LOSS


def match_several_decks(deal: Deal) -> str:
    """Filings 000, rule 4, and 001. The card to match, then the three that may match it."""
    target, *three = deal
    matching = [card for card in three if rank(card) == rank(target)]
    in_suit = matching.count(target)
    match len(matching):
        case 3:
            return "triple_suited" if in_suit == 3 else "triple_match"
        case 2:
            return "double_match"
        case 1:
            return "suited_match" if in_suit == 1 else "unsuited_match"
        case _:
            return LOSS


def match_one_deck(deal: Deal) -> str:
    """Filing 001, single deck: color counts for one match only."""
    target, *three = deal
    matching = [card for card in three if rank(card) == rank(target)]
    match matching:
        case []:
            return LOSS
        case [card]:
            return "colored_match" if is_red(card) == is_red(target) else "uncolored_match"
        case [_, _]:
            return "double_match"
        case _:
            return "triple_match"


def skweezit(deal: Deal) -> str:
    """Filing 002. The player's two cards, then the up card, which must lie between them."""
    one, two, up = (KING + 1 if rank(card) == ACE else rank(card) for card in deal)
    if not (one < up < two or two < up < one):
        return LOSS
    if abs(one - two) == 2:
        suited = len({suit(card) for card in deal}) == 1
        return "suited_belly_skweezer" if suited else "belly_skweezer"
    one_color = len({is_red(card) for card in deal}) == 1
    return "one_colour_skweezer" if one_color else "skweezer"


def upcard_bonus(deal: Deal) -> str:
    """Filing 004, rule 13 and the table of events. Original, replacement, hole card."""
    original, up, hole = deal
    if not 3 <= rank(original) <= 6:
        return LOSS
    if {points(up), points(hole)} == {ACE, TEN}:
        return "suited_blackjack" if suit(up) == suit(hole) else "unsuited_blackjack"
    if rank(up) == ACE:
        return "ace_up"
    if points(up) == TEN:
        return "ten_up"
    return "seven_to_nine_up" if 7 <= rank(up) <= 9 else LOSS


def arrangements(counts: dict[int, int]) -> Iterator[list[int]]:
    """Every distinct order of a few kinds of cards; each is as likely as any other."""
    if not any(counts.values()):
        yield []
    for kind, count in counts.items():
        if count:
            for rest in arrangements({**counts, kind: count - 1}):
                yield [kind, *rest]


def dead_mans_hand(shoe: Shoe, *, ace_hands_max: int) -> Law:
    """Filing 003, by dealing every order of a shoe of ten cards or a few more to the end."""
    other = 2  # stands for all that are neither ace, eight nor ten
    counts: Counter[int] = Counter()
    for card, count in enumerate(shoe):
        counts[points(card) if points(card) in (ACE, EIGHT, TEN) else other] += count
    rows = Counter(
        _dead_mans_hand(order, ace_hands_max=ace_hands_max) for order in arrangements(counts)
    )
    return {row: Fraction(ways, rows.total()) for row, ways in rows.items()}


def _dead_mans_hand(order: list[int], *, ace_hands_max: int) -> str:
    """One shoe in one order, played by a player who always splits."""
    one, two, up, hole, *shoe = order
    if one != two:
        if {one, two} == {ACE, EIGHT}:
            return "one_set"
        return "any_ace_or_eight" if {one, two} & {ACE, EIGHT} else LOSS
    if one not in (ACE, EIGHT):
        return LOSS
    if {up, hole} == {ACE, TEN}:
        return "pair_with_dealer_blackjack"
    hands_max = ace_hands_max if one == ACE else 4
    seconds: list[int | None] = [None, None]  # of each hand, from the first to the last
    for hand in range(4):
        while hand < len(seconds) and seconds[hand] is None:
            card = shoe.pop(0)
            if card == one and len(seconds) < hands_max:
                seconds.append(None)
            else:
                seconds[hand] = card
    sets = seconds.count(EIGHT if one == ACE else ACE)
    return ("pair_no_set", "one_set", "two_sets", "three_sets", "four_sets")[sets]
