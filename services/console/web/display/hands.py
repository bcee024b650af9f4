"""Hands in words: what they count, how they were played, which card it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from blackjack.cards.card import Card, card
from blackjack.cards.hand import total_of
from blackjack.money import format_cents
from blackjack.outcomes import DealerPlace, HandCards
from blackjack.play.felt import Felt, FeltCard
from console.web.display.cards import BACK, UNREAD

IN_HAND: Final = (DealerPlace.UP, DealerPlace.HOLE, DealerPlace.DRAWN)
BUST_OVER: Final = 21
_ANY_ACE: Final = card("AS")


def symbol(held: Card | None, *, face_down: bool = False) -> tuple[str, str]:
    """Which drawing it is, and what a screen reader says."""
    if face_down:
        return BACK, "a card face down"
    return (UNREAD, "a card that was not read") if held is None else (held.name, held.words)


def worth(held: Sequence[Card | None], *, from_split: bool = False) -> str:
    """What a hand counts, unless a card was not read."""
    known = [each for each in held if each is not None]
    if not known or len(known) != len(held):
        return ""
    total, soft = total_of(known)
    if total > BUST_OVER:
        return f"{total} bust"
    if total == BUST_OVER and len(known) == 2 and not from_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)


def dealer_worth(laid: Sequence[FeltCard]) -> str:
    """As far as it can be seen."""
    held = [each for each in laid if each.place in IN_HAND]
    seen = [each.card for each in held if not each.face_down]
    if len(seen) == len(held):
        return worth(seen)
    known = [each for each in seen if each is not None]
    total, soft = total_of(known)
    return f"shows {'ace' if soft and len(known) == 1 else total}" if known else ""


def player_worth(held: HandCards) -> str:
    counted = (_ANY_ACE, *held.cards[1:]) if held.free_ace else held.cards
    return worth(counted, from_split=held.from_split)


def how_played(held: HandCards) -> tuple[str, ...]:
    """What became of it besides cards."""
    said = {
        "free ace": held.free_ace,
        "doubled": held.doubled,
        "surrendered": held.surrendered,
        "void": held.void,
    }
    return tuple(words for words, applies in said.items() if applies)


def in_words(felt: Felt, titles: dict[str, str]) -> str:
    """The whole table in a sentence each, for who does not see it."""
    dealer = [symbol(each.card, face_down=each.face_down)[1] for each in felt.dealer]
    said = [
        f"Dealer: {', '.join(dealer)}; {dealer_worth(felt.dealer)}." if dealer else "No cards yet."
    ]
    for held in felt.hands:
        names = ", ".join(symbol(each)[1] for each in held.cards)
        place = f"Seat {held.seat}" + (f" hand {held.hand}" if held.hand > 1 else "")
        told = ", ".join(filter(None, (player_worth(held), *how_played(held))))
        said.append(f"{place}: {names}; {told}.")
    for wager in felt.wagers:
        title = titles.get(wager.wager) or wager.wager.replace("_", " ")
        said.append(f"Seat {wager.seat} {title}: {format_cents(wager.stake_cents)}.")
    return " ".join(said)
