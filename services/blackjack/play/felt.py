"""The felt after a fact: cards, wagers, and the money paid on them so far."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from blackjack.cards.card import Card
from blackjack.facts import Place
from blackjack.outcomes import DealerCard, DealerPlace, HandCards, SettledRound
from blackjack.play.round import BETTING, Round
from blackjack.settlement.round_close import held_cards, laid_cards

_SPOTS: Final = {
    Place.MATCH_ME.value: DealerPlace.MATCH_ME,
    Place.MATCH_ME_2.value: DealerPlace.MATCH_ME_2,
}


class FeltCard(Struct, frozen=True, gc=False):
    """A card of the dealer; None is one that was not read."""

    card: Card | None
    place: DealerPlace
    face_down: bool = False


class FeltWager(Struct, frozen=True, gc=False):
    """A wager with the money that has moved for it so far."""

    seat: int
    hand: int
    wager: str
    stake_cents: int
    paid_cents: int = 0
    collected_cents: int = 0
    returned_cents: int = 0
    coupon: str = ""
    patron: str = ""
    tip: bool = False


class Felt(Struct, frozen=True, gc=False):
    """The table as a camera above it would show it."""

    dealer: tuple[FeltCard, ...] = ()
    hands: tuple[HandCards, ...] = ()
    wagers: tuple[FeltWager, ...] = ()
    bets_closed: bool = False

    def stake_cents(self, seat: int) -> int:
        """All that a seat has at stake."""
        return sum(wager.stake_cents for wager in self.wagers if wager.seat == seat)


BARE: Final = Felt()
"""The felt before the first chip."""


def felt_of(played: Round) -> Felt:
    """What lies on the table while a round is played."""
    hidden = {place for name, place in _SPOTS.items() if name not in played.exposed}
    if not played.hole_shown:
        hidden.add(DealerPlace.HOLE)
    dealer = tuple(_laid(card, hidden) for card in laid_cards(played))
    wagers = tuple(
        FeltWager(
            wager.seat,
            wager.hand,
            wager.kind,
            wager.stake,
            wager.paid_cents,
            wager.collected_cents,
            wager.returned,
            wager.coupon.serial if wager.coupon is not None else "",
            wager.patron,
            wager.tip,
        )
        for _, wager in sorted((played.wagers | played.strays).items())
        if not wager.stray or wager.moves_money
    )
    return Felt(dealer, held_cards(played), wagers, played.phase != BETTING)


def felt_after(settled: SettledRound, before: Felt) -> Felt:
    """The felt at the end, as judged; cards that are face down then were never turned over."""
    hidden = {card.place for card in before.dealer if card.face_down}
    wagers = tuple(
        FeltWager(
            outcome.seat,
            outcome.hand,
            outcome.wager,
            outcome.stake_cents,
            outcome.paid_cents,
            outcome.collected_cents,
            outcome.returned_cents,
            outcome.coupon,
            outcome.patron,
            outcome.tip,
        )
        for outcome in settled.outcomes
    )
    dealer = tuple(_laid(card, hidden) for card in settled.dealer)
    return Felt(dealer, settled.hands, wagers, bets_closed=True)


def _laid(laid: DealerCard, hidden: set[DealerPlace]) -> FeltCard:
    return FeltCard(laid.card, laid.place, laid.place in hidden)
