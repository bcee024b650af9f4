"""Side bets at a table: who looks at which card, and what the paytable makes of it."""

from __future__ import annotations

from itertools import product
from typing import Final

from blackjack.cards.card import DECK, Card
from blackjack.cards.hand import Hand, is_natural
from blackjack.facts import Place, ShoeKind
from blackjack.money import format_cents, winnings
from blackjack.outcomes import LOST, PUSHED, WON, Result
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.play.wagers import Wager
from blackjack.rulebook.citations import NEVER_GUESSED
from blackjack.rulebook.rule_set import RuleSet
from blackjack.rulebook.state_rules import VIDEO_RULE
from blackjack.settlement.judgments import Owed
from blackjack.settlement.main_wagers import with_coupon
from blackjack.settlement.side_bets import LOSS
from blackjack.settlement.side_bets.dead_mans_hand import is_set, may_be_set
from blackjack.settlement.side_plans import (
    DEALER_BLACKJACK,
    EITHER,
    FIRST,
    HOLE,
    MATCH_ME,
    MATCH_ME_2,
    REPLACEMENT,
    SECOND,
    SPLIT,
    THIRD,
    UNREAD,
    UNREAD_HOLE,
    UP,
    NumberRange,
    RoleValue,
    SidePlan,
    UnreadCard,
)

UNREAD_MAX: Final = 2
"""Unread cards that are tried one by one (52 each); beyond that only the bounds are stated."""

_MATCH_ME: Final = Place.MATCH_ME.value
_MATCH_ME_2: Final = Place.MATCH_ME_2.value


def owed_on_side_bet(
    state: TableState, played: Round, rules: RuleSet, plan: SidePlan, wager: Wager
) -> Owed | None:
    """What a side bet is owed by its paytable, None while its cards are not all there."""
    if played.closing and len(played.firsts.get(wager.seat, ())) < plan.first_cards:
        return Owed(
            Result.VOID,
            "short_hand",
            f"{rules.filing.title}, convention: a short hand is void",
            f"too few cards dealt to the spot: {format_cents(wager.stake)} returned",
        )
    outcomes = possible_outcomes(state, played, plan, wager)
    if len(outcomes) == 1:
        return _decided(played, rules, plan, wager, outcomes[0])
    if not outcomes:
        return _never_decided(plan, wager) if played.closing else None
    dues = [_decided(played, rules, plan, wager, outcome) for outcome in sorted(outcomes)]
    if wager.for_player:
        return _for_player(max(dues, key=_cents))
    least, most = min(due.least_cents for due in dues), max(due.most_cents for due in dues)
    return Owed(
        Result.UNDETERMINED,
        "card_not_read",
        NEVER_GUESSED,
        f"a card was not read: {format_cents(least)} to {format_cents(most)}",
        least_cents=least,
        most_cents=most,
    )


def possible_outcomes(
    state: TableState, played: Round, plan: SidePlan, wager: Wager, *, shown_only: bool = False
) -> list[str]:
    """Every outcome the cards allow; one where all were read, none while undecided.

    With `shown_only`, as the table itself can know it: a card face down that only the shoe
    has read does not count, and one card that would decide the wager is enough.
    """
    seat = wager.seat
    seen: list[RoleValue] = []
    unread = ranges = 0
    for role in plan.looks:
        value = _look(played, role, seat, shown_only)
        seen.append(value)
        if value is UNREAD or value is UNREAD_HOLE:
            unread += 1
        elif type(value) is NumberRange:
            ranges += 1
    if not (unread or ranges):
        outcome = plan.judge(*seen)
        return [] if outcome is None else [outcome]
    if unread > UNREAD_MAX:
        return [LOSS, *(row.outcome for row in plan.paytable.rows)]
    outcomes: list[str] = []
    for guess in product(*(_could_be(state, played, value) for value in seen)):
        outcome = plan.judge(*guess)
        if outcome is None:
            if not shown_only:
                return []
        elif outcome not in outcomes:
            outcomes.append(outcome)
    return outcomes


def _could_be(state: TableState, played: Round, value: RoleValue) -> list[RoleValue]:
    """All that an open value can be: any card of which the shoe is not known to be out."""
    if value is EITHER:
        return [False, True]
    if isinstance(value, NumberRange):
        return list(range(value.least, value.most + 1))
    if not isinstance(value, UnreadCard):
        return [value]
    shoe = state.shoe
    cards = DECK
    if shoe.decks and shoe.kind is ShoeKind.SHOE:
        cards = tuple([card for card in DECK if shoe.seen[card.index] < shoe.decks]) or DECK
    up = played.up_card
    if value is UNREAD_HOLE and up is not None and played.peeked is not None:
        cards = tuple([card for card in cards if is_natural(up, card) == played.peeked]) or cards
    return list(cards)


def _look(played: Round, role: int, seat: int, shown_only: bool) -> RoleValue:
    """What a role shows at this table, the most frequent ones first."""
    if role == FIRST:
        return _first(played, seat, 0)
    if role == SECOND:
        return _first(played, seat, 1)
    if role == UP:
        return _known(played.original_up) if played.up >= 0 else None
    if role == HOLE:
        if played.hole < 0 or (shown_only and not played.hole_shown):
            return None
        hole = played.dealer.cards[played.hole]
        return UNREAD_HOLE if hole is None else hole
    if role == THIRD:
        return _first(played, seat, 2)
    if role == MATCH_ME:
        return _on_place(played, _MATCH_ME, shown_only)
    if role == MATCH_ME_2:
        return _on_place(played, _MATCH_ME_2, shown_only)
    if role == REPLACEMENT:
        return _known(played.replacement[0]) if played.replacement else None
    if role == DEALER_BLACKJACK:
        known = played.dealer_blackjack_shown if shown_only else played.dealer_blackjack
        return EITHER if known is None and played.closing and played.hole >= 0 else known
    if role == SPLIT:
        return len(played.hands.get(seat, ())) > 1
    return _sets(played, seat)


def _first(played: Round, seat: int, at: int) -> Card | UnreadCard | None:
    cards = played.firsts.get(seat)
    if cards is None or at >= len(cards):
        return None
    card = cards[at]
    return UNREAD if card is None else card


def _known(card: Card | None) -> Card | UnreadCard:
    return UNREAD if card is None else card


def _on_place(played: Round, place: str, shown_only: bool) -> Card | UnreadCard | None:
    if place not in played.table_places or (shown_only and place not in played.exposed):
        return None
    return _known(played.table_places[place])


def _sets(played: Round, seat: int) -> int | NumberRange | None:
    """Hands of the spot that began with an ace and an eight, once nothing can change that.

    A pair that was hit or stood on is not split any more (General Rules 7). Aces are paid when
    the splitting is done (8A), eights when the spot has taken its cards (9B).
    """
    hands = played.hands.get(seat, [])
    if not played.closing and played.turn <= seat and not _sets_stand(played, hands):
        return None
    sets = open_ = 0
    for hand in hands:
        if len(hand.cards) >= 2:
            first, second = hand.cards[0], hand.cards[1]
            if first is not None and second is not None:
                sets += is_set(first, second)
            else:
                open_ += may_be_set(first) and may_be_set(second)
    return NumberRange(sets, sets + open_) if open_ else sets


def _sets_stand(played: Round, hands: list[Hand]) -> bool:
    if len(hands) == 1 and hands[0].acted:
        return True
    return all(_over(hand) or _is_final_ace(played, hand, len(hands)) for hand in hands)


def _over(hand: Hand) -> bool:
    return hand.done and not hand.due


def _is_final_ace(played: Round, hand: Hand, hand_count: int) -> bool:
    """Whether a split ace has its card and is not split again, though it may still be hit."""
    rules = played.rules
    if not hand.split_aces or len(hand.cards) < 2 or rules is None:
        return False
    house = rules.spec.house
    return (
        len(hand.cards) > 2
        or not house.resplit_aces
        or hand_count >= house.hands_max
        or not hand.is_pair(by_value=False)
    )


def _cents(due: Owed) -> int:
    return due.cents


def _for_player(due: Owed) -> Owed:
    """The best that the cards allow, ruled so because the video does not show more."""
    return Owed(
        due.result,
        due.outcome,
        VIDEO_RULE,
        due.arithmetic,
        cents=due.cents,
        taken_cents=due.taken_cents,
        least_cents=due.cents,
        most_cents=due.cents,
    )


def _never_decided(plan: SidePlan, wager: Wager) -> Owed:
    pays = plan.paytable.top
    most = wager.stake * pays.win // pays.stake
    return Owed(
        Result.UNDETERMINED,
        "card_not_dealt",
        NEVER_GUESSED,
        f"a card that decides it is not in the log: {format_cents(0)} to {format_cents(most)}",
        most_cents=most,
    )


def _decided(played: Round, rules: RuleSet, plan: SidePlan, wager: Wager, outcome: str) -> Owed:
    prize = plan.prizes.get(outcome)
    stake = wager.stake
    if prize is None:
        return Owed(LOST, LOSS, plan.clause, "", 0, stake)
    if prize.is_push:
        return Owed(PUSHED, prize.outcome, plan.clause)
    limits = rules.spec.limits
    cents = winnings(
        (stake, prize.pays), chip_cents=limits.smallest_chip_cents, rounding=limits.rounding
    )
    due = Owed(WON, prize.outcome, plan.clause, "", cents, 0, cents, cents)
    return (
        due
        if wager.coupon is None
        else with_coupon(played, rules, wager, natural=False, odds=prize.pays, due=due)
    )
