"""Faults of procedure: the dealer or a player does what the rules do not let him do."""

from __future__ import annotations

from itertools import pairwise

from blackjack.cards.card import ACE, TEN, Card, card
from blackjack.facts import (
    DEALER,
    Action,
    CardDealt,
    CardsRemoved,
    DealerPeeked,
    HalfBackReturned,
    HoleCardRevealed,
    InsuranceTaken,
    Irregularity,
    IrregularityRuled,
    PlayerActed,
    Ruling,
    UpcardReplaced,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.rulebook.house_rules import INSURANCE, MAIN
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import CannotPlant, RoundView
from table_simulator.domain.games import MATCH_MADNESS, SKWEEZIT, UPCARD_BONUS
from table_simulator.domain.oracle.hands import total


def dealers_cards(view: RoundView) -> list[tuple[int, Card]]:
    """The dealer's hand as it lies at the end, each card with its place in the stream."""
    hand = [(place, fact.card) for place, fact in view.of(CardDealt) if fact.seat == DEALER]
    replaced = [(place, fact.card) for place, fact in view.of(UpcardReplaced)]
    if replaced:
        hand[0] = replaced[-1]
    return [(place, card) for place, card in hand if card is not None]


def everybody_broke(view: RoundView) -> bool:
    """All main wagers were taken before the hole card was turned, and no bonus was bet."""
    shown = view.first(HoleCardRevealed)[0]
    late = [1 for place, fact in view.facts if place > shown and isinstance(fact, WagerCollected)]
    paid = view.of(WagerPaid) + view.of(WagerReturned) + view.of(InsuranceTaken)
    sides = any(view.stake(seat, UPCARD_BONUS) for seat in view.seats())
    return not late and not paid and not sides and not view.of(DealerPeeked)


def deal_order(draft: StreamDraft) -> str:
    """Two neighboring hands get a card of the first deal in the wrong order."""
    for view in draft.rounds():
        for (here, first), (there, second) in pairwise(view.of(CardDealt)):
            if DEALER in (first.seat, second.seat):
                break
            if first.seat < second.seat:
                draft.put(here, second)
                draft.alter(here, shoe_index=first.shoe_index)
                draft.put(there, first)
                draft.alter(there, shoe_index=second.shoe_index)
                return view.id
    raise CannotPlant


def card_unasked(draft: StreamDraft) -> str:
    """A card for a hand whose player did not request one."""

    def candidates(view: RoundView) -> list[int]:
        return [place for place, fact in view.of(PlayerActed) if fact.action is Action.HIT]

    view, place = draft.pick(candidates)
    draft.drop(place)
    return view.id


def side_bets_left_to_right(draft: StreamDraft) -> str:
    return _left_to_right(draft, SKWEEZIT)


def main_wagers_left_to_right(draft: StreamDraft) -> str:
    """Under the dealer's blackjack, where the filing fixes the order of the main wagers."""
    return _left_to_right(draft, MAIN)


def _left_to_right(draft: StreamDraft, wager: str) -> str:
    """Two neighboring hands are settled in the wrong order after the dealer's last card."""
    kinds = (WagerPaid, WagerCollected, WagerReturned)
    for view in draft.rounds():
        if wager == MAIN and not any(peek.blackjack for _, peek in view.of(DealerPeeked)):
            continue
        drawn = dealers_cards(view)[-1][0] if wager == MAIN else 0
        settled = [
            (place, fact)
            for place, fact in view.facts
            if isinstance(fact, kinds) and place > drawn and fact.wager == wager and not fact.tip
        ]
        for (here, first), (there, second) in pairwise(settled):
            once = all(len(view.settlements(fact.seat, wager)) == 1 for fact in (first, second))
            if there == here + 1 and first.seat > second.seat and once:
                draft.put(here, second)
                draft.put(there, first)
                return view.id
    raise CannotPlant


def upcard_not_replaced(draft: StreamDraft) -> str:
    """A three stays up in Half Back. Everybody broke, so that nothing else hangs on it."""

    def candidates(view: RoundView) -> list[int]:
        if view.of(UpcardReplaced) or not everybody_broke(view):
            return []
        return [dealers_cards(view)[0][0]]

    view, place = draft.pick(candidates)
    draft.alter(place, card=card("3H"))
    return view.id


def upcard_replaced_twice(draft: StreamDraft) -> str:
    def candidates(view: RoundView) -> list[int]:
        if not everybody_broke(view):
            return []
        return [place for place, _ in view.of(UpcardReplaced)]

    view, place = draft.pick(candidates)
    draft.add(place, UpcardReplaced(card("7C")))
    return view.id


def upcard_replaced_wrongly(draft: StreamDraft) -> str:
    """A seven or better is replaced as if it were a three."""

    def candidates(view: RoundView) -> list[int]:
        return [] if view.of(UpcardReplaced) or not everybody_broke(view) else [1]

    view, _ = draft.pick(candidates)
    hole = dealers_cards(view)[1][0]
    draft.add(hole, UpcardReplaced(card("9D")))
    return view.id


def dealer_drew(draft: StreamDraft) -> str:
    """An ace to a hard 17 or more; all hands had lost already, and lose still.

    It is one that the round has not seen: with few decks a fixed one could not be in the shuffler.
    """

    def candidates(view: RoundView) -> list[tuple[int, Card]]:
        cards = dealers_cards(view)
        shown = view.first(HoleCardRevealed)[0]
        after = [fact for place, fact in view.facts if place > shown]
        won = any(isinstance(fact, WagerPaid | WagerReturned) for fact in after)
        lost = any(isinstance(fact, WagerCollected) and fact.wager == MAIN for fact in after)
        count = total([card for _, card in cards])
        bonus = any(view.stake(seat, MATCH_MADNESS) for seat in view.seats())
        blackjack = any(fact.blackjack for _, fact in view.of(DealerPeeked))
        if won or not lost or bonus or blackjack or not 17 <= count <= 20:
            return []
        hard = sum(card.points for _, card in cards)
        seen = {fact.card for _, fact in view.of(CardDealt)}
        aces = [ace for ace in map(card, ("AD", "AH", "AS", "AC")) if ace not in seen]
        return [(max(shown, cards[-1][0]), aces[0])] if hard == count and aces else []

    view, (place, ace) = draft.pick(candidates)
    draft.add(place, CardDealt(DEALER, ace))
    return view.id


def dealer_stood(draft: StreamDraft) -> str:
    """The dealer breaks with a card he then did not draw; all that won would have won."""

    def candidates(view: RoundView) -> list[int]:
        cards = dealers_cards(view)
        if len(cards) < 3 or total([card for _, card in cards]) <= 21:
            return []
        before = total([card for _, card in cards[:-1]])
        splits = any(fact.action is Action.SPLIT for _, fact in view.of(PlayerActed))
        free_ace = any(fact.coupon for _, fact in view.of(WagerPlaced))
        if before > 16 or splits or free_ace:
            return []
        live = [_hand(view, seat) for seat in view.seats()]
        beats = all(before < total(hand) for hand in live)
        return [cards[-1][0]] if beats else []

    view, place = draft.pick(candidates)
    draft.drop(place)
    return view.id


def _hand(view: RoundView, seat: int) -> list[Card]:
    return [fact.card for _, fact in view.of(CardDealt) if fact.seat == seat and fact.card]


def peek_missed_blackjack(draft: StreamDraft) -> str:
    """The peek reports no blackjack; the hole card that is turned makes a blackjack."""
    return _peek(draft, reports=False)


def peek_saw_blackjack(draft: StreamDraft) -> str:
    """The peek reports blackjack; the hole card makes none."""
    return _peek(draft, reports=True)


def _peek(draft: StreamDraft, *, reports: bool) -> str:
    def candidates(view: RoundView) -> list[int]:
        if any(fact.action is Action.SURRENDER for _, fact in view.of(PlayerActed)):
            return []  # after a blackjack no hand can surrender: it would be judged otherwise
        return [place for place, fact in view.of(DealerPeeked) if fact.blackjack is not reports]

    view, place = draft.pick(candidates)
    draft.alter(place, blackjack=reports)
    return view.id


def peek_missing(draft: StreamDraft) -> str:
    """Play goes on under an ace or a ten though the dealer has not looked."""

    def candidates(view: RoundView) -> list[int]:
        if view.of(InsuranceTaken) or not all(view.acted(seat) for seat in view.seats()):
            return []
        return [place for place, fact in view.of(DealerPeeked) if not fact.blackjack]

    view, place = draft.pick(candidates)
    draft.drop(place)
    return view.id


def half_back_before_peek(draft: StreamDraft) -> str:
    """The first seat to decide takes Half Back before the dealer has looked."""

    def candidates(view: RoundView) -> list[tuple[int, int, HalfBackReturned]]:
        return [
            (peeked, place, fact)
            for peeked, peek in view.of(DealerPeeked)
            for place, fact in view.of(HalfBackReturned)[:1]
            if not peek.blackjack
            and not any(acted < place for acted, _ in view.of(PlayerActed))
            and peeked < place
        ]

    view, (peeked, place, fact) = draft.pick(candidates)
    draft.drop(place)
    draft.add(peeked - 1, fact)
    return view.id


def ruling_unfit(draft: StreamDraft) -> str:
    """A misdeal is ruled by declaring a card dead, which decides nothing."""
    view, place = draft.pick(lambda view: [view.first(HoleCardRevealed)[0]])
    ruled = IrregularityRuled(Irregularity.MISDEAL, Ruling.CARD_DEAD, "S-1", view.seats()[0], 1)
    draft.add(place, ruled)
    return view.id


def hole_card_not_shown(draft: StreamDraft) -> str:
    """Match Madness is settled with the hole card still face down."""

    def candidates(view: RoundView) -> list[int]:
        live = any(view.stake(seat, MATCH_MADNESS) for seat in view.seats())
        return [view.first(HoleCardRevealed)[0]] if live else []

    view, place = draft.pick(candidates)
    draft.drop(place)
    return view.id


def double_forbidden(draft: StreamDraft) -> str:
    """A hit becomes a double on a total that may not double; it is settled as doubled."""

    def candidates(view: RoundView) -> list[int]:
        found = []
        for seat in view.seats():
            acts = [fact.action for fact in view.acted(seat)]
            hand = _hand(view, seat)
            settled = view.settlements(seat, MAIN)
            forbidden = len(hand) == 3 and total(hand[:2]) >= 12
            if view.is_simple(seat) and forbidden and acts and len(settled) == 1:
                found.append(seat)
        return found

    view, seat = draft.pick(candidates)
    for place, fact in view.of(PlayerActed):
        if fact.seat == seat and fact.action is Action.HIT:
            draft.alter(place, action=Action.DOUBLE)
        elif fact.seat == seat:
            draft.drop(place)
    place, settled = view.settlements(seat, MAIN)[0]
    draft.alter(place, cents=settled.cents * 2)
    return view.id


def insurance_forbidden(draft: StreamDraft) -> str:
    """Insurance under a ten, offered and taken and given back."""

    def candidates(view: RoundView) -> list[int]:
        peeked = view.of(DealerPeeked)
        up = dealers_cards(view)[0][1]
        if not peeked or peeked[0][1].blackjack or up.rank == ACE or up.points != TEN:
            return []
        return [seat for seat in view.seats() if view.is_simple(seat) and view.stake(seat, MAIN)]

    view, seat = draft.pick(candidates)
    peeked = view.first(DealerPeeked)[0]
    cents = 1_00
    draft.add(peeked - 1, InsuranceTaken(seat, cents))
    draft.add(peeked, WagerReturned(seat, INSURANCE, cents))
    return view.id


def cards_removed_early(draft: StreamDraft) -> str:
    """A broken hand is cleared although its Match Madness bet waits for the hole card."""

    def candidates(view: RoundView) -> list[tuple[int, int]]:
        shown = view.first(HoleCardRevealed)[0]
        return [
            (place, fact.seat)
            for place, fact in view.of(WagerCollected)
            if place < shown
            and fact.wager == MAIN
            and view.is_simple(fact.seat)
            and view.stake(fact.seat, MATCH_MADNESS)
        ]

    view, (place, seat) = draft.pick(candidates)
    draft.add(place, CardsRemoved(seat))
    for later, fact in view.of(CardsRemoved):
        if fact.seat == seat:
            draft.drop(later)
    return view.id
