"""Cards, as the rules of blackjack see them.

There are exactly 52 `Card` objects in a process, so cards compare by identity and
count by index. A card that no device read is `None` wherever a card may stand: it is
never guessed.
"""

from __future__ import annotations

from typing import Final, final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
ACE: Final = 1
TEN: Final = 10
KING: Final = 13

_RANK_NAMES: Final = "ace two three four five six seven eight nine ten jack queen king".split()
_SUIT_NAMES: Final = "clubs diamonds hearts spades".split()
_SUIT_SIGNS: Final = "♣♦♥♠"


@final
class Card:
    """One of the 52 faces of a standard deck.

    `rank` runs from 1 (ace) to 13 (king); `points` is what the card counts in
    blackjack with the ace as one; `name` is two letters, "AS" or "TD".
    """

    __slots__ = ("index", "is_red", "name", "points", "rank", "suit")

    def __init__(self, index: int) -> None:
        suit, rank = divmod(index, 13)
        self.index = index
        self.rank = rank + 1
        self.suit = SUITS[suit]
        self.points = min(rank + 1, TEN)
        self.is_red = self.suit in "DH"
        self.name = RANKS[rank] + self.suit

    @property
    def words(self) -> str:
        """The card as a dealer calls it: "ace of spades"."""
        return f"{_RANK_NAMES[self.rank - 1]} of {_SUIT_NAMES[SUITS.index(self.suit)]}"

    @property
    def sign(self) -> str:
        """The card as print shows it: "A♠"."""
        return RANKS[self.rank - 1] + _SUIT_SIGNS[SUITS.index(self.suit)]

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.name,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


DECK: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(52))
_BY_NAME: Final = {dealt.name: dealt for dealt in DECK}


class NotACard(ValueError):
    """A text that names none of the 52 cards."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text!r} is not a card; write rank and suit, as in AS, TD, 7C")


def card(text: str) -> Card:
    """The card with this name; "10" is taken for "T", and case does not matter.

    >>> card("AS"), card("10d")
    (AS, TD)
    """
    name = text.strip().upper().replace("10", "T")
    try:
        return _BY_NAME[name]
    except KeyError:
        raise NotACard(text) from None


def cards(text: str) -> tuple[Card, ...]:
    """Several cards, parted by blanks or commas."""
    return tuple(card(name) for name in text.replace(",", " ").split())
