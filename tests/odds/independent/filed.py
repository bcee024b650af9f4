"""The winning hands of the filings, counted in closed form: a full shoe of so many decks.

No card is dealt here. Each law is a number of ways over a number of ways, and each number
is argued from how many cards have a rank, a suit or a color.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from tests.odds.independent.cards import Law


def double_action(decks: int) -> Law:
    """Any three cards make a poker hand; only a plain match depends on which is the up card.

    Ranks run A-2-3 to Q-K-A: twelve runs of three.
    """
    one_rank, one_suit, shoe = 4 * decks, 13 * decks, 52 * decks
    hands = comb(shoe, 3)
    suited_trips = 52 * comb(decks, 3)
    trips = 13 * comb(one_rank, 3) - suited_trips
    runs = 12 * decks**3  # with a suit named for each card
    straight_flushes = runs * 4
    straights = runs * (4**3 - 4)
    flushes = 4 * comb(one_suit, 3) - suited_trips - straight_flushes

    # Given the up card: one card of its rank and one of another, not all of its suit.
    pairs = comb(shoe - 1, 2)
    matches = (one_rank - 1) * 48 * decks
    suited_matches = (decks - 1) * 12 * decks
    return {
        "match": Fraction(matches - suited_matches, pairs),
        "flush": Fraction(flushes, hands),
        "straight": Fraction(straights, hands),
        "three_of_a_kind": Fraction(trips, hands),
        "straight_flush": Fraction(straight_flushes, hands),
        "suited_three_of_a_kind": Fraction(suited_trips, hands),
    }


def match_several_decks(decks: int) -> Law:
    """Given the card to match, three of the rest: how many have its rank, and its suit."""
    same_card, same_rank, other_rank = decks - 1, 4 * decks - 1, 48 * decks
    threes = comb(52 * decks - 1, 3)
    strangers = comb(other_rank, 2)
    return {
        "unsuited_match": Fraction(3 * decks * strangers, threes),
        "suited_match": Fraction(same_card * strangers, threes),
        "double_match": Fraction(comb(same_rank, 2) * other_rank, threes),
        "triple_match": Fraction(comb(same_rank, 3) - comb(same_card, 3), threes),
        "triple_suited": Fraction(comb(same_card, 3), threes),
    }


def match_one_deck() -> Law:
    """One deck has one more card of the same rank and color, and two of the other color."""
    threes = comb(51, 3)
    strangers = comb(48, 2)
    return {
        "uncolored_match": Fraction(2 * strangers, threes),
        "colored_match": Fraction(1 * strangers, threes),
        "double_match": Fraction(comb(3, 2) * 48, threes),
        "triple_match": Fraction(comb(3, 3), threes),
    }


def skweezit(decks: int) -> Law:
    """Three cards of three ranks win when the middle one is the up card: one time in three.

    The ace is high only, so there are eleven runs, 2-3-4 to Q-K-A. Of 64 choices of suits,
    16 are of one color, and 4 of those of one suit.
    """
    runs = 11
    gapped = comb(13, 3) - runs
    deals = 3 * comb(52 * decks, 3)
    copies = decks**3
    return {
        "skweezer": Fraction(gapped * (64 - 16) * copies, deals),
        "one_colour_skweezer": Fraction(gapped * 16 * copies, deals),
        "belly_skweezer": Fraction(runs * (64 - 4) * copies, deals),
        "suited_belly_skweezer": Fraction(runs * 4 * copies, deals),
    }


def upcard_bonus(decks: int) -> Law:
    """Original up card three to six, its replacement, the hole card: in this order."""
    shoe, aces, tens = 52 * decks, 4 * decks, 16 * decks
    originals, middles = 16 * decks, 12 * decks
    deals = shoe * (shoe - 1) * (shoe - 2)
    others = shoe - 2  # for the hole card, when original and replacement are gone
    ace_and_ten_of_one_suit = 4 * (decks * 4 * decks)
    ace_and_ten_of_two_suits = 4 * (decks * 12 * decks)
    return {
        "seven_to_nine_up": Fraction(originals * middles * others, deals),
        "ten_up": Fraction(originals * tens * (others - aces), deals),
        "ace_up": Fraction(originals * aces * (others - tens), deals),
        "unsuited_blackjack": Fraction(originals * 2 * ace_and_ten_of_two_suits, deals),
        "suited_blackjack": Fraction(originals * 2 * ace_and_ten_of_one_suit, deals),
    }
