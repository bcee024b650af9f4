"""Payments: amounts paid and taken, compared with amounts owed as soon as they are decided."""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name, wager_name
from blackjack.facts import (
    PaymentFact,
    SettlementCorrected,
    WagerCollected,
    WagerPaid,
    WagerReturned,
)
from blackjack.findings import Kind, Level
from blackjack.money import format_cents
from blackjack.outcomes import LOST, Result
from blackjack.play.betting import AMOUNT_CENTS_MAX, sound_amount
from blackjack.play.chip_moves import find_stray, report_pinch
from blackjack.play.hole_card import rests_on_hidden_card
from blackjack.play.procedure import check_dealer_stood, check_replacement
from blackjack.play.round import DEALT, Round
from blackjack.play.rulings import check_supervisor
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager, WagerKey
from blackjack.rulebook.citations import cite
from blackjack.rulebook.house_rules import INSURANCE
from blackjack.rulebook.state_rules import BIG_WIN_CENTS, BIG_WIN_RULE, aggregate_rule
from blackjack.settlement.explanations import explain_due
from blackjack.settlement.judgments import Owed
from blackjack.settlement.main_wagers import TERMS_UNKNOWN
from blackjack.settlement.mispays import describe, describe_unplaced
from blackjack.settlement.owed import NO_WAGER, owed
from blackjack.settlement.settle_order import check_order

NOTABLE_CENTS: Final = 2_500
"""A payout error from here on is looked at live, a smaller one in the same shift."""

REPEATS: Final = 3
REPEAT_WINDOW_US: Final = 8 * 60 * 60 * 1_000_000
"""Three errors of a dealer in eight hours are a pattern."""

DEALERS_MAX: Final = 256
"""Dealers whose errors a table remembers; far fewer deal at it in eight hours."""

UNJUDGED: Final = (Result.UNDETERMINED, Result.NOT_SETTLED)
"""Results of which nothing is owed for certain."""

UNBOUNDED: Final = ("rules_unknown", TERMS_UNKNOWN)
"""Outcomes that have no upper bound."""

PAID_AS_OWED: Final = "a wager is paid what its rules owe"


def pay(state: TableState, played: Round, fact: WagerPaid) -> None:
    """Winnings go to a player."""
    wager = _settling(state, played, fact)
    if wager is None:
        return
    before = wager.paid_cents
    wager.paid += fact.cents
    wager.payments += 1
    state.tray.move(-fact.cents)
    _judge_early(state, played, wager)
    _follow_amounts(state, played, wager, before)


def collect(state: TableState, played: Round, fact: WagerCollected) -> None:
    """A stake, or part of it, goes to the house."""
    wager = _settling(state, played, fact)
    if wager is None:
        return
    before = wager.paid_cents
    wager.collected += fact.cents
    state.tray.move(fact.cents)
    _judge_early(state, played, wager)
    _follow_amounts(state, played, wager, before)


def give_back(state: TableState, played: Round, fact: WagerReturned) -> None:
    """A stake goes back to its player; if it had been collected, out of the tray again."""
    wager = _settling(state, played, fact)
    if wager is None:
        return
    before, paid_before = wager.kept_cents - wager.given_cents, wager.paid_cents
    wager.returned += fact.cents
    state.tray.move(wager.kept_cents - wager.given_cents - before)
    _judge_early(state, played, wager)
    _follow_amounts(state, played, wager, paid_before)


def correct(state: TableState, played: Round, fact: SettlementCorrected) -> None:
    """A supervisor puts a settlement right, in the round or after it."""
    if not sound_amount(state, abs(fact.cents), seat=fact.seat, wager=fact.wager):
        return
    wager = _wager_at(state, played, fact)
    if wager is None:
        return
    check_supervisor(state, fact.supervisor, "corrected a settlement")
    before = wager.paid_cents
    wager.corrected += fact.cents
    state.tray.move(-fact.cents)
    _judge_early(state, played, wager)
    _follow_amounts(state, played, wager, before)


def _wager_at(
    state: TableState,
    played: Round,
    fact: PaymentFact,
) -> Wager | None:
    """The wager that money moves for; where none stands, the money itself is kept note of."""
    key: WagerKey = (fact.seat, fact.hand, fact.wager, fact.tip)
    wager = played.wagers.get(key) or find_stray(state, played, key)
    if wager is None:
        report_unplaced(state, fact)
    return wager


def _follow_amounts(state: TableState, played: Round, wager: Wager, paid_before: int) -> None:
    """Let findings with a running amount follow what the wager has been paid by now."""
    if wager.fallen:
        report_pinch(state, played, wager)
    paid = wager.paid_cents
    if wager.tip or paid == paid_before:
        return
    _watch_big_win(state, played, wager, paid - paid_before)
    if not wager.stray:
        _watch_aggregate(state, played, wager)


def _settling(
    state: TableState, played: Round, fact: WagerPaid | WagerCollected | WagerReturned
) -> Wager | None:
    """The wager that the dealer settles now, if there is one and it is in order to."""
    if not 0 < fact.cents <= AMOUNT_CENTS_MAX and not sound_amount(
        state, fact.cents, seat=fact.seat, wager=fact.wager
    ):
        return None
    wager = _wager_at(state, played, fact)
    if wager is None or wager.stray or _gives_back_late_chips(wager, fact):
        return wager
    if not wager.touched and not played.void:
        check_order(state, played, wager)
        wager.touched = True
        if played.phase == DEALT and wager.kind not in played.plans:
            check_replacement(state, played)
        if (
            played.hole_shown
            and wager.kind != INSURANCE
            and wager.kind not in played.plans
            and not _settled_without_dealer(played, wager)
        ):
            check_dealer_stood(state, played)
    return wager


def _gives_back_late_chips(wager: Wager, fact: WagerPaid | WagerCollected | WagerReturned) -> bool:
    """Whether chips go back that are not in action: at any time, and that settles nothing."""
    return type(fact) is WagerReturned and fact.cents <= wager.late + wager.excess - wager.returned


def move_chips(state: TableState, fact: PaymentFact) -> int:
    """Chips that moved for no wager moved all the same; gives what the house lost by that."""
    if not 0 < abs(fact.cents) <= AMOUNT_CENTS_MAX:
        return 0
    if fact.cents < 0 and type(fact) is not SettlementCorrected:
        return 0
    lost_cents = -fact.cents if type(fact) is WagerCollected else fact.cents
    state.tray.move(-lost_cents)
    return lost_cents


def _settled_without_dealer(played: Round, wager: Wager) -> bool:
    hand = played.hand(wager.seat, wager.hand)
    return (
        hand is None
        or hand.busted
        or hand.surrendered
        or hand.natural
        or hand.void
        or not wager.in_action
        or wager.seat in played.even_money
    )


def report_unplaced(state: TableState, fact: PaymentFact) -> None:
    """Money moved where no round has a wager: paid for nothing, or taken for nothing."""
    cents = move_chips(state, fact)
    if not cents:
        return
    state.note(
        Kind.PAID_LOSER if cents > 0 else Kind.TOOK_WINNER,
        describe_unplaced(bet_name(fact.seat, fact.hand, fact.wager, tip=fact.tip), cents),
        NO_WAGER.clause,
        seat=fact.seat,
        hand=fact.hand,
        wager=fact.wager,
        cents=cents,
        level=Level.P2 if abs(cents) >= NOTABLE_CENTS else Level.P3,
        per_event=True,
    )


def _judge_early(state: TableState, played: Round, wager: Wager) -> None:
    """As soon as a wager is decided, too much is reported; too little is reported at the end."""
    due = owed(state, played, wager)
    if due is None or settled_exactly(wager, due):
        return
    kind = too_much(wager, due)
    if kind is not None or wager.standing:
        report(state, wager, due, kind)


def settled_exactly(wager: Wager, due: Owed) -> bool:
    """The usual case, checked quickly: exactly the amount due moved, and nothing else."""
    return (
        wager.paid == due.cents
        and wager.collected == due.taken_cents
        and not (wager.returned or wager.corrected or wager.standing)
        and due.result not in UNJUDGED
    )


def judge_all(state: TableState, played: Round) -> None:
    """A ruling changed the amounts owed: report at once any mispay that is already certain."""
    for wager in played.wagers.values():
        if wager.touched:
            _judge_early(state, played, wager)


def difference(wager: Wager, due: Owed) -> int:
    """What the player has too much (positive) or too little (negative)."""
    return (wager.paid_cents - wager.collected_cents) - (due.cents - due.taken_cents)


def too_much(wager: Wager, due: Owed) -> Kind | None:
    """The kind of mispay that is certain already, whatever may still follow."""
    if due.result is Result.NOT_SETTLED:
        return None
    paid, collected = wager.paid_cents, wager.collected_cents
    if due.result is Result.UNDETERMINED:
        return Kind.OVERPAID if paid > due.most_cents and due.outcome not in UNBOUNDED else None
    if not difference(wager, due):
        return None
    if paid > due.cents:
        if due.result is LOST:
            return Kind.PAID_LOSER
        if due.result is Result.VOID:
            return Kind.VOID_PAID
        twice = wager.payments > 1 and due.cents > 0 and paid >= 2 * due.cents
        return Kind.PAID_TWICE if twice else Kind.OVERPAID
    return Kind.TOOK_WINNER if collected > due.taken_cents else None


def too_little(wager: Wager, due: Owed) -> Kind | None:
    """The kind of mispay, now that nothing more follows."""
    if wager.collected_cents < due.taken_cents:
        return Kind.UNCOLLECTED
    if wager.paid_cents < due.cents:
        return Kind.UNDERPAID if wager.paid_cents else Kind.UNPAID
    return None


def report(state: TableState, wager: Wager, due: Owed, kind: Kind | None) -> None:
    """Bring the payout finding of a wager up to date: issue, change or withdraw it."""
    if kind is None:
        if wager.standing:
            state.withdraw(wager.standing, "the amount paid now equals the amount owed")
            wager.standing = ""
        return
    text = describe(wager, due, kind)
    if wager.coupon is not None and kind is not Kind.VOID_PAID:
        kind = Kind.COUPON_WRONG_PAY
    off = difference(wager, due)
    if due.result is Result.UNDETERMINED:
        off = wager.paid_cents - due.most_cents
    issued = state.standing(wager.standing)
    if issued is not None and (issued.kind, issued.cents) == (kind, off):
        return
    grave = _repeated(state, wager) or abs(off) >= NOTABLE_CENTS or kind is Kind.COUPON_WRONG_PAY
    found = state.note(
        kind,
        text,
        due.clause or PAID_AS_OWED,
        detail=f"{_arithmetic(state, wager, due)}; paid {format_cents(wager.paid_cents)}, "
        f"collected {format_cents(wager.collected_cents)}",
        seat=wager.seat,
        hand=wager.hand,
        wager=wager.kind,
        patron=wager.patron,
        cents=off,
        level=Level.P2 if grave else Level.P3,
        subject="tip" if wager.tip else "",
        tells_hole_card=(
            state.round is not None and rests_on_hidden_card(state, state.round, wager)
        ),
    )
    if wager.standing and wager.standing != found.id:
        state.withdraw(wager.standing, "a later payment changed the mispay")
    wager.standing = found.id


def _arithmetic(state: TableState, wager: Wager, due: Owed) -> str:
    return explain_due(state.round, wager, due) if state.round is not None else due.arithmetic


def _repeated(state: TableState, wager: Wager) -> bool:
    """Whether this is at least the third payout error of the dealer in eight hours."""
    event = state.event
    if event is None or not state.dealer:
        return False
    earlier = tuple(
        at for at in state.mismatches.get(state.dealer, ()) if event.at - at < REPEAT_WINDOW_US
    )
    if not wager.standing:
        earlier = (*earlier, event.at)[-REPEATS:]
        state.mismatches = {
            dealer: times
            for dealer, times in state.mismatches.items()
            if event.at - times[-1] < REPEAT_WINDOW_US
        } | {state.dealer: earlier}
        if len(state.mismatches) > DEALERS_MAX:
            state.mismatches = {state.dealer: earlier}
    return len(earlier) >= REPEATS


def _watch_big_win(state: TableState, played: Round, wager: Wager, cents: int) -> None:
    """A patron's winnings of a round over the line need a look at the camera."""
    who = wager.patron or f"seat {wager.seat}"
    before = played.paid_by_patron.get(who, 0)
    after = before + cents
    played.paid_by_patron[who] = after
    if before > BIG_WIN_CENTS or after > BIG_WIN_CENTS:
        report_big_win(state, played, wager, who, after)


def report_big_win(state: TableState, played: Round, wager: Wager, who: str, cents: int) -> None:
    """A patron's winnings so far, under the seat and wager that first took them over the line."""
    seat, kind = played.big_wins.setdefault(who, (wager.seat, wager.kind))
    state.revise(
        Kind.BIG_WIN,
        f"Big win {format_cents(cents)}: {who} in one round. Verify on camera.",
        BIG_WIN_RULE,
        detail=f"more than {format_cents(BIG_WIN_CENTS)}: verify hand, wager, payout and player",
        reason="the winnings were corrected below the limit",
        seat=seat,
        wager=kind,
        patron=wager.patron,
        cents=cents if cents > BIG_WIN_CENTS else 0,
        subject=who,
    )


def _watch_aggregate(state: TableState, played: Round, wager: Wager) -> None:
    rules = played.rules
    limit = rules.spec.limits.wagers.get(wager.kind) if rules is not None else None
    if rules is None or limit is None or not limit.aggregate_cents or wager.tip:
        return
    paid = sum(
        other.paid_cents - (other.owed.coupon_cents if other.owed is not None else 0)
        for other in played.wagers.values()
        if other.kind == wager.kind and not other.tip
    )
    state.revise(
        Kind.AGGREGATE,
        f"Aggregate limit exceeded by {format_cents(paid - limit.aggregate_cents)}: "
        f"{wager_name(wager.kind)}",
        f"{aggregate_rule(played.opened_at)}; {cite(rules, 'aggregate')}",
        detail=f"paid {format_cents(paid)} in one deal; the posted limit is "
        f"{format_cents(limit.aggregate_cents)}",
        reason="the payments were corrected below the limit",
        wager=wager.kind,
        cents=paid - limit.aggregate_cents,
    )
