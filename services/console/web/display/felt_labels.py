"""Figures and words on the felt, each in a box of its own: where it stands, how wide it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackjack.money import format_cents
from blackjack.outcomes import HandCards
from blackjack.play.felt import FeltWager
from console.web.display.hands import how_played, player_worth

HEIGHT, SMALL_HEIGHT = 20.0, 16.0
SMALL: Final = "played"
_LETTER, _SMALL_LETTER = 8.3, 6.4
_PADDING: Final = 11.0
_ABOVE: Final = 8.0


@dataclass(frozen=True, slots=True)
class Label:
    words: str
    kind: str
    x: float
    """Its middle, as `y`."""
    y: float

    @property
    def width(self) -> float:
        letter = _SMALL_LETTER if self.kind == SMALL else _LETTER
        return round(len(self.words) * letter + _PADDING, 1)

    @property
    def height(self) -> float:
        return SMALL_HEIGHT if self.kind == SMALL else HEIGHT


def money_labels(wager: FeltWager, x: float, y: float, radius: float) -> tuple[Label, ...]:
    """The stake, or what the house won of it; above it what the house paid."""
    if wager.collected_cents:
        labels = [Label(_short(wager.collected_cents, plus=True), "taken", x, y + radius * 0.5)]
    else:
        labels = [Label(_short(wager.stake_cents), "stake", x, y + radius * 0.68)]
    if wager.paid_cents:
        labels.append(Label(_short(-wager.paid_cents), "paid", x, y - radius * 0.68))
    return tuple(labels)


def _short(cents: int, *, plus: bool = False) -> str:
    """There is little room beside chips."""
    return format_cents(cents, plus=plus, drop_zero_cents=True)


def played_labels(held: HandCards, x: float, *, top: float, bottom: float) -> tuple[Label, ...]:
    """What a hand counts, above it; over its cards what became of it."""
    worth = player_worth(held)
    labels = [Label(worth, "worth", x, top - _ABOVE)] if worth else []
    labels += [
        Label(words, SMALL, x, bottom - SMALL_HEIGHT * (at + 0.5) - 4)
        for at, words in enumerate(reversed(how_played(held)))
    ]
    return tuple(labels)
