"""Dealing: the first cards in the game's order, and the cards that play requires."""

from __future__ import annotations

from typing import Final

from blackjack.cards.card import Card
from blackjack.cards.hand import Hand
from blackjack.cards.shoe import NEW_DECK_RUN
from blackjack.display_names import wager_name
from blackjack.facts import DEALER, CardDealt, Event, Irregularity, Place
from blackjack.findings import Kind
from blackjack.play.round import DEALING, DEALT, PLAYING, Round
from blackjack.play.state import TableState
from blackjack.rulebook.citations import cite
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import MAIN
from blackjack.rulebook.promotions import PromotionKind
from blackjack.settlement.main_wagers import dealer_must_draw

HAND_CARDS_MAX: Final = 21
"""No hand of blackjack can hold more cards: 21 aces of an eight-deck shoe."""


def plan_deal(played: Round) -> None:
    """Who is to get a card, in which order: by seat from the dealer's left, then the dealer."""
    seats = sorted({key[0] for key in played.wagers if key[0] > 0})
    for seat in seats:
        hand = Hand(seat)
        wager = played.wagers.get((seat, 1, MAIN, False))
        coupon = wager.coupon if wager is not None else None
        if coupon is not None and coupon.terms is not None:
            hand.free_ace = coupon.terms.kind is PromotionKind.FREE_ACE
        played.hands[seat] = [hand]
        played.firsts[seat] = []
    rules = played.rules
    if not seats:
        played.plan = []
    elif rules is None or rules.filing.dealing is Dealing.STANDARD:
        played.plan = [*seats, DEALER, *seats, DEALER]
    elif rules.spec.decks == 1:
        played.plan = [seat for seat in seats for _ in range(3)] + [DEALER] * 3
    else:
        played.plan = [*seats, DEALER, *seats, DEALER, *seats]


def deal(state: TableState, played: Round, event: Event, fact: CardDealt) -> None:
    """A card leaves the shoe and comes to a hand, to the dealer or to a place of the layout."""
    card = fact.card
    if event.confidence < 1000:
        card = state.read(card, event)
    draw(state, card)
    played.revision += 1
    if played.phase == DEALING:
        _deal_first(state, played, fact, card)
    elif fact.seat == DEALER:
        _dealer_draws(state, played, fact, card)
    else:
        _player_draws(state, played, fact, card)


def note_early_card(state: TableState, played: Round, fact: CardDealt) -> None:
    """The first card was dealt before the call of "no more bets"."""
    state.note(
        Kind.DEAL_ORDER,
        f"Card dealt to {_who(fact.seat)} before bets closed",
        _deal_rule(played),
        seat=fact.seat,
        subject="early",
    )


def draw(state: TableState, card: Card | None) -> None:
    """Count a card out of the shoe, and report it if that is impossible."""
    shoe = state.shoe
    if not shoe.draw(card) and card is not None:
        state.note(
            Kind.IMPOSSIBLE_CARD,
            f"Impossible card: {card.words}, number {shoe.copies(card)} of it",
            "card conservation",
            detail=f"the shoe has {shoe.decks} of each card",
            subject=f"{card.name} {shoe.copies(card)}",
        )
    if shoe.run >= NEW_DECK_RUN and shoe.take_unshuffled():
        state.note(
            Kind.UNSHUFFLED,
            f"Cards not shuffled: the last {shoe.run} came in the order of a new deck",
            "card conservation: a shuffled shoe has no such order",
            subject=shoe.name,
        )


def _deal_first(state: TableState, played: Round, fact: CardDealt, card: Card | None) -> None:
    seat = fact.seat
    plan = played.plan
    at = played.plan_at
    if at < len(plan) and plan[at] == seat:
        played.plan_at = at + 1
    elif not _deal_out_of_order(state, played, fact, card):
        return
    if seat == DEALER:
        _give_dealer(state, played, fact, card)
    else:
        hand = played.hands[seat][0]
        if len(hand.cards) >= HAND_CARDS_MAX:
            return
        hand.add(card)
        played.firsts[seat].append(card)
        if not fact.face_up and _must_be_face_up(played) and state.once("face down"):
            state.note(
                Kind.DEAL_ORDER,
                f"Card dealt face down to seat {seat}",
                cite(
                    played.rules,
                    "face_up" if "face_up" in played.rules.filing.clauses else "deal_order",
                )
                if played.rules
                else "",
                seat=seat,
                subject="face down",
            )
    if played.plan_at >= len(plan):
        end_deal(state, played)


def _must_be_face_up(played: Round) -> bool:
    """Whether the filing has the players' cards dealt face up."""
    rules = played.rules
    return rules is not None and (
        "face_up" in rules.filing.clauses
        or (rules.filing.dealing is Dealing.MATCH_MADNESS and rules.spec.decks > 1)
    )


def end_deal(state: TableState, played: Round) -> None:
    """All first cards are out; a natural needs no decision."""
    played.phase = DEALT
    rules = played.rules
    if (
        rules is not None
        and rules.filing.dealing is Dealing.STANDARD
        and (played.up < 0 or played.hole < 0 or played.hole_shown)
        and played.complete
    ):
        state.note(
            Kind.DEAL_ORDER,
            "Dealer's first two cards not dealt one up and one down",
            cite(rules, "deal_order"),
            subject="dealer faces",
        )
    for hands in played.hands.values():
        hand = hands[0]
        if hand.natural:
            hand.done = True


def _deal_out_of_order(
    state: TableState, played: Round, fact: CardDealt, card: Card | None
) -> bool:
    """Report the slip and find the place again; whether the card belongs to a hand at all."""
    seat = fact.seat
    rest = played.plan[played.plan_at :]
    expected = f"the card was for {_who(rest[0])}" if rest else "no further card was due"
    if seat in played.skipped:
        played.skipped.remove(seat)
        _backfill(state, played, seat)
        return True
    state.note(
        Kind.DEAL_ORDER,
        f"Dealt out of order: {_named(card)} to {_who(seat)}; {expected}",
        _deal_rule(played),
        seat=seat,
        subject=f"{played.plan_at}>{seat}",
    )
    if seat in rest:
        found = rest.index(seat)
        played.skipped.extend(rest[:found])
        played.plan_at += found + 1
        return True
    return seat == DEALER or seat in played.hands


def _backfill(state: TableState, played: Round, seat: int) -> None:
    """A spot that was passed over gets its card after all: only a supervisor may decide that."""
    if Irregularity.CARD_SKIPPED not in played.ruled:
        state.note(
            Kind.IRREGULARITY_UNRULED,
            f"Skipped card given to {_who(seat)} without a ruling",
            "convention: an irregularity is ruled by a supervisor before play goes on",
            seat=seat,
            subject=f"skipped {seat}",
        )


def _give_dealer(state: TableState, played: Round, fact: CardDealt, card: Card | None) -> None:
    place = fact.place
    if place == Place.HAND:
        _place_dealer_card(played, card, face_up=fact.face_up)
        return
    if place != Place.DISCARD:
        played.table_places.setdefault(place, card)
        if fact.face_up:
            played.exposed.add(place)
    rules = played.rules
    if rules is None or rules.filing.dealing is not Dealing.MATCH_MADNESS:
        return
    if fact.face_up and state.once("dealer face up"):
        state.note(
            Kind.DEAL_ORDER,
            f"Dealer's card on {wager_name(place)} dealt face up",
            cite(rules, "deal_order"),
            subject="dealer face up",
        )
    dealt = played.plan[: played.plan_at].count(DEALER)
    single = rules.spec.decks == 1
    order = (
        (Place.MATCH_ME, Place.MATCH_ME_2, Place.DISCARD)
        if single
        else (Place.MATCH_ME_2, Place.MATCH_ME)
    )
    if 1 <= dealt <= len(order) and place != order[dealt - 1]:
        state.note(
            Kind.DEAL_ORDER,
            f"Dealer's card {dealt} put on {wager_name(place)}, not on "
            f"{wager_name(order[dealt - 1])}",
            cite(rules, "single.dealer_cards" if single else "multi.dealer_cards"),
            detail="the spot where it lies counts",
            subject=f"dealer {dealt}",
        )


def _place_dealer_card(played: Round, card: Card | None, *, face_up: bool) -> None:
    dealer = played.dealer
    if len(dealer.cards) >= HAND_CARDS_MAX:
        return
    dealer.add(card)
    at = len(dealer.cards) - 1
    if face_up and played.up < 0:
        played.up = at
        played.original_up = card
    elif played.hole < 0:
        played.hole = at
        played.hole_shown = face_up


def _player_draws(state: TableState, played: Round, fact: CardDealt, card: Card | None) -> None:
    seat, number = fact.seat, fact.hand
    hand = played.hand(seat, number)
    if hand is None:
        state.note(
            Kind.NO_SUCH_HAND,
            f"{_named(card).capitalize()} dealt to seat {seat} hand {number}, which is not in play",
            _deal_rule(played),
            seat=seat,
            hand=number,
            per_event=True,
        )
        return
    if hand.due:
        hand.due -= 1
    elif seat in played.skipped:
        played.skipped.remove(seat)
        _backfill(state, played, seat)
        hand.add(card)
        played.firsts[seat].append(card)
        return
    else:
        state.note(
            Kind.CARD_UNASKED,
            f"{_named(card).capitalize()} dealt to seat {seat} hand {number} with no card due",
            _deal_rule(played),
            seat=seat,
            hand=number,
            per_event=True,
        )
        if hand.done:
            return
    if len(hand.cards) >= HAND_CARDS_MAX:
        return
    hand.add(card)
    firsts = played.firsts[seat]
    if len(hand.cards) <= 2 and len(firsts) < 2 and not hand.from_split:
        firsts.append(card)
    finish_hand(played, hand)


def finish_hand(played: Round, hand: Hand) -> None:
    """A hand is done at 21 or more, after the card of a double, and on aces split once."""
    if hand.due:
        return
    if hand.hard >= 21 or hand.total == 21 or hand.doubled:
        hand.done = True
    elif hand.split_aces and len(hand.cards) >= 2:
        rules = played.rules
        if rules is not None:
            house = rules.spec.house
            can_split_again = (
                house.resplit_aces
                and len(hand.cards) == 2
                and hand.is_pair(by_value=False)
                and len(played.hands[hand.seat]) < house.hands_max
            )
            if not house.hit_split_aces and not can_split_again:
                hand.done = True


def _dealer_draws(state: TableState, played: Round, fact: CardDealt, card: Card | None) -> None:
    dealer = played.dealer
    rules = played.rules
    if fact.place != Place.HAND or played.hole < 0:
        if fact.place == Place.HAND and played.up >= 0:
            if DEALER in played.skipped:
                played.skipped.remove(DEALER)
            _place_dealer_card(played, card, face_up=fact.face_up)
        else:
            state.note(
                Kind.CARD_UNASKED,
                f"{_named(card).capitalize()} dealt to the dealer out of turn",
                _deal_rule(played),
                per_event=True,
            )
        return
    played.phase = PLAYING
    if not played.hole_shown and state.once("drew before hole"):
        state.note(
            Kind.DEAL_ORDER,
            "Dealer drew before showing the hole card",
            cite(rules, "hole_card") if rules else "",
            subject="drew before hole",
        )
    if (
        rules is not None
        and dealer.known
        and not dealer_must_draw(dealer, hits_soft_17=rules.spec.house.dealer_hits_soft_17)
    ):
        soft = "soft " if dealer.soft else ""
        state.note(
            Kind.DEALER_DREW,
            f"Dealer drew {_named(card)} on {soft}{dealer.total} and had to stand",
            f"{cite(rules, 'dealer_play')}; house rule on 17",
            detail="the card does not count unless a supervisor rules that it does",
            subject=len(dealer.cards) + len(played.surplus),
        )
        if len(dealer.cards) + len(played.surplus) < HAND_CARDS_MAX:
            played.surplus = (*played.surplus, card)
        return
    if len(dealer.cards) < HAND_CARDS_MAX:
        dealer.add(card)


def _deal_rule(played: Round) -> str:
    return cite(played.rules, "deal_order") if played.rules is not None else "order of the deal"


def _who(seat: int) -> str:
    return "the dealer" if seat == DEALER else f"seat {seat}"


def _named(card: Card | None) -> str:
    return card.sign if card is not None else "an unread card"
