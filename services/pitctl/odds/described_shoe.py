"""A shoe described on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from blackjack.cards.card import DECK, Card, NotACard, card
from odds.shoe import NotAShoe, Shoe
from pitctl.odds.choice import CannotChoose
from pitctl.output.text import counted

_COUNTED: Final = re.compile(
    r"(?:(?P<before>[0-9]{1,4})x)?(?P<card>10.|..)(?:=(?P<after>[0-9]{1,4}))?"
)
_NUMBERS: Final = re.compile(r"[0-9]+([,\s]+[0-9]+)+")


def described_shoe(decks: int, shoe: str, without: str) -> Shoe:
    """A full shoe, or the one described, less the cards that have been seen.

    A description is 52 counts from the ace of clubs to the king of spades, or the cards
    that are left: `AS KD 3x7C` or `AS=2 7C=3`.

    >>> described_shoe(1, "", "AS 2xKD").total
    Traceback (most recent call last):
    ...
    pitctl.odds.choice.CannotChoose: the shoe: 2 KD cannot leave it: it has 1
    >>> described_shoe(6, "", "AS 2xKD").total, described_shoe(6, "4xAS 7C=3 TD", "AS").total
    (309, 7)
    """
    try:
        return _whole(decks, shoe.strip()).without(_cards(without))
    except (NotAShoe, NotACard) as refused:
        raise CannotChoose(f"the shoe: {refused}") from None


def _whole(decks: int, shoe: str) -> Shoe:
    if not shoe:
        return Shoe.of_decks(decks)
    if _NUMBERS.fullmatch(shoe):
        return Shoe(tuple(int(each) for each in re.split(r"[,\s]+", shoe)))
    return Shoe.of_cards(_cards(shoe))


def _cards(text: str) -> Iterator[Card]:
    for each in re.split(r"[,\s]+", text.strip()) if text.strip() else ():
        match = _COUNTED.fullmatch(each)
        if match is None or (match["before"] and match["after"]):
            raise NotACard(each)
        for _ in range(int(match["before"] or match["after"] or 1)):
            yield card(match["card"])


def shoe_words(shoe: Shoe) -> str:
    """What is left, in a few words."""
    counts = set(shoe.counts)
    if len(counts) == 1:
        decks = counted(shoe.total // len(DECK), "deck")
        return f"a full shoe of {decks}, {counted(shoe.total, 'card')}"
    return f"{counted(shoe.total, 'card')} of {counted(sum(map(bool, shoe.counts)), 'kind')}"
