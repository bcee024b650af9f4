"""Settled rounds for the tests: dealt from a shoe of which so much is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from blackjack.cards.card import Card
from blackjack.facts import ShoeKind
from blackjack.outcomes import (
    DealerCard,
    DealerPlace,
    HandCards,
    Payment,
    Result,
    RoundContext,
    RoundStatus,
    SeatPatron,
    SettledRound,
    WagerOutcome,
)
from blackjack.rulebook.rule_set import FILED, RuleSet
from odds.shoe import CardCounts

DEALER: Final = "D-1"


def rules_of(game: str, decks: int = 6) -> RuleSet:
    """A filed rule set."""
    return next(each for each in FILED if (each.spec.game, each.spec.decks) == (game, decks))


def bet(
    seat: int,
    wager: str,
    result: Result,
    outcome: str = "",
    *,
    hand: int = 1,
    cents: int = 10_00,
    payment: Payment = Payment.EXACT,
    difference_cents: int = 0,
    coupon: str = "",
) -> WagerOutcome:
    """A wager of the patron of its seat."""
    owed = cents if result is Result.WON else 0
    taken = cents if result is Result.LOST else 0
    return WagerOutcome(
        seat=seat,
        hand=hand,
        wager=wager,
        stake_cents=cents,
        result=result,
        outcome=outcome or result.value,
        clause="",
        arithmetic="",
        owed_cents=owed,
        owed_cents_least=owed,
        owed_cents_most=owed,
        taken_cents=taken,
        paid_cents=owed + difference_cents,
        collected_cents=taken,
        returned_cents=0,
        difference_cents=difference_cents,
        payment=payment,
        patron=f"P-{seat}",
        coupon=coupon,
        placed_cents=cents if hand == 1 else 0,
    )


def hand(seat: int, cards: Iterable[Card | None], number: int = 1, **how: bool) -> HandCards:
    return HandCards(seat, number, tuple(cards), **how)


def dealers(
    up: Card | None, hole: Card | None, *drawn: Card | None, replaced: Card | None = None
) -> tuple[DealerCard, ...]:
    """The dealer's hand, standard or of Half Back."""
    cards = [DealerCard(up, DealerPlace.UP), DealerCard(hole, DealerPlace.HOLE)]
    if replaced is not None:
        cards.insert(0, DealerCard(replaced, DealerPlace.REPLACED))
    return (*cards, *(DealerCard(card, DealerPlace.DRAWN) for card in drawn))


def played(
    rules: RuleSet,
    shoe: CardCounts,
    *,
    dealer: tuple[DealerCard, ...] = (),
    hands: Sequence[HandCards] = (),
    outcomes: Sequence[WagerOutcome] = (),
    number: int = 1,
    unread: int = 0,
    complete: bool = True,
    status: RoundStatus = RoundStatus.SETTLED,
    kind: ShoeKind = ShoeKind.SHOE,
    shoe_name: str = "S-1",
) -> SettledRound:
    """A round; `shoe` is what was left when it was dealt."""
    decks = rules.spec.decks
    return SettledRound(
        table="T-1",
        round=f"R-{number}",
        version=1,
        cause="",
        status=status,
        game=rules.spec.game,
        context=RoundContext(
            rule_set=rules.hash,
            dealer=DEALER,
            supervisor="S-1",
            patrons=tuple(SeatPatron(seat, f"P-{seat}") for seat in range(1, 8)),
            shoe=shoe_name,
            shoe_kind=kind,
            shoe_decks=decks,
            shoe_seen=tuple(decks - count for count in shoe.counts),
            shoe_unread=unread,
            shoe_complete=complete,
        ),
        opened_at=number * 60_000_000,
        closed_at=number * 60_000_000 + 50_000_000,
        first_seq=number * 100,
        last_seq=number * 100 + 50,
        dealer=dealer,
        hands=tuple(hands),
        outcomes=tuple(outcomes),
        findings=(),
        engine="1",
    )
