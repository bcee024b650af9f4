"""Supervisors' rulings on irregularities: which of them fit, and what they change."""

from __future__ import annotations

from typing import Final

from blackjack.cards.hand import Hand
from blackjack.facts import DEALER, Irregularity, IrregularityRuled, Ruling
from blackjack.findings import Kind
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.rulebook.state_rules import SIGNERS_RULE
from blackjack.settlement.main_wagers import dealer_must_draw

FIT_RULINGS: Final = {
    Irregularity.MISDEAL: {Ruling.VOID_ROUND, Ruling.VOID_HAND, Ruling.PLAY_ON},
    Irregularity.CARD_EXPOSED: {
        Ruling.PLAY_ON,
        Ruling.CARD_DEAD,
        Ruling.VOID_HAND,
        Ruling.VOID_ROUND,
    },
    Irregularity.CARD_SKIPPED: {Ruling.PLAY_ON, Ruling.VOID_HAND, Ruling.VOID_ROUND},
    Irregularity.DEALER_DREW_TOO_MANY: {Ruling.CARD_DEAD, Ruling.PLAY_ON, Ruling.VOID_ROUND},
    Irregularity.PAYMENT_CORRECTED: {Ruling.PLAY_ON},
    Irregularity.VIDEO_UNCLEAR: {Ruling.FOR_PLAYER, Ruling.VOID_HAND, Ruling.VOID_ROUND},
}
"""Which rulings an irregularity allows; `docs/interpretations.md` gives the reasons."""


def rule(state: TableState, played: Round, fact: IrregularityRuled) -> None:
    """A supervisor rules on an irregularity; a fitting ruling decides the amounts owed."""
    check_supervisor(state, fact.supervisor, "ruled on a round")
    if fact.ruling not in FIT_RULINGS[fact.irregularity]:
        state.note(
            Kind.RULING_UNFIT,
            f"Ruling does not fit: {_plain(fact.ruling)} for {_plain(fact.irregularity)}",
            "docs/interpretations.md, rulings",
            detail="the ruling has no effect",
            seat=fact.seat,
            hand=fact.hand,
            per_event=True,
        )
        return
    played.ruled.add(fact.irregularity)
    played.reconsider()
    meant = _hands_meant(played, fact)
    dealer_meant = fact.ruling is Ruling.CARD_DEAD and fact.seat == DEALER
    if fact.seat != DEALER and not meant:
        state.note(
            Kind.NO_SUCH_HAND,
            f"Ruling for seat {fact.seat}, which is not in play",
            "order of play",
            detail="the ruling has no effect",
            seat=fact.seat,
            hand=fact.hand,
            per_event=True,
        )
    match fact.ruling:
        case Ruling.VOID_ROUND:
            played.void = fact.irregularity.value.replace("_", " ")
        case Ruling.VOID_HAND:
            for hand in meant:
                hand.void = hand.done = True
        case Ruling.CARD_DEAD:
            if dealer_meant:
                _kill_dealer_card(played, fact.irregularity)
            else:
                for hand in meant:
                    _kill_card(played, hand)
        case Ruling.FOR_PLAYER:
            for wager in played.wagers.values():
                if (
                    fact.seat in (DEALER, wager.seat)
                    and fact.hand in (0, wager.hand)
                    and fact.wager in ("", wager.kind)
                ):
                    wager.for_player = True
        case Ruling.PLAY_ON:
            if fact.irregularity is Irregularity.DEALER_DREW_TOO_MANY:
                _count_surplus(played)


def check_supervisor(state: TableState, supervisor: str, what: str) -> None:
    """Report a dealer who supervises the same table: the two who sign are two persons."""
    if supervisor and supervisor == state.dealer:
        state.note(
            Kind.SIGNERS,
            f"Dealer {supervisor} acted as supervisor at the same table: {what}",
            SIGNERS_RULE,
            per_event=True,
        )


def _plain(code: str) -> str:
    return code.replace("_", " ")


def _hands_meant(played: Round, fact: IrregularityRuled) -> list[Hand]:
    """The hands of the seat that is named; without one, of the whole table."""
    return [
        hand
        for seat, hands in sorted(played.hands.items())
        if fact.seat in (DEALER, seat)
        for hand in hands
        if fact.hand in (0, hand.number)
    ]


def _kill_dealer_card(played: Round, irregularity: Irregularity) -> None:
    """The dealer's last card does not count; surplus cards never did.

    A card that had to be drawn is not surplus, and stays.
    """
    dealer = played.dealer
    if played.surplus:
        played.surplus = ()
    elif len(dealer.cards) > 2:
        last = dealer.cards.pop()
        dealer.recount()
        if irregularity is Irregularity.DEALER_DREW_TOO_MANY and _must_draw(played):
            dealer.add(last)


def _must_draw(played: Round) -> bool:
    """Whether the dealer's cards are known, and the rules require a draw."""
    rules = played.rules
    return (
        rules is not None
        and played.dealer.known
        and dealer_must_draw(played.dealer, hits_soft_17=rules.spec.house.dealer_hits_soft_17)
    )


def _count_surplus(played: Round) -> None:
    """The dealer's surplus cards count after all: a supervisor ruled so."""
    for card in played.surplus:
        played.dealer.add(card)
    played.surplus = ()


def _kill_card(played: Round, hand: Hand) -> None:
    """The hand's last card does not count; in place of a first card another one is due."""
    if not hand.cards:
        return
    hand.cards.pop()
    hand.recount()
    hand.done = False
    if len(hand.cards) < 2:
        hand.due += 1
        firsts = played.firsts.get(hand.seat)
        if firsts and not hand.from_split:
            firsts.pop()
