"""Every fault that one table's log decides."""

from __future__ import annotations

from typing import Final

from blackjack.findings import Kind
from table_simulator.domain.faults import (
    bets,
    cards,
    coupons,
    payouts,
    procedure,
    stream,
    transmission,
)
from table_simulator.domain.faults import stations as at
from table_simulator.domain.faults.fault import Claim, Fault, Preparation

SHOE = frozenset({Claim.SHOE})
TRAY = frozenset({Claim.TRAY})

PAYOUTS = (
    Fault("overpaid", (Kind.OVERPAID,), payouts.overpaid, at.UNCAPPED),
    Fault("underpaid", (Kind.UNDERPAID,), payouts.underpaid, at.STATIONS),
    Fault("unpaid", (Kind.UNPAID,), payouts.unpaid, at.BLACKJACK),
    Fault("paid loser", (Kind.PAID_LOSER,), payouts.paid_loser, at.UNCAPPED),
    Fault("took winner", (Kind.TOOK_WINNER,), payouts.took_winner, at.BLACKJACK),
    Fault("paid twice", (Kind.PAID_TWICE,), payouts.paid_twice, at.UNCAPPED),
    Fault("uncollected", (Kind.UNCOLLECTED,), payouts.uncollected, at.STATIONS),
    Fault(
        "aggregate ignored",
        (Kind.AGGREGATE,),
        payouts.aggregate_ignored,
        (at.CAPPED,),
        {
            Kind.OVERPAID: "what passes the limit was not owed to anybody",
            Kind.BIG_WIN: "without its limit a deal can pay one patron over $3,000",
        },
    ),
    Fault("void round paid", (Kind.VOID_PAID,), payouts.void_paid, (at.SHUFFLED_DOUBLE_ACTION,)),
    Fault("big win", (Kind.BIG_WIN,), None, (at.DOUBLE_ACTION,), preparation=Preparation.WINDFALL),
)

BETS = (
    Fault("past post", (Kind.PAST_POST,), bets.past_post, at.BLACKJACK),
    Fault("raise in the deal", (Kind.PAST_POST,), bets.raised_in_the_deal, at.BLACKJACK),
    Fault(
        "side bet capped under a double",
        (Kind.PAST_POST,),
        bets.capped_under_a_double,
        (at.DOUBLE_ACTION, at.SHUFFLED_DOUBLE_ACTION, at.HARD_DOUBLES),
    ),
    Fault("pinch", (Kind.PINCH, Kind.UNCOLLECTED), bets.pinch, at.BLACKJACK),
    Fault(
        "lost bet withdrawn",
        (Kind.PINCH, Kind.UNCOLLECTED),
        bets.lost_bet_withdrawn,
        at.BLACKJACK,
    ),
    Fault("state maximum", (Kind.STATE_MAXIMUM,), bets.state_maximum, (at.HALF_BACK, at.HEADS_UP)),
    Fault("house maximum", (Kind.HOUSE_MAXIMUM,), bets.house_maximum, at.POSTED_MAXIMUM),
    Fault("house minimum", (Kind.HOUSE_MINIMUM,), bets.house_minimum, at.POSTED_MAXIMUM),
    Fault("spot count", (Kind.SPOT_COUNT,), bets.spot_count, at.STATIONS),
    Fault("two players a spot", (Kind.ONE_PLAYER,), bets.one_player, at.BLACKJACK),
    Fault(
        "another player's side bet",
        (Kind.ONE_PLAYER,),
        bets.second_patron_on_a_side_bet,
        at.BLACKJACK,
    ),
    Fault("five wagers", (Kind.FOUR_WAGERS,), bets.four_wagers, (at.MANY_WAGERS,)),
    Fault("no wager within $5", (Kind.FIVE_DOLLARS,), bets.five_dollars, (at.MANY_WAGERS,)),
    Fault("unknown wager", (Kind.UNKNOWN_WAGER,), bets.unknown_wager, at.STATIONS),
    Fault(
        "unequal Half Back",
        (Kind.HALF_BACK_UNEQUAL,),
        bets.half_back_unequal,
        (at.HALF_BACK, at.HEADS_UP),
    ),
    Fault("no main wager", (Kind.NO_MAIN_WAGER,), bets.no_main_wager, at.BONUS_AT_ONCE),
)

PROCEDURE = (
    Fault(
        "deal order",
        (Kind.DEAL_ORDER, Kind.IRREGULARITY_UNRULED),
        procedure.deal_order,
        at.SEVERAL_PATRONS,
    ),
    Fault("card unasked", (Kind.CARD_UNASKED,), procedure.card_unasked, at.BLACKJACK),
    Fault(
        "side bets left to right",
        (Kind.SETTLE_ORDER,),
        procedure.side_bets_left_to_right,
        (at.SKWEEZIT, at.SHUFFLER, at.MANY_WAGERS),
    ),
    Fault(
        "main wagers left to right",
        (Kind.SETTLE_ORDER,),
        procedure.main_wagers_left_to_right,
        (at.ONE_DECK, at.HALF_BACK),
    ),
    Fault(
        "up card not replaced",
        (Kind.UPCARD_NOT_REPLACED,),
        procedure.upcard_not_replaced,
        (at.HEADS_UP,),
    ),
    Fault(
        "up card replaced twice",
        (Kind.UPCARD_REPLACED_TWICE,),
        procedure.upcard_replaced_twice,
        (at.HEADS_UP,),
    ),
    Fault(
        "up card replaced wrongly",
        (Kind.UPCARD_REPLACED_WRONGLY,),
        procedure.upcard_replaced_wrongly,
        (at.HEADS_UP,),
    ),
    Fault(
        "dealer drew",
        (Kind.DEALER_DREW,),
        procedure.dealer_drew,
        (at.SHUFFLER, at.SHUFFLED_DOUBLE_ACTION),
    ),
    Fault("dealer stood", (Kind.DEALER_STOOD,), procedure.dealer_stood, (at.SHUFFLER,)),
    Fault(
        "peek missed blackjack", (Kind.PEEK_WRONG,), procedure.peek_missed_blackjack, at.BLACKJACK
    ),
    Fault(
        "peek saw blackjack",
        (Kind.PEEK_WRONG,),
        procedure.peek_saw_blackjack,
        at.BLACKJACK,
        {Kind.ACTION_FORBIDDEN: "after a peek that reports blackjack no action is allowed"},
    ),
    Fault(
        "peek missing",
        (Kind.PEEK_MISSING,),
        procedure.peek_missing,
        (at.DOUBLE_ACTION, at.SKWEEZIT, at.SHUFFLER, at.MANY_WAGERS),
    ),
    Fault(
        "Half Back before the peek",
        (Kind.ACTION_FORBIDDEN,),
        procedure.half_back_before_peek,
        (at.HALF_BACK, at.HEADS_UP),
    ),
    Fault("ruling unfit", (Kind.RULING_UNFIT,), procedure.ruling_unfit, at.BLACKJACK),
    Fault(
        "hole card not shown",
        (Kind.HOLE_CARD_NOT_SHOWN,),
        procedure.hole_card_not_shown,
        (at.DOUBLE_ACTION, at.CAPPED, at.HARD_DOUBLES, at.SHUFFLED_DOUBLE_ACTION),
        {
            Kind.DEAL_ORDER: "the dealer draws to a hand whose hole card was not seen",
            Kind.SETTLE_ORDER: "Match Madness is settled before the hole card is shown",
        },
    ),
    Fault(
        "double forbidden", (Kind.ACTION_FORBIDDEN,), procedure.double_forbidden, (at.HARD_DOUBLES,)
    ),
    Fault(
        "insurance forbidden",
        (Kind.INSURANCE_FORBIDDEN,),
        procedure.insurance_forbidden,
        at.BLACKJACK,
    ),
    Fault(
        "cards removed early",
        (Kind.CARDS_REMOVED_EARLY,),
        procedure.cards_removed_early,
        (at.DOUBLE_ACTION, at.CAPPED, at.HARD_DOUBLES, at.SHUFFLED_DOUBLE_ACTION),
    ),
)

SHOE_JUDGED_AGAIN: Final = {
    Kind.UNAPPROVED_DECKS: "a shoe with a deck too many is held against rules that come back"
}

CARDS = (
    Fault(
        "impossible card", (Kind.IMPOSSIBLE_CARD,), cards.impossible_card, (at.ONE_DECK,), {}, SHOE
    ),
    Fault("shoe short", (Kind.SHOE_SHORT,), cards.shoe_short, at.COUNTED_SHOES, {}, SHOE),
    Fault(
        "unshuffled shoe",
        (Kind.UNSHUFFLED,),
        cards.unshuffled,
        (at.DOUBLE_ACTION, at.SKWEEZIT, at.HALF_BACK, at.MATCH_SHOE),
        {},
        SHOE,
        Preparation.UNSHUFFLED,
    ),
    Fault("hole card switched", (Kind.CARD_SWITCHED,), cards.hole_card_switched, at.BLACKJACK),
    Fault("match card switched", (Kind.CARD_SWITCHED,), cards.match_card_switched, (at.STACKS,)),
    Fault("shuffler fault", (Kind.SHUFFLER_FAULT,), cards.shuffler_fault, at.STATIONS, {}, SHOE),
    Fault(
        "one deck too many",
        (Kind.UNAPPROVED_DECKS,),
        cards.unapproved_decks,
        at.FEW_DECKS,
        {},
        SHOE,
    ),
    Fault("low confidence", (Kind.LOW_CONFIDENCE,), cards.low_confidence, at.STATIONS),
    Fault(
        "card before bets closed", (Kind.DEAL_ORDER,), cards.card_before_bets_closed, at.STATIONS
    ),
)

COUPONS = (
    Fault("coupon expired", (Kind.COUPON_EXPIRED,), coupons.expired, at.BLACKJACK),
    Fault(
        "coupon on a side bet",
        (Kind.COUPON_WRONG_WAGER,),
        coupons.wrong_wager,
        (at.SKWEEZIT, at.SHUFFLER, at.MANY_WAGERS),
        {Kind.COUPON_UNMATCHED: "the side bet is often smaller than the coupon's face"},
    ),
    Fault("coupon unmatched", (Kind.COUPON_UNMATCHED,), coupons.unmatched, at.POSTED_MAXIMUM),
    Fault("second coupon", (Kind.COUPON_SECOND,), coupons.second_in_round, at.BLACKJACK),
    Fault(
        "coupon doubled",
        (Kind.COUPON_DOUBLED,),
        coupons.doubled,
        at.UNCAPPED_BLACKJACK,
        {Kind.ACTION_FORBIDDEN: "the double adds more than the chips it doubles"},
    ),
    Fault(
        "coupon paid twice",
        (Kind.COUPON_WRONG_PAY,),
        coupons.paid_as_doubled,
        at.UNCAPPED_BLACKJACK,
    ),
    Fault("coupon late", (Kind.COUPON_LATE,), coupons.after_bets_closed, at.BLACKJACK),
    Fault("coupon not paid", (Kind.COUPON_WRONG_PAY,), coupons.wrong_pay, at.BLACKJACK),
    Fault(
        "coupon terms unknown", (Kind.COUPON_TERMS_UNKNOWN,), coupons.terms_unknown, at.BLACKJACK
    ),
    Fault(
        "coupon terms unsound", (Kind.COUPON_TERMS_UNSOUND,), coupons.terms_unsound, at.BLACKJACK
    ),
    Fault(
        "coupon not presented", (Kind.COUPON_NOT_PRESENTED,), coupons.not_presented, at.BLACKJACK
    ),
    Fault(
        "no consent",
        (Kind.PROMOTION_NO_CONSENT,),
        coupons.no_consent,
        (at.SKWEEZIT, at.SHUFFLER, at.MANY_WAGERS),
    ),
)

STREAM = (
    Fault("tray variance", (Kind.TRAY_VARIANCE,), stream.tray_variance, at.STATIONS, {}, TRAY),
    Fault("tray changed", (Kind.TRAY_CHANGED,), stream.tray_changed, at.STATIONS, {}, TRAY),
    Fault("signers", (Kind.SIGNERS,), stream.signers, at.STATIONS),
    Fault("debit limit", (Kind.DEBIT_LIMIT,), stream.debit_limit, at.STATIONS),
    Fault("anonymous debit sale", (Kind.DEBIT_NO_PATRON,), stream.debit_no_patron, at.STATIONS),
    Fault("sequence gap", (Kind.SEQUENCE_GAP,), stream.sequence_gap, at.STATIONS, {}, SHOE | TRAY),
    Fault(
        "sequence conflict",
        (Kind.SEQUENCE_CONFLICT,),
        stream.sequence_conflict,
        at.STATIONS,
        rejected_as="conflict",
    ),
    Fault(
        "chain broken",
        (Kind.CHAIN_BROKEN,),
        stream.chain_broken,
        at.STATIONS,
        rejected_as="chain_broken",
    ),
    Fault("clock skew", (Kind.CLOCK_SKEW,), stream.clock_skew, at.STATIONS),
    Fault(
        "unknown rules", (Kind.UNKNOWN_RULES,), stream.unknown_rules, at.STATIONS, SHOE_JUDGED_AGAIN
    ),
    Fault(
        "unapproved rules",
        (Kind.UNAPPROVED_RULES,),
        stream.unapproved_rules,
        at.STATIONS,
        SHOE_JUDGED_AGAIN,
    ),
    Fault("out of place", (Kind.OUT_OF_PLACE,), stream.out_of_place, at.STATIONS),
    Fault("bad amount", (Kind.BAD_AMOUNT,), stream.bad_amount, at.STATIONS),
    Fault("paid with no bet", (Kind.PAID_LOSER,), stream.paid_with_no_bet, at.STATIONS),
    Fault("paid between rounds", (Kind.PAID_LOSER,), stream.paid_between_rounds, at.STATIONS),
    Fault("no such wager", (Kind.NO_SUCH_WAGER,), stream.no_such_wager, at.STATIONS),
    Fault(
        "card corrected too late", (Kind.OUT_OF_REACH,), stream.read_corrected_too_late, at.STATIONS
    ),
    Fault("out of reach", (Kind.OUT_OF_REACH,), stream.out_of_reach, at.STATIONS),
    Fault("no such hand", (Kind.NO_SUCH_HAND,), stream.no_such_hand, at.BLACKJACK),
)

TRANSMISSION = (
    Fault("garbage", (), transmission.garbage, at.STATIONS, rejected_as="malformed"),
    Fault("oversized event", (), transmission.oversized, at.STATIONS, rejected_as="oversized"),
    Fault("another table's event", (), transmission.foreign, at.STATIONS, rejected_as="foreign"),
    Fault("event ahead", (), transmission.ahead, at.STATIONS, rejected_as="out_of_order"),
    Fault("event sent again", (), transmission.again, at.STATIONS),
    Fault("controller restart", (), transmission.restart, at.STATIONS),
)
"""Faults between a controller and its gateway; a log file does not show them."""

FAULTS: tuple[Fault, ...] = PAYOUTS + BETS + PROCEDURE + CARDS + COUPONS + STREAM + TRANSMISSION
BY_NAME = {fault.name: fault for fault in FAULTS}
