"""A shoe as typed on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from blackjack.cards.card import DECK, Card, NotACard, card
from odds.shoe import CardCounts, NotAShoe
from pitctl.errors import InvalidArgument
from pitctl.output.text import count_noun

_COUNTED: Final = re.compile(
    r"(?:(?P<before>[0-9]{1,4})x)?(?P<card>10.|..)(?:=(?P<after>[0-9]{1,4}))?"
)
_NUMBERS: Final = re.compile(r"[0-9]+([,\s]+[0-9]+)+")


def parse_shoe(decks: int, shoe: str, without: str) -> CardCounts:
    """Parse a shoe, full by default, less the cards that have been seen.

    A shoe is typed as 52 counts from the ace of clubs to the king of spades, or as the
    remaining cards: `AS KD 3x7C` or `AS=2 7C=3`.

    >>> parse_shoe(1, "", "AS 2xKD").total
    Traceback (most recent call last):
    ...
    pitctl.errors.InvalidArgument: Invalid shoe: 2 KD cannot leave it: it has 1
    >>> parse_shoe(6, "", "AS 2xKD").total, parse_shoe(6, "4xAS 7C=3 TD", "AS").total
    (309, 7)
    """
    try:
        return _whole(decks, shoe.strip()).without(_cards(without))
    except (NotAShoe, NotACard) as error:
        raise InvalidArgument(f"Invalid shoe: {error}") from None


def _whole(decks: int, shoe: str) -> CardCounts:
    if not shoe:
        return CardCounts.of_decks(decks)
    if _NUMBERS.fullmatch(shoe):
        return CardCounts(tuple(int(count) for count in re.split(r"[,\s]+", shoe)))
    return CardCounts.of_cards(_cards(shoe))


def _cards(text: str) -> Iterator[Card]:
    for word in re.split(r"[,\s]+", text.strip()) if text.strip() else ():
        match = _COUNTED.fullmatch(word)
        if match is None or (match["before"] and match["after"]):
            raise NotACard(word)
        for _ in range(int(match["before"] or match["after"] or 1)):
            yield card(match["card"])


def describe_shoe(shoe: CardCounts) -> str:
    """The remaining cards, in a few words."""
    counts = set(shoe.counts)
    if len(counts) == 1:
        decks = count_noun(shoe.total // len(DECK), "deck")
        return f"a full shoe of {decks}, {count_noun(shoe.total, 'card')}"
    return f"{count_noun(shoe.total, 'card')} of {count_noun(sum(map(bool, shoe.counts)), 'kind')}"
