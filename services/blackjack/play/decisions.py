"""Play: decisions of the players, and whether the rules allow them."""

from __future__ import annotations

from typing import Final

from blackjack.cards.hand import Hand
from blackjack.display_names import bet_name
from blackjack.facts import Action, HalfBackReturned, PlayerActed
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.play.betting import sound_amount
from blackjack.play.chip_moves import (
    account_for,
    adopt_stray,
    carry_to_hand,
    lay_late,
    report_pinch,
    report_pinches,
)
from blackjack.play.deal import end_deal, finish_hand
from blackjack.play.procedure import begin_play, check_peek
from blackjack.play.round import DEALING, DEALT, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import cite
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import HALF_BACK, MAIN, DoubleOn, Peek, SplitBy
from blackjack.rulebook.rule_set import RuleSet
from blackjack.rulebook.state_rules import COUPON_RULE
from blackjack.settlement.judgments import WagerCoupon

HIT: Final = Action.HIT
STAND: Final = Action.STAND

HANDS_MAX: Final = 10
"""Hands of a spot that are followed, forbidden splits included; four are allowed at most."""


def act(state: TableState, played: Round, fact: PlayerActed) -> None:
    """A player decides. A forbidden decision is reported, and counts where it can."""
    seat = fact.seat
    hand = played.hand(seat, fact.hand)
    if hand is None or played.phase < DEALING:
        state.note(
            Kind.NO_SUCH_HAND,
            f"{fact.action.capitalize()} on seat {seat} hand {fact.hand}, which is not in play",
            "order of play",
            seat=seat,
            hand=fact.hand,
            per_event=True,
        )
        return
    if played.phase == DEALING:
        _deal_cut_short(state, played)
    begin_play(state, played)
    check_peek(state, played, seat)
    if seat > played.turn and not _waits_for_peek(played):
        _pass_turn(played, seat)
    played.revision += 1
    rules = played.rules
    objection = _objection(played, rules, hand, fact) if rules is not None else ""
    if objection:
        state.note(
            Kind.ACTION_FORBIDDEN,
            f"{fact.action.capitalize()} not allowed: {bet_name(seat, fact.hand, MAIN)}",
            cite(rules, fact.action) if rules is not None else "",
            detail=objection,
            seat=seat,
            hand=fact.hand,
            per_event=True,
        )
        finished = hand.done and not _adds_chips_to_aces(hand, fact.action)
        if finished or hand.due or fact.action is Action.SURRENDER:
            return
    hand.acted = True
    action = fact.action
    if action is HIT:
        hand.due += 1
    elif action is STAND:
        hand.done = True
    elif action is Action.DOUBLE:
        _double(state, played, hand, fact)
    elif action is Action.SURRENDER:
        hand.surrendered = True
        hand.done = True
        report_pinches(state, played)
    elif len(hand.cards) == 2 and len(played.hands[seat]) < HANDS_MAX:
        _split(state, played, hand, fact)


def _pass_turn(played: Round, seat: int) -> None:
    """Seats before the one that decides now have had their turn, and stand."""
    for earlier, hands in played.hands.items():
        if earlier < seat:
            for hand in hands:
                hand.done = True
    played.turn = seat


def _waits_for_peek(played: Round) -> bool:
    """Whether the dealer must look first: who decides now does so ahead of the others."""
    rules = played.rules
    return (
        rules is not None
        and rules.spec.house.peek is not Peek.NONE
        and played.peek_due
        and played.dealer_blackjack_shown is None
    )


def _deal_cut_short(state: TableState, played: Round) -> None:
    if played.complete:
        state.note(
            Kind.DEAL_ORDER,
            "Play began before the deal was complete",
            cite(played.rules, "deal_order") if played.rules else "order of the deal",
            subject="cut short",
        )
    end_deal(state, played)


def _objection(played: Round, rules: RuleSet, hand: Hand, fact: PlayerActed) -> str:
    """Why the rules forbid the decision; nothing if they allow it."""
    if rules.filing.dealing is Dealing.MATCH_MADNESS:
        return "this game has no decisions"
    if hand.surrendered or hand.busted:
        return "the hand is over"
    if fact.action is STAND:
        return ""
    if hand.done:
        return _aces_objection(played, rules, hand, fact) or "the hand is finished"
    if played.peeked or (played.hole_shown and played.dealer_blackjack):
        return "the dealer has blackjack"
    if hand.due:
        return "a card is still due to the hand"
    if hand.seat in played.half_back_returned and fact.action is not Action.HIT:
        return "after a Half Back return only hit and stand are allowed"
    match fact.action:
        case Action.HIT:
            if hand.split_aces and not rules.spec.house.hit_split_aces:
                return "split aces get one card each"
            return ""
        case Action.DOUBLE:
            return _double_objection(played, rules, hand, fact)
        case Action.SPLIT:
            return _split_objection(played, rules, hand)
        case Action.SURRENDER:
            if not rules.spec.house.late_surrender:
                return "this table has no surrender"
            if hand.acted or hand.from_split or len(hand.cards) != 2:
                return "surrender is allowed only as the first decision on two cards"
            return ""


def _adds_chips_to_aces(hand: Hand, action: Action) -> bool:
    """Whether chips are added to a split ace that has its one card: the house took them."""
    return hand.split_aces and len(hand.cards) == 2 and action in (Action.DOUBLE, Action.SPLIT)


def _aces_objection(played: Round, rules: RuleSet, hand: Hand, fact: PlayerActed) -> str:
    """What forbids to add chips to a split ace that is finished."""
    if not _adds_chips_to_aces(hand, fact.action):
        return ""
    if fact.action is Action.SPLIT:
        return _split_objection(played, rules, hand)
    return _double_objection(played, rules, hand, fact)


def _double_objection(played: Round, rules: RuleSet, hand: Hand, fact: PlayerActed) -> str:
    house = rules.spec.house
    if len(hand.cards) != 2:
        return "only two cards can be doubled"
    if hand.split_aces and not house.hit_split_aces:
        return "split aces get one card each"
    if hand.from_split and not house.double_after_split:
        return "no double after a split"
    if hand.known and house.double_on is not DoubleOn.ANY_TWO:
        least = 9 if house.double_on is DoubleOn.HARD_9_TO_11 else 10
        if hand.soft or not least <= hand.total <= 11:
            return f"only a hard {least} to 11 can be doubled, not {_called(hand)}"
    unit = _unit(played, hand)
    if fact.cents and unit and fact.cents < unit and not house.double_for_less:
        return f"a double adds {format_cents(unit)}, not {format_cents(fact.cents)}"
    if fact.cents > unit and (unit or _coupon_of(played, hand) is None):
        return f"a double adds at most {format_cents(unit)}, not {format_cents(fact.cents)}"
    return ""


def _split_objection(played: Round, rules: RuleSet, hand: Hand) -> str:
    house = rules.spec.house
    if not hand.is_pair(by_value=house.split_by is SplitBy.VALUE):
        return "the cards are not a pair"
    if len(played.hands[hand.seat]) >= house.hands_max:
        return f"the table allows {house.hands_max} hands"
    if hand.split_aces and not house.resplit_aces:
        return "aces are split once"
    return ""


def _called(hand: Hand) -> str:
    return f"a soft {hand.total}" if hand.soft else f"{hand.total}"


def _first_wager(played: Round, hand: Hand) -> Wager | None:
    """The main wager of the hand's seat as it was dealt."""
    return played.wagers.get((hand.seat, 1, MAIN, False))


def _unit(played: Round, hand: Hand) -> int:
    """What a double adds: one main wager as first dealt.

    Where that was a coupon with no chips, it is what the hand has chips of its own.
    """
    first = _first_wager(played, hand)
    if first is not None and first.unit:
        return first.unit
    own = hand_wager(played, hand)
    return own.unit if own is not None else 0


def _coupon_of(played: Round, hand: Hand) -> WagerCoupon | None:
    """The coupon that no double on this hand may count.

    It is that of the hand's own wager; on a split hand with nothing on it, that of the first.
    """
    wager = hand_wager(played, hand) or _first_wager(played, hand)
    return wager.coupon if wager is not None else None


def hand_wager(played: Round, hand: Hand) -> Wager | None:
    """The wager that a double on this hand adds to: main, or Half Back on its split hand."""
    for kind in (MAIN, HALF_BACK):
        wager = played.wagers.get((hand.seat, hand.number, kind, False))
        if wager is not None:
            return wager
    return None


def _double(state: TableState, played: Round, hand: Hand, fact: PlayerActed) -> None:
    """One card more, whatever lies on the hand: a hand split off a coupon has nothing on it."""
    coupon = _coupon_of(played, hand)
    unit = _unit(played, hand)
    added = fact.cents or unit
    wager = hand_wager(played, hand)
    free = wager is None or coupon is not None
    if not sound_amount(state, added, seat=hand.seat, wager=MAIN, zero=free):
        return
    hand.doubled = True
    hand.due += 1
    if not added:
        return
    if wager is None:
        wager = _new_wager(played, hand, cents=0)
    beyond = max(0, added - unit - (coupon.face_cents if coupon is not None else 0)) if unit else 0
    added -= beyond
    if coupon is not None and added > unit:
        state.note(
            Kind.COUPON_DOUBLED,
            f"Coupon {coupon.serial} doubled: {bet_name(hand.seat, hand.number, MAIN)}, "
            f"{format_cents(added)} on chips of {format_cents(unit)}",
            COUPON_RULE,
            detail="a coupon cannot be doubled",
            seat=hand.seat,
            hand=hand.number,
            wager=wager.kind,
            patron=wager.patron,
            cents=added - unit,
            subject=coupon.serial,
        )
    wager.stake += added
    account_for(state, played, wager, added)
    if beyond:
        lay_late(state, wager, beyond)


def _new_wager(played: Round, hand: Hand, *, cents: int) -> Wager:
    """A main wager that a decision lays on a hand; its chips are still to be seen."""
    first = _first_wager(played, hand)
    wager = Wager((hand.seat, hand.number, MAIN, False), cents, first.patron if first else "")
    wager.chips = 0
    played.wagers[wager.key] = wager
    return wager


def _split(state: TableState, played: Round, hand: Hand, fact: PlayerActed) -> None:
    """The second card begins a new hand, which takes the next free number."""
    hands = played.hands[hand.seat]
    new = Hand(hand.seat, len(hands) + 1)
    new.from_split = hand.from_split = True
    second = hand.cards.pop()
    aces = all(card is not None and card.rank == 1 for card in (hand.cards[0], second))
    hand.free_ace = False
    hand.recount()
    new.add(second)
    new.split_aces = hand.split_aces = aces
    new.due = hand.due = 1
    hands.append(new)
    for held in hands:
        # With the last hand that is allowed, aces that waited to be split again are done.
        finish_hand(played, held)
    half_back = played.wagers.get((hand.seat, 1, HALF_BACK, False))
    if half_back is not None and half_back.in_action and new.number == 2:
        del played.wagers[half_back.key]
        carry_to_hand(state, played, half_back, new.number)
        played.wagers[half_back.key] = half_back
        adopt_stray(played, half_back)
        return
    first = _first_wager(played, hand)
    if first is None:
        return
    added = fact.cents or first.unit
    if not added and first.coupon is not None:
        return  # a coupon alone is not carried to the new hand, and needs no chips on it
    if not sound_amount(state, added, seat=hand.seat, wager=MAIN):
        return
    beyond = max(0, added - first.unit) if first.unit and first.coupon is None else 0
    wager = _new_wager(played, new, cents=added - beyond)
    wager.unit = first.unit or added
    account_for(state, played, wager, added - beyond, split_from=hand.number)
    if beyond:
        lay_late(state, wager, beyond)
    if added != first.unit:
        state.note(
            Kind.ACTION_FORBIDDEN,
            f"Split with the wrong amount: seat {hand.seat}, {format_cents(added)}",
            cite(played.rules, "split") if played.rules else "",
            detail=f"a split takes {format_cents(first.unit)}",
            seat=hand.seat,
            hand=new.number,
            wager=MAIN,
            subject="split amount",
        )


def return_half_back(state: TableState, played: Round, fact: HalfBackReturned) -> None:
    """The player takes the Half Back wager back on a first total of 13 to 16."""
    seat = fact.seat
    hand = played.hand(seat, 1)
    split_off = (seat, 2, HALF_BACK, False)
    wager = played.wagers.get((seat, 1, HALF_BACK, False)) or played.wagers.get(split_off)
    if hand is None or wager is None or played.phase < DEALT:
        state.note(
            Kind.NO_SUCH_WAGER,
            f"Half Back return on seat {seat}, which has no Half Back wager",
            "order of play",
            seat=seat,
            wager=HALF_BACK,
            per_event=True,
        )
        return
    begin_play(state, played)
    if seat > played.turn and not _waits_for_peek(played):
        _pass_turn(played, seat)
    played.revision += 1
    objection = _return_objection(played, hand, wager, fact)
    early = not objection and played.peek_due and played.dealer_blackjack_shown is None
    if early:
        objection = "before the dealer has looked for blackjack"
    if objection:
        state.note(
            Kind.ACTION_FORBIDDEN,
            f"Half Back return not allowed: seat {seat}, {format_cents(wager.stake)}",
            cite(played.rules, "half_back.return") if played.rules else "",
            detail=objection,
            seat=seat,
            hand=1,
            wager=HALF_BACK,
            patron=wager.patron,
            cents=wager.stake,
            subject="return",
        )
        if not early:
            return
    wager.in_action = False
    wager.returned_early = early
    wager.touched = not early
    played.half_back_returned.add(seat)
    if wager.fallen:
        report_pinch(state, played, wager)


def _return_objection(played: Round, hand: Hand, wager: Wager, fact: HalfBackReturned) -> str:
    if not wager.in_action:
        return "the wager was already returned"
    if played.dealer_blackjack_shown:
        return "the dealer has blackjack"
    if hand.from_split:
        return "not allowed after a split"
    if hand.acted or len(hand.cards) != 2 or hand.done:
        return "allowed only before any other decision"
    if hand.known and not 13 <= hand.total <= 16:
        return f"allowed only on 13 to 16, not on {hand.total}"
    if fact.cents and fact.cents != wager.stake:
        return f"{format_cents(fact.cents)} is not the wager of {format_cents(wager.stake)}"
    return ""
