"""Amounts and words on the felt, each in a box with position and width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackjack.money import format_cents
from blackjack.outcomes import HandCards
from blackjack.play.felt import FeltWager
from console.web.display.hands import actions_on, player_total

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
    """The center, as `y`."""
    y: float

    @property
    def width(self) -> float:
        letter = _SMALL_LETTER if self.kind == SMALL else _LETTER
        return round(len(self.words) * letter + _PADDING, 1)

    @property
    def height(self) -> float:
        return SMALL_HEIGHT if self.kind == SMALL else HEIGHT


def money_labels(wager: FeltWager, x: float, y: float, radius: float) -> tuple[Label, ...]:
    """Label the stake, or the part the house won; above it, the amount the house paid."""
    if wager.collected_cents:
        labels = [
            Label(_format_short(wager.collected_cents, plus=True), "taken", x, y + radius * 0.5)
        ]
    else:
        labels = [Label(_format_short(wager.stake_cents), "stake", x, y + radius * 0.68)]
    if wager.paid_cents:
        labels.append(Label(_format_short(-wager.paid_cents), "paid", x, y - radius * 0.68))
    return tuple(labels)


def _format_short(cents: int, *, plus: bool = False) -> str:
    """Leave out zero cents: there is little room beside chips."""
    return format_cents(cents, plus=plus, drop_zero_cents=True)


def hand_labels(held: HandCards, x: float, *, top: float, bottom: float) -> tuple[Label, ...]:
    """Label a hand with its total, and with the actions taken on it."""
    total = player_total(held)
    labels = [Label(total, "worth", x, top - _ABOVE)] if total else []
    labels += [
        Label(words, SMALL, x, bottom - SMALL_HEIGHT * (at + 0.5) - 4)
        for at, words in enumerate(reversed(actions_on(held)))
    ]
    return tuple(labels)
