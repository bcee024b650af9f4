"""Irregularities on request: each fault by name, what it must be found as, and where it fits.

`plant` takes a correct stream and a seed and gives the stream back with one fault in it.
A fault may have companions: findings that are due as well, each with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from blackjack.facts import Event, ShoeKind
from blackjack.findings import Kind
from blackjack.rules import RuleSetSpec
from tests.croupier import fault_bets as bets
from tests.croupier import fault_cards as cards
from tests.croupier import fault_coupons as coupons
from tests.croupier import fault_log as log
from tests.croupier import fault_payouts as payouts
from tests.croupier import fault_procedure as procedure
from tests.croupier import games
from tests.croupier.draft import CannotPlant, Draft
from tests.croupier.house import play
from tests.croupier.specs import specs


@dataclass(frozen=True, slots=True)
class Setting:
    """A table on which a fault finds its place."""

    spec: RuleSetSpec
    kind: ShoeKind = ShoeKind.SHOE
    seats: int = 0
    stacked: float = 0.05
    rounds: int = 60
    is_chained: bool = False

    def stream(self, seed: int) -> list[Event]:
        events = play(
            seed=seed,
            table_id="T1",
            spec=self.spec,
            rounds=self.rounds,
            kind=self.kind,
            stacked=self.stacked,
            seats=self.seats,
        ).events
        return log.chained(events) if self.is_chained else events


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    kinds: tuple[Kind, ...]
    planter: Callable[[Draft], str]
    setting: Setting
    companions: dict[Kind, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planted:
    """`round` is where it was planted, empty for what happens between rounds."""

    events: list[Event]
    kinds: tuple[Kind, ...]
    round: str


def plant(fault: Fault, events: list[Event], seed: int) -> Planted:
    """One fault in a correct stream; `CannotPlant` if it has no place there."""
    draft = Draft(events, Random(seed))
    name = fault.planter(draft)
    return Planted(draft.finish(), fault.kinds, name)


DOUBLE_ACTION = Setting(specs(games.DOUBLE_ACTION_III)[0])
HARD_DOUBLES = Setting(specs(games.DOUBLE_ACTION_III)[4])
SHUFFLED_DOUBLE_ACTION = Setting(specs(games.DOUBLE_ACTION_III)[0], kind=ShoeKind.CONTINUOUS)
CAPPED = Setting(specs(games.DOUBLE_ACTION_III)[1], stacked=0.4, seats=6)
SKWEEZIT = Setting(specs(games.SKWEEZIT_BLACKJACK)[2])
MANY_WAGERS = Setting(specs(games.SKWEEZIT_BLACKJACK)[1])
ONE_DECK = Setting(specs(games.DEAD_MANS_HAND_GAME)[2])
HALF_BACK = Setting(specs(games.HALF_BACK_BLACKJACK)[0])
HEADS_UP = Setting(
    specs(games.HALF_BACK_BLACKJACK)[0], kind=ShoeKind.CONTINUOUS, seats=1, rounds=200
)
SHUFFLER = Setting(specs(games.SKWEEZIT_BLACKJACK)[2], kind=ShoeKind.CONTINUOUS, rounds=200)
STACKS = Setting(specs(games.MATCH_MADNESS_GAME)[0])
CHAINED = Setting(specs(games.SKWEEZIT_BLACKJACK)[2], is_chained=True)

FAULTS: tuple[Fault, ...] = (
    Fault("overpaid", (Kind.OVERPAID,), payouts.overpaid, DOUBLE_ACTION),
    Fault("underpaid", (Kind.UNDERPAID,), payouts.underpaid, DOUBLE_ACTION),
    Fault("unpaid", (Kind.UNPAID,), payouts.unpaid, HALF_BACK),
    Fault("paid loser", (Kind.PAID_LOSER,), payouts.paid_loser, STACKS),
    Fault("took winner", (Kind.TOOK_WINNER,), payouts.took_winner, SKWEEZIT),
    Fault("paid twice", (Kind.PAID_TWICE,), payouts.paid_twice, ONE_DECK),
    Fault("uncollected", (Kind.UNCOLLECTED,), payouts.uncollected, SKWEEZIT),
    Fault(
        "aggregate ignored",
        (Kind.AGGREGATE,),
        payouts.aggregate_ignored,
        CAPPED,
        {
            Kind.OVERPAID: "what passes the limit was not owed to anybody",
            Kind.BIG_WIN: "without its limit a deal can pay one patron over $3,000",
        },
    ),
    Fault("void round paid", (Kind.VOID_PAID,), payouts.void_paid, SHUFFLED_DOUBLE_ACTION),
    Fault("past post", (Kind.PAST_POST,), bets.past_post, DOUBLE_ACTION),
    Fault("pinch", (Kind.PINCH,), bets.pinch, SKWEEZIT),
    Fault("state maximum", (Kind.STATE_MAXIMUM,), bets.state_maximum, HALF_BACK),
    Fault("house maximum", (Kind.HOUSE_MAXIMUM,), bets.house_maximum, DOUBLE_ACTION),
    Fault("house minimum", (Kind.HOUSE_MINIMUM,), bets.house_minimum, DOUBLE_ACTION),
    Fault("spot count", (Kind.SPOT_COUNT,), bets.spot_count, SKWEEZIT),
    Fault("two players a spot", (Kind.ONE_PLAYER,), bets.one_player, DOUBLE_ACTION),
    Fault(
        "another player's side bet",
        (Kind.ONE_PLAYER,),
        bets.second_patron_on_a_side_bet,
        DOUBLE_ACTION,
    ),
    Fault("five wagers", (Kind.FOUR_WAGERS,), bets.four_wagers, MANY_WAGERS),
    Fault("no wager within $5", (Kind.FIVE_DOLLARS,), bets.five_dollars, MANY_WAGERS),
    Fault("unknown wager", (Kind.UNKNOWN_WAGER,), bets.unknown_wager, SKWEEZIT),
    Fault("unequal Half Back", (Kind.HALF_BACK_UNEQUAL,), bets.half_back_unequal, HALF_BACK),
    Fault("no main wager", (Kind.NO_MAIN_WAGER,), bets.no_main_wager, SKWEEZIT),
    Fault(
        "deal order",
        (Kind.DEAL_ORDER, Kind.IRREGULARITY_UNRULED),
        procedure.deal_order,
        DOUBLE_ACTION,
    ),
    Fault(
        "deal order of stacks",
        (Kind.DEAL_ORDER, Kind.IRREGULARITY_UNRULED),
        procedure.deal_order,
        STACKS,
    ),
    Fault("card unasked", (Kind.CARD_UNASKED,), procedure.card_unasked, SKWEEZIT),
    Fault(
        "side bets left to right",
        (Kind.SETTLE_ORDER,),
        procedure.side_bets_left_to_right,
        SKWEEZIT,
    ),
    Fault(
        "main wagers left to right",
        (Kind.SETTLE_ORDER,),
        procedure.main_wagers_left_to_right,
        ONE_DECK,
    ),
    Fault(
        "up card not replaced",
        (Kind.UPCARD_NOT_REPLACED,),
        procedure.upcard_not_replaced,
        HEADS_UP,
    ),
    Fault(
        "up card replaced twice",
        (Kind.UPCARD_REPLACED_TWICE,),
        procedure.upcard_replaced_twice,
        HEADS_UP,
    ),
    Fault(
        "up card replaced wrongly",
        (Kind.UPCARD_REPLACED_WRONGLY,),
        procedure.upcard_replaced_wrongly,
        HEADS_UP,
    ),
    Fault("dealer drew", (Kind.DEALER_DREW,), procedure.dealer_drew, SHUFFLER),
    Fault("dealer stood", (Kind.DEALER_STOOD,), procedure.dealer_stood, SHUFFLER),
    Fault(
        "peek missed blackjack",
        (Kind.PEEK_WRONG,),
        procedure.peek_missed_blackjack,
        SKWEEZIT,
    ),
    Fault(
        "peek saw blackjack",
        (Kind.PEEK_WRONG,),
        procedure.peek_saw_blackjack,
        SKWEEZIT,
        {Kind.ACTION_FORBIDDEN: "after a peek that says blackjack nobody may act"},
    ),
    Fault("ruling unfit", (Kind.RULING_UNFIT,), procedure.ruling_unfit, SKWEEZIT),
    Fault(
        "hole card not shown",
        (Kind.HOLE_CARD_NOT_SHOWN,),
        procedure.hole_card_not_shown,
        DOUBLE_ACTION,
        {Kind.DEAL_ORDER: "the dealer draws to a hand whose hole card nobody has seen"},
    ),
    Fault("double forbidden", (Kind.ACTION_FORBIDDEN,), procedure.double_forbidden, HARD_DOUBLES),
    Fault(
        "insurance forbidden",
        (Kind.INSURANCE_FORBIDDEN,),
        procedure.insurance_forbidden,
        DOUBLE_ACTION,
    ),
    Fault(
        "cards removed early",
        (Kind.CARDS_REMOVED_EARLY,),
        procedure.cards_removed_early,
        DOUBLE_ACTION,
    ),
    Fault("impossible card", (Kind.IMPOSSIBLE_CARD,), cards.impossible_card, ONE_DECK),
    Fault("shoe short", (Kind.SHOE_SHORT,), cards.shoe_short, ONE_DECK),
    Fault("hole card switched", (Kind.CARD_SWITCHED,), cards.hole_card_switched, SKWEEZIT),
    Fault("match card switched", (Kind.CARD_SWITCHED,), cards.match_card_switched, STACKS),
    Fault("shuffler fault", (Kind.SHUFFLER_FAULT,), cards.shuffler_fault, SKWEEZIT),
    Fault("one deck too many", (Kind.UNAPPROVED_DECKS,), cards.unapproved_decks, SKWEEZIT),
    Fault("low confidence", (Kind.LOW_CONFIDENCE,), cards.low_confidence, SKWEEZIT),
    Fault(
        "card before bets closed",
        (Kind.DEAL_ORDER,),
        cards.card_before_bets_closed,
        SHUFFLER,
    ),
    Fault("coupon expired", (Kind.COUPON_EXPIRED,), coupons.expired, SKWEEZIT),
    Fault(
        "coupon on a side bet",
        (Kind.COUPON_WRONG_WAGER,),
        coupons.wrong_wager,
        SKWEEZIT,
        {Kind.COUPON_UNMATCHED: "the side bet is often smaller than the coupon's face"},
    ),
    Fault("coupon unmatched", (Kind.COUPON_UNMATCHED,), coupons.unmatched, SKWEEZIT),
    Fault("second coupon", (Kind.COUPON_SECOND,), coupons.second_in_round, SKWEEZIT),
    Fault(
        "coupon doubled",
        (Kind.COUPON_DOUBLED,),
        coupons.doubled,
        SHUFFLER,
        {Kind.ACTION_FORBIDDEN: "the double adds more than the chips it doubles"},
    ),
    Fault("coupon paid twice", (Kind.COUPON_WRONG_PAY,), coupons.paid_as_doubled, SHUFFLER),
    Fault("coupon late", (Kind.COUPON_LATE,), coupons.after_bets_closed, SKWEEZIT),
    Fault("coupon not paid", (Kind.COUPON_WRONG_PAY,), coupons.wrong_pay, SKWEEZIT),
    Fault("coupon terms unknown", (Kind.COUPON_TERMS_UNKNOWN,), coupons.terms_unknown, SKWEEZIT),
    Fault("coupon not presented", (Kind.COUPON_NOT_PRESENTED,), coupons.not_presented, SKWEEZIT),
    Fault("no consent", (Kind.PROMOTION_NO_CONSENT,), coupons.no_consent, SKWEEZIT),
    Fault("tray variance", (Kind.TRAY_VARIANCE,), log.tray_variance, SKWEEZIT),
    Fault("tray changed", (Kind.TRAY_CHANGED,), log.tray_changed, SKWEEZIT),
    Fault("signers", (Kind.SIGNERS,), log.signers, SKWEEZIT),
    Fault("debit limit", (Kind.DEBIT_LIMIT,), log.debit_limit, SKWEEZIT),
    Fault("sequence gap", (Kind.SEQUENCE_GAP,), log.sequence_gap, SKWEEZIT),
    Fault("sequence conflict", (Kind.SEQUENCE_CONFLICT,), log.sequence_conflict, SKWEEZIT),
    Fault("chain broken", (Kind.CHAIN_BROKEN,), log.chain_broken, CHAINED),
    Fault("clock skew", (Kind.CLOCK_SKEW,), log.clock_skew, SKWEEZIT),
    Fault("unknown rules", (Kind.UNKNOWN_RULES,), log.unknown_rules, SKWEEZIT),
    Fault("unapproved rules", (Kind.UNAPPROVED_RULES,), log.unapproved_rules, SKWEEZIT),
    Fault("out of place", (Kind.OUT_OF_PLACE,), log.out_of_place, SKWEEZIT),
    Fault("bad amount", (Kind.BAD_AMOUNT,), log.bad_amount, SKWEEZIT),
    Fault("no such wager", (Kind.NO_SUCH_WAGER,), log.no_such_wager, SKWEEZIT),
    Fault("card corrected too late", (Kind.OUT_OF_REACH,), log.read_corrected_too_late, SKWEEZIT),
    Fault("out of reach", (Kind.OUT_OF_REACH,), log.out_of_reach, SKWEEZIT),
    Fault("no such hand", (Kind.NO_SUCH_HAND,), log.no_such_hand, SKWEEZIT),
)

__all__ = ["FAULTS", "CannotPlant", "Fault", "Planted", "Setting", "plant"]
