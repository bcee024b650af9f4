"""The end of a round: the outcome of every wager, and the mispays that remain."""

from __future__ import annotations

from typing import Final

from blackjack import ENGINE
from blackjack.display_names import wager_name
from blackjack.facts import Observation
from blackjack.findings import Kind
from blackjack.outcomes import (
    DealerCard,
    DealerPlace,
    HandCards,
    Payment,
    Result,
    RoundStatus,
    SettledRound,
    WagerOutcome,
)
from blackjack.play.chip_moves import report_pinches
from blackjack.play.procedure import check_dealer_stood, check_peek_came, check_replacement
from blackjack.play.round import DEALT, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import cite
from blackjack.rulebook.filings import Settles
from blackjack.rulebook.house_rules import HALF_BACK
from blackjack.rulebook.promotions import OnPush
from blackjack.rulebook.state_rules import BIG_WIN_CENTS
from blackjack.settlement.judgments import Owed, WagerCoupon
from blackjack.settlement.owed import NO_WAGER, owed
from blackjack.settlement.payments import (
    UNJUDGED,
    difference,
    report,
    report_big_win,
    settled_exactly,
    too_little,
    too_much,
)

EXACT: Final = Payment.EXACT
DECIDED: Final = frozenset({Result.WON, Result.LOST, Result.SURRENDERED})

NOT_OF_THE_ROUND: Final = (
    Kind.CLOCK_SKEW,
    Kind.CHAIN_BROKEN,
    Kind.TRAY_VARIANCE,
    Kind.TRAY_CHANGED,
    Kind.DEBIT_LIMIT,
    Kind.DEBIT_NO_PATRON,
)
"""Findings during a round that rest on more than its own facts: clock, chain, tray, sales."""


def close_round(state: TableState, played: Round) -> None:
    """Judge the whole round, now that no more facts of it follow."""
    played.closing = True
    if not state.sees(Observation.PAYMENTS):
        played.payments_blind = True
    _judge_procedure(state, played)
    wagers = played.wagers
    if played.strays:
        wagers = wagers | {key: stray for key, stray in played.strays.items() if stray.moves_money}
        for stray in played.strays.values():
            if not stray.moves_money:
                report(state, stray, NO_WAGER, None)
    report_pinches(state, played)
    outcomes = tuple([_outcome(state, played, wagers[key]) for key in sorted(wagers)])
    if played.payments_blind:
        _watch_unseen_wins(state, played)
    event = state.event
    state.rounds.append(
        SettledRound(
            table=state.table,
            round=played.name,
            version=1,
            cause="",
            status=_status(played),
            game=played.rules.spec.game if played.rules is not None else "",
            context=played.context,
            opened_at=played.opened_at,
            closed_at=event.at if event is not None else played.opened_at,
            first_seq=played.first_seq,
            last_seq=event.seq if event is not None else played.first_seq,
            dealer=laid_cards(played),
            hands=held_cards(played),
            outcomes=outcomes,
            findings=_own_findings(played),
            engine=ENGINE,
        )
    )
    state.shoe.round_over()
    state.round = None


def _watch_unseen_wins(state: TableState, played: Round) -> None:
    """Payments were not observed: report a big win by the amounts owed."""
    owing: dict[str, tuple[Wager, int]] = {}
    for wager in played.wagers.values():
        if not wager.tip and wager.owed is not None:
            who = wager.patron or f"seat {wager.seat}"
            first, so_far = owing.get(who, (wager, 0))
            owing[who] = first, so_far + max(wager.owed.cents, wager.paid_cents)
    for who, (wager, cents) in owing.items():
        if cents > max(BIG_WIN_CENTS, played.paid_by_patron.get(who, 0)):
            report_big_win(state, played, wager, who, cents)


def _own_findings(played: Round) -> tuple[str, ...]:
    """Findings that the round's own facts prove, so that it is rebuilt with the same."""
    return tuple(
        [name for name, finding in played.findings.items() if finding.kind not in NOT_OF_THE_ROUND]
    )


def _status(played: Round) -> RoundStatus:
    if not played.complete:
        return RoundStatus.INCOMPLETE
    if played.void:
        return RoundStatus.VOID
    return RoundStatus.SETTLED if played.rules is not None else RoundStatus.UNRESOLVED


def _judge_procedure(state: TableState, played: Round) -> None:
    rules = played.rules
    if rules is None or played.void or not played.complete:
        return
    if played.phase < DEALT:
        if played.plan_at and state.once("deal not finished"):
            state.note(
                Kind.DEAL_ORDER,
                "Round ended before the deal was complete",
                cite(rules, "deal_order"),
                subject="not finished",
            )
        return
    check_replacement(state, played)
    check_peek_came(state, played)
    check_dealer_stood(state, played)
    if played.hole < 0 or played.hole_shown:
        return
    live = [
        wager
        for wager in played.wagers.values()
        if (filed := rules.filing.side_bets.get(wager.kind)) is not None
        and filed.settles is Settles.AFTER_HOLE_CARD
    ]
    if live:
        state.note(
            Kind.HOLE_CARD_NOT_SHOWN,
            f"Hole card not shown with a live {wager_name(live[0].kind)} bet",
            cite(rules, "hole_card"),
            detail="settled from the shoe's reading",
            wager=live[0].kind,
        )


def _outcome(state: TableState, played: Round, wager: Wager) -> WagerOutcome:
    due = owed(state, played, wager)
    if due is None:
        due = Owed(Result.UNDETERMINED, "undecided", "", "not decided by the log")
    if settled_exactly(wager, due):
        payment, off = EXACT, 0
    else:
        payment = _judge_payment(state, played, wager, due)
        off = 0 if due.result in UNJUDGED else difference(wager, due)
    coupon = wager.coupon
    return WagerOutcome(
        wager.seat,
        wager.hand,
        wager.kind,
        wager.stake,
        due.result,
        due.outcome,
        due.clause,
        due.arithmetic,
        due.cents,
        due.least_cents,
        due.most_cents,
        due.taken_cents,
        wager.paid_cents,
        wager.collected_cents,
        wager.returned,
        off,
        payment,
        wager.tip,
        wager.patron,
        coupon.serial if coupon is not None else "",
        coupon.face_cents if coupon is not None else 0,
        due.coupon_cents,
        coupon.promotion if coupon is not None else "",
        coupon is not None and _is_spent(coupon, due.result),
        wager.unit if wager.hand == 1 or wager.kind == HALF_BACK else 0,
    )


def _is_spent(coupon: WagerCoupon, result: Result) -> bool:
    """A coupon is taken with the decision of its wager; on a push by its terms."""
    if coupon.terms is None:
        return False
    return result in DECIDED or (result is Result.PUSHED and coupon.terms.on_push is OnPush.LOST)


def _judge_payment(state: TableState, played: Round, wager: Wager, due: Owed) -> Payment:
    """Compare the money that moved with the amount due, now that nothing more follows."""
    wrong = too_much(wager, due)
    if wrong is None and due.result not in UNJUDGED:
        wrong = too_little(wager, due)
        if wrong is not None and played.payments_blind:
            return Payment.UNOBSERVED
    report(state, wager, due, wrong)
    if wrong is not None:
        return Payment.UNPAID if wrong is Kind.UNPAID else Payment.WRONG
    return Payment.UNDECIDED if due.result in UNJUDGED else Payment.EXACT


def held_cards(played: Round) -> tuple[HandCards, ...]:
    """The players' hands that have cards, by seat and number."""
    return tuple(
        [
            HandCards(
                seat,
                hand.number,
                tuple(hand.cards),
                hand.doubled,
                hand.surrendered,
                hand.void,
                hand.from_split,
                hand.free_ace,
            )
            for seat, hands in sorted(played.hands.items())
            for hand in hands
            if hand.cards
        ]
    )


def laid_cards(played: Round) -> tuple[DealerCard, ...]:
    """How the dealer's cards lay; a replaced card stands before the one in its place."""
    laid: list[DealerCard] = []
    for at, card in enumerate(played.dealer.cards):
        if at == played.up:
            if played.replacement:
                laid.append(DealerCard(played.original_up, DealerPlace.REPLACED))
            laid.append(DealerCard(card, DealerPlace.UP))
        elif at == played.hole:
            laid.append(DealerCard(card, DealerPlace.HOLE))
        else:
            laid.append(DealerCard(card, DealerPlace.DRAWN))
    laid.extend([DealerCard(card, DealerPlace.SURPLUS) for card in played.surplus])
    for place, card in played.table_places.items():
        laid.append(DealerCard(card, DealerPlace(place)))
    return tuple(laid)
