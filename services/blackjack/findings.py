"""Findings of the engine, as values.

A finding is decided by one table's log alone and names the fact that proves it. Its id
depends on its subject and not on time, so that the same log gives the same ids and a
later fact can withdraw one.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum, StrEnum
from typing import Final

from msgspec import Struct


class Level(IntEnum):
    """How soon a person must look: P1 now, P2 live, P3 this shift, P4 in a report."""

    P1 = 1
    P2 = 2
    P3 = 3
    P4 = 4


class Kind(StrEnum):
    """Every finding the log alone can decide. `docs/findings.md` explains each."""

    # The amount paid differs from the amount owed.
    OVERPAID = "payout.overpaid"
    UNDERPAID = "payout.underpaid"
    UNPAID = "payout.unpaid"
    PAID_LOSER = "payout.paid_loser"
    TOOK_WINNER = "payout.took_winner"
    PAID_TWICE = "payout.paid_twice"
    UNCOLLECTED = "payout.uncollected"
    VOID_PAID = "payout.void_paid"
    # Bets that moved when they may not.
    PAST_POST = "bet.past_post"
    PINCH = "bet.pinch"
    # Limits of the State, the filing and the house.
    STATE_MAXIMUM = "limit.state_maximum"
    HOUSE_MAXIMUM = "limit.house_maximum"
    HOUSE_MINIMUM = "limit.house_minimum"
    SPOT_COUNT = "limit.spot_count"
    ONE_PLAYER = "limit.one_player_a_spot"
    FOUR_WAGERS = "limit.four_wagers"
    FIVE_DOLLARS = "limit.five_dollars"
    AGGREGATE = "limit.aggregate"
    UNAPPROVED_RULES = "approval.rules"
    UNAPPROVED_DECKS = "approval.decks"
    UNKNOWN_RULES = "approval.unknown_rules"
    UNKNOWN_WAGER = "approval.wager"
    HALF_BACK_UNEQUAL = "bet.half_back_unequal"
    NO_MAIN_WAGER = "bet.no_main_wager"
    # Procedure.
    DEAL_ORDER = "procedure.deal_order"
    CARD_UNASKED = "procedure.card_unasked"
    SETTLE_ORDER = "procedure.settle_order"
    UPCARD_NOT_REPLACED = "procedure.upcard_not_replaced"
    UPCARD_REPLACED_TWICE = "procedure.upcard_replaced_twice"
    UPCARD_REPLACED_WRONGLY = "procedure.upcard_replaced_wrongly"
    DEALER_DREW = "procedure.dealer_drew"
    DEALER_STOOD = "procedure.dealer_stood"
    PEEK_WRONG = "procedure.peek_wrong"
    PEEK_MISSING = "procedure.peek_missing"
    HOLE_CARD_NOT_SHOWN = "procedure.hole_card_not_shown"
    ACTION_FORBIDDEN = "procedure.action_forbidden"
    INSURANCE_FORBIDDEN = "procedure.insurance_forbidden"
    CARDS_REMOVED_EARLY = "procedure.cards_removed_early"
    RULING_UNFIT = "procedure.ruling_unfit"
    IRREGULARITY_UNRULED = "procedure.irregularity_unruled"
    # Cards.
    IMPOSSIBLE_CARD = "card.impossible"
    SHOE_SHORT = "card.shoe_count"
    UNSHUFFLED = "card.unshuffled"
    CARD_SWITCHED = "card.switched"
    SHUFFLER_FAULT = "card.shuffler_fault"
    # Coupons.
    COUPON_EXPIRED = "coupon.expired"
    COUPON_WRONG_WAGER = "coupon.wrong_wager"
    COUPON_UNMATCHED = "coupon.unmatched"
    COUPON_SECOND = "coupon.second_in_round"
    COUPON_DOUBLED = "coupon.doubled"
    COUPON_LATE = "coupon.after_bets_closed"
    COUPON_WRONG_PAY = "coupon.wrong_pay"
    COUPON_TERMS_UNKNOWN = "coupon.terms_unknown"
    COUPON_TERMS_UNSOUND = "coupon.terms_unsound"
    COUPON_NOT_PRESENTED = "coupon.not_presented"
    PROMOTION_NO_CONSENT = "coupon.no_consent"
    # Money in the tray.
    TRAY_VARIANCE = "tray.variance"
    TRAY_CHANGED = "tray.changed"
    BIG_WIN = "win.big"
    # Slips, signers and sales.
    SIGNERS = "signers.missing_or_repeated"
    DEBIT_LIMIT = "limit.debit_sale"
    DEBIT_NO_PATRON = "cash.debit_no_patron"
    # The log itself.
    SEQUENCE_GAP = "log.sequence_gap"
    CHAIN_BROKEN = "log.chain_broken"
    SEQUENCE_CONFLICT = "log.sequence_conflict"
    CLOCK_SKEW = "log.clock_skew"
    LOW_CONFIDENCE = "log.low_confidence"
    OUT_OF_REACH = "log.out_of_reach"
    # Facts that make no sense where they stand.
    OUT_OF_PLACE = "nonsense.out_of_place"
    BAD_AMOUNT = "nonsense.amount"
    NO_SUCH_WAGER = "nonsense.no_such_wager"
    NO_SUCH_HAND = "nonsense.no_such_hand"

    @property
    def level(self) -> Level:
        """How soon a finding of this kind is looked at, where its amount does not decide."""
        return _LEVELS.get(self, Level.P2)


_LEVELS: Final = {
    Kind.PAST_POST: Level.P1,
    Kind.PINCH: Level.P1,
    Kind.IMPOSSIBLE_CARD: Level.P1,
    Kind.SHOE_SHORT: Level.P1,
    Kind.UNSHUFFLED: Level.P1,
    Kind.CARD_SWITCHED: Level.P1,
    Kind.PEEK_WRONG: Level.P1,
    Kind.TRAY_CHANGED: Level.P1,
    Kind.SETTLE_ORDER: Level.P3,
    Kind.CARDS_REMOVED_EARLY: Level.P3,
    Kind.OUT_OF_REACH: Level.P3,
    Kind.OUT_OF_PLACE: Level.P3,
    Kind.BAD_AMOUNT: Level.P3,
    Kind.NO_SUCH_WAGER: Level.P3,
    Kind.NO_SUCH_HAND: Level.P3,
}


class Finding(Struct, frozen=True, gc=False):
    """Something a person may have to act on, with the fact that proves it.

    `text` is the headline: who, how much and what happened, with names for people. `detail`
    holds the arithmetic and what else is needed to judge it. `rule` cites the clause of the
    filing, the State's rule or our own convention. `cents` is the amount at stake, positive
    where the house lost it. `tells_hole_card` is set where text, detail and amount follow
    from a card that lay face down when it was found.
    """

    id: str
    kind: Kind
    level: Level
    table: str
    seq: int
    at: int
    text: str
    rule: str
    round: str = ""
    seat: int = 0
    hand: int = 0
    wager: str = ""
    patron: str = ""
    dealer: str = ""
    supervisor: str = ""
    cents: int = 0
    tells_hole_card: bool = False
    detail: str = ""


class Withdrawal(Struct, frozen=True, gc=False):
    """A finding that later facts disproved or repaired; `kind` and `dealer` are those it had."""

    id: str
    table: str
    seq: int
    reason: str
    round: str = ""
    kind: str = ""
    dealer: str = ""


def withdraw(found: Finding, seq: int, reason: str) -> Withdrawal:
    """The withdrawal of a finding by the event of this number."""
    return Withdrawal(
        id=found.id,
        table=found.table,
        seq=seq,
        reason=reason,
        round=found.round,
        kind=found.kind.value,
        dealer=found.dealer,
    )


def finding_id(*parts: object) -> str:
    """A stable id made of these parts: 16 bytes make a collision practically impossible."""
    text = "".join(f"{len(word := str(part))}:{word}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
