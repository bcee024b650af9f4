"""The headline of a mispay: who, how much, and what happened."""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.outcomes import Result
from blackjack.play.wagers import Wager
from blackjack.settlement.judgments import Owed

_TAKEN: Final = {
    Result.WON: "Winning bet taken",
    Result.PUSHED: "Pushed bet taken",
    Result.RETURNED: "Returned bet taken",
    Result.VOID: "Void bet taken",
}
_PLAIN_WINS: Final = ("win", "dealer_bust", "ruled_for_player")
"""Outcomes that need no words beyond the win."""


def describe(wager: Wager, due: Owed, kind: Kind) -> str:
    """The headline of a payout finding of this kind.

    `Underpaid $15.00: seat 2 was owed $75.00 for a natural and was paid $60.00`
    """
    bet = bet_name(wager.seat, wager.hand, wager.kind, tip=wager.tip)
    if wager.coupon is not None:
        bet = f"{bet} with coupon {wager.coupon.serial}"
    paid, collected = wager.paid_cents, wager.collected_cents
    if wager.stray:
        return describe_unplaced(bet, paid - collected)
    match kind:
        case Kind.PAID_LOSER:
            return f"Losing bet paid {format_cents(paid)}: {bet}, bet {format_cents(wager.stake)}"
        case Kind.VOID_PAID:
            return f"Void bet paid {format_cents(paid)}: {bet}, bet {format_cents(wager.stake)}"
        case Kind.TOOK_WINNER:
            too_much = format_cents(collected - due.taken_cents)
            if due.taken_cents:
                return f"Collected {too_much} too much: {bet}, bet {format_cents(wager.stake)}"
            return f"{_TAKEN.get(due.result, 'Bet taken')}: {bet}, {too_much}"
        case Kind.UNCOLLECTED:
            missing = format_cents(due.taken_cents - collected)
            lost = "Surrendered" if due.result is Result.SURRENDERED else "Losing"
            return f"{lost} bet not collected: {bet}, {missing}"
        case Kind.UNPAID:
            owed = format_cents(due.cents)
            return f"Unpaid {owed}: {bet} won {owed}{_reason(due)} and was paid nothing"
        case Kind.PAID_TWICE:
            off = format_cents(paid - due.cents)
            return f"Paid twice, {off} too much: {_owed_and_paid(bet, due, paid)}"
        case Kind.UNDERPAID:
            return f"Underpaid {format_cents(due.cents - paid)}: {_owed_and_paid(bet, due, paid)}"
        case _:
            most = due.most_cents if due.result is Result.UNDETERMINED else due.cents
            return f"Overpaid {format_cents(paid - most)}: {_owed_and_paid(bet, due, paid)}"


def describe_unplaced(bet: str, cents: int) -> str:
    """The headline of money that moved for no bet: paid if positive, taken if negative."""
    amount = format_cents(abs(cents))
    did = f"Paid {amount} on" if cents > 0 else f"Took {amount} from"
    return f"{did} {bet} with no bet in the circle"


def _owed_and_paid(bet: str, due: Owed, paid: int) -> str:
    if due.result is Result.UNDETERMINED:
        return (
            f"{bet} was owed at most {format_cents(due.most_cents)} and was paid "
            f"{format_cents(paid)}"
        )
    if not due.cents:
        return f"{bet} was owed nothing and was paid {format_cents(paid)}"
    return (
        f"{bet} was owed {format_cents(due.cents)}{_reason(due)} and was paid {format_cents(paid)}"
    )


def _reason(due: Owed) -> str:
    """What the bet won for, where that is more than a higher total."""
    match due.outcome:
        case "natural":
            return " for a natural"
        case outcome if outcome in _PLAIN_WINS:
            return ""
        case outcome:
            return f" for {outcome.replace('_', ' ')}"
