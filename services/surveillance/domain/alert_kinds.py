"""Which findings make which kind of alert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from blackjack.findings import Kind


class Family(NamedTuple):
    """Findings that make one kind of alert; `by_round`: each round is a story of its own."""

    kind: str
    findings: tuple[Kind, ...]
    by_round: bool = False


FAMILIES: Final = (
    Family(
        "payout.mismatch",
        (
            Kind.OVERPAID,
            Kind.UNDERPAID,
            Kind.UNPAID,
            Kind.PAID_LOSER,
            Kind.TOOK_WINNER,
            Kind.PAID_TWICE,
            Kind.UNCOLLECTED,
            Kind.VOID_PAID,
        ),
    ),
    Family("bet.past_post", (Kind.PAST_POST,)),
    Family("bet.pinch", (Kind.PINCH,)),
    Family("bet.half_back_unequal", (Kind.HALF_BACK_UNEQUAL,)),
    Family("bet.no_main_wager", (Kind.NO_MAIN_WAGER,)),
    Family(
        "limit.breach",
        (
            Kind.STATE_MAXIMUM,
            Kind.HOUSE_MAXIMUM,
            Kind.HOUSE_MINIMUM,
            Kind.SPOT_COUNT,
            Kind.ONE_PLAYER,
            Kind.FOUR_WAGERS,
            Kind.FIVE_DOLLARS,
            Kind.AGGREGATE,
        ),
    ),
    Family("limit.debit_sale", (Kind.DEBIT_LIMIT,)),
    Family("cash.debit_no_patron", (Kind.DEBIT_NO_PATRON,)),
    Family(
        "approval.missing",
        (Kind.UNAPPROVED_RULES, Kind.UNAPPROVED_DECKS, Kind.UNKNOWN_RULES, Kind.UNKNOWN_WAGER),
    ),
    Family("procedure.deal_order", (Kind.DEAL_ORDER, Kind.CARD_UNASKED)),
    Family("procedure.settle_order", (Kind.SETTLE_ORDER,)),
    Family(
        "procedure.upcard",
        (Kind.UPCARD_NOT_REPLACED, Kind.UPCARD_REPLACED_TWICE, Kind.UPCARD_REPLACED_WRONGLY),
    ),
    Family(
        "procedure.dealer_play",
        (Kind.DEALER_DREW, Kind.DEALER_STOOD, Kind.HOLE_CARD_NOT_SHOWN, Kind.PEEK_MISSING),
    ),
    Family("procedure.peek_wrong", (Kind.PEEK_WRONG,)),
    Family("procedure.player_action", (Kind.ACTION_FORBIDDEN, Kind.INSURANCE_FORBIDDEN)),
    Family("procedure.cards_removed_early", (Kind.CARDS_REMOVED_EARLY,)),
    Family("procedure.ruling", (Kind.RULING_UNFIT, Kind.IRREGULARITY_UNRULED)),
    Family("card.impossible", (Kind.IMPOSSIBLE_CARD,)),
    Family("card.shoe_count", (Kind.SHOE_SHORT,)),
    Family("card.unshuffled", (Kind.UNSHUFFLED,)),
    Family("card.switched", (Kind.CARD_SWITCHED,)),
    Family("card.shuffler_fault", (Kind.SHUFFLER_FAULT,)),
    Family(
        "coupon.terms",
        (
            Kind.COUPON_EXPIRED,
            Kind.COUPON_WRONG_WAGER,
            Kind.COUPON_UNMATCHED,
            Kind.COUPON_SECOND,
            Kind.COUPON_DOUBLED,
            Kind.COUPON_LATE,
            Kind.COUPON_WRONG_PAY,
            Kind.COUPON_TERMS_UNKNOWN,
            Kind.COUPON_TERMS_UNSOUND,
            Kind.COUPON_NOT_PRESENTED,
            Kind.PROMOTION_NO_CONSENT,
        ),
    ),
    Family("tray.variance", (Kind.TRAY_VARIANCE,)),
    Family("tray.changed", (Kind.TRAY_CHANGED,)),
    Family("win.big", (Kind.BIG_WIN,), by_round=True),
    Family("signers.missing_or_repeated", (Kind.SIGNERS,)),
    Family("log.sequence_gap", (Kind.SEQUENCE_GAP,)),
    Family("log.chain_broken", (Kind.CHAIN_BROKEN,)),
    Family("log.sequence_conflict", (Kind.SEQUENCE_CONFLICT,)),
    Family("log.clock_skew", (Kind.CLOCK_SKEW,)),
    Family("log.low_confidence", (Kind.LOW_CONFIDENCE,)),
    Family("log.out_of_reach", (Kind.OUT_OF_REACH,)),
    Family(
        "log.nonsense",
        (Kind.OUT_OF_PLACE, Kind.BAD_AMOUNT, Kind.NO_SUCH_WAGER, Kind.NO_SUCH_HAND),
    ),
)
_FAMILIES: Final[Mapping[str, Family]] = {
    each.value: family for family in FAMILIES for each in family.findings
}


def family_of(kind: str) -> Family:
    """A finding of a later contract is a family of its own."""
    return _FAMILIES.get(kind) or Family(kind, ())
