"""A wager at the end of a round, from the wire and back."""

from __future__ import annotations

from blackjack.outcomes import Payment, Result, WagerOutcome
from casino.settlement.v1 import settled_round_pb2
from wire.vocabulary import enumeration

RESULTS, RESULT_NUMBERS = enumeration("result", Result, settled_round_pb2.Result)
PAYMENTS, PAYMENT_NUMBERS = enumeration("payment", Payment, settled_round_pb2.Payment)


def write_outcome(
    outcome: WagerOutcome, message: settled_round_pb2.WagerOutcome
) -> settled_round_pb2.WagerOutcome:
    """Fills an empty message. Most amounts are nought: to see that costs less than to set it."""
    message.seat = outcome.seat
    message.hand = outcome.hand
    message.wager = outcome.wager
    message.stake_cents = outcome.stake_cents
    message.result = RESULT_NUMBERS[outcome.result]
    message.outcome = outcome.outcome
    message.clause = outcome.clause
    message.arithmetic = outcome.arithmetic
    if outcome.owed_cents:
        message.owed_cents = outcome.owed_cents
    if outcome.owed_cents_least:
        message.owed_cents_least = outcome.owed_cents_least
    if outcome.owed_cents_most:
        message.owed_cents_most = outcome.owed_cents_most
    if outcome.taken_cents:
        message.taken_cents = outcome.taken_cents
    if outcome.paid_cents:
        message.paid_cents = outcome.paid_cents
    if outcome.collected_cents:
        message.collected_cents = outcome.collected_cents
    if outcome.returned_cents:
        message.returned_cents = outcome.returned_cents
    if outcome.difference_cents:
        message.difference_cents = outcome.difference_cents
    message.payment = PAYMENT_NUMBERS[outcome.payment]
    if outcome.tip:
        message.tip = outcome.tip
    message.patron = outcome.patron
    if outcome.coupon:
        message.coupon = outcome.coupon
    if outcome.coupon_cents:
        message.coupon_cents = outcome.coupon_cents
    if outcome.coupon_owed_cents:
        message.coupon_owed_cents = outcome.coupon_owed_cents
    if outcome.coupon_promotion:
        message.coupon_promotion = outcome.coupon_promotion
    if outcome.coupon_spent:
        message.coupon_spent = outcome.coupon_spent
    if outcome.placed_cents:
        message.placed_cents = outcome.placed_cents
    return message


def read_outcome(message: settled_round_pb2.WagerOutcome) -> WagerOutcome:
    return WagerOutcome(
        seat=message.seat,
        hand=message.hand,
        wager=message.wager,
        stake_cents=message.stake_cents,
        result=RESULTS[message.result],
        outcome=message.outcome,
        clause=message.clause,
        arithmetic=message.arithmetic,
        owed_cents=message.owed_cents,
        owed_cents_least=message.owed_cents_least,
        owed_cents_most=message.owed_cents_most,
        taken_cents=message.taken_cents,
        paid_cents=message.paid_cents,
        collected_cents=message.collected_cents,
        returned_cents=message.returned_cents,
        difference_cents=message.difference_cents,
        payment=PAYMENTS[message.payment],
        tip=message.tip,
        patron=message.patron,
        coupon=message.coupon,
        coupon_cents=message.coupon_cents,
        coupon_owed_cents=message.coupon_owed_cents,
        coupon_promotion=message.coupon_promotion,
        coupon_spent=message.coupon_spent,
        placed_cents=message.placed_cents,
    )
