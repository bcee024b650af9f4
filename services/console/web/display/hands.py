"""Hands in words: totals, actions, names of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from blackjack.cards.card import Card, card
from blackjack.cards.hand import total_of
from blackjack.display_names import wager_name
from blackjack.money import format_cents
from blackjack.outcomes import DealerPlace, HandCards
from blackjack.play.felt import Felt, FeltCard
from console.web.display.cards import BACK, UNREAD

IN_HAND: Final = (DealerPlace.UP, DealerPlace.HOLE, DealerPlace.DRAWN)
BUST_OVER: Final = 21
_ANY_ACE: Final = card("AS")


def symbol(held: Card | None, *, face_down: bool = False) -> tuple[str, str]:
    """The drawing of a card, and its name for screen readers."""
    if face_down:
        return BACK, "face-down card"
    return (UNREAD, "unread card") if held is None else (held.name, held.words)


def total_text(held: Sequence[Card | None], *, from_split: bool = False) -> str:
    """The total of a hand; empty if a card was not read."""
    known = [card for card in held if card is not None]
    if not known or len(known) != len(held):
        return ""
    total, soft = total_of(known)
    if total > BUST_OVER:
        return f"{total} bust"
    if total == BUST_OVER and len(known) == 2 and not from_split:
        return "blackjack"
    return f"soft {total}" if soft else str(total)


def dealer_total(laid: Sequence[FeltCard]) -> str:
    """The total of the dealer's visible cards."""
    held = [card for card in laid if card.place in IN_HAND]
    seen = [card.card for card in held if not card.face_down]
    if len(seen) == len(held):
        return total_text(seen)
    known = [card for card in seen if card is not None]
    total, soft = total_of(known)
    return f"shows {'ace' if soft and len(known) == 1 else total}" if known else ""


def player_total(held: HandCards) -> str:
    """The total of a player's hand; a free ace replaces its first card."""
    counted = (_ANY_ACE, *held.cards[1:]) if held.free_ace else held.cards
    return total_text(counted, from_split=held.from_split)


def actions_on(held: HandCards) -> tuple[str, ...]:
    """Doubles, surrenders and the like, in words."""
    actions = {
        "free ace": held.free_ace,
        "doubled": held.doubled,
        "surrendered": held.surrendered,
        "void": held.void,
    }
    return tuple(words for words, applies in actions.items() if applies)


def describe_felt(felt: Felt, titles: dict[str, str]) -> str:
    """Describe the table for screen readers, one sentence for each hand and wager."""
    dealer = [symbol(card.card, face_down=card.face_down)[1] for card in felt.dealer]
    sentences = [
        f"Dealer: {', '.join(dealer)}; {dealer_total(felt.dealer)}." if dealer else "No cards yet."
    ]
    for held in felt.hands:
        names = ", ".join(symbol(card)[1] for card in held.cards)
        place = f"Seat {held.seat}" + (f" hand {held.hand}" if held.hand > 1 else "")
        status = ", ".join(filter(None, (player_total(held), *actions_on(held))))
        sentences.append(f"{place}: {names}; {status}.")
    for wager in felt.wagers:
        title = titles.get(wager.wager) or wager_name(wager.wager)
        sentences.append(f"Seat {wager.seat} {title}: {format_cents(wager.stake_cents)}.")
    return " ".join(sentences)
