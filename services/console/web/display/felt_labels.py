"""Figures and words on the felt, each in a box of its own: where it stands, how wide it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackjack.outcomes import HandCards
from blackjack.play.felt import FeltWager
from console.web.display.hands import how_played, player_worth
from console.web.display.money import dollars

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


def on_felt(cents: int) -> str:
    """As short as it can be told: there is little room beside chips.

    >>> on_felt(2500), on_felt(-1250)
    ('$25', '\u2212$12.50')
    """
    return dollars(cents).removesuffix(".00")


def money_labels(wager: FeltWager, x: float, y: float, radius: float) -> tuple[Label, ...]:
    """What lies on a spot or was taken from it, and above it what was paid."""
    if wager.collected_cents:
        labels = [Label(on_felt(-wager.collected_cents), "taken", x, y + radius * 0.5)]
    else:
        labels = [Label(on_felt(wager.stake_cents), "stake", x, y + radius * 0.68)]
    if wager.paid_cents:
        labels.append(Label(f"+{on_felt(wager.paid_cents)}", "paid", x, y - radius * 0.68))
    return tuple(labels)


def played_labels(held: HandCards, x: float, *, top: float, bottom: float) -> tuple[Label, ...]:
    """What a hand counts, above it; over its cards what became of it."""
    worth = player_worth(held)
    labels = [Label(worth, "worth", x, top - _ABOVE)] if worth else []
    labels += [
        Label(words, SMALL, x, bottom - SMALL_HEIGHT * (at + 0.5) - 4)
        for at, words in enumerate(reversed(how_played(held)))
    ]
    return tuple(labels)
