"""The dealer's procedure: up card, hole card, peek, rulings, and cards taken away."""

from __future__ import annotations

from blackjack.cards.card import Card
from blackjack.cards.hand import Hand
from blackjack.display_names import wager_name
from blackjack.facts import (
    DEALER,
    CardExposed,
    CardsRemoved,
    DealerPeeked,
    Event,
    HoleCardRevealed,
    Observation,
    Place,
    UpcardReplaced,
)
from blackjack.findings import Kind
from blackjack.play.deal import draw
from blackjack.play.round import DEALT, PLAYING, Round
from blackjack.play.state import TableState
from blackjack.rulebook.citations import cite
from blackjack.rulebook.filings import Dealing
from blackjack.rulebook.house_rules import HALF_BACK, Peek
from blackjack.rulebook.state_rules import SPOTS_MAX
from blackjack.settlement.main_wagers import dealer_must_draw
from blackjack.settlement.side_bets.upcard_bonus import is_replaced


def begin_play(state: TableState, played: Round) -> None:
    """The blackjack game begins: a Half Back up card must have been replaced by now."""
    if played.phase != DEALT:
        return
    played.phase = PLAYING
    check_replacement(state, played)


def check_peek(state: TableState, played: Round, seat: int) -> None:
    """Report, once, that play goes on under an ace or a ten and the dealer has not peeked."""
    rules = played.rules
    if (
        rules is None
        or rules.filing.dealing is not Dealing.STANDARD
        or rules.spec.house.peek is Peek.NONE
        or not played.peek_due
        or played.peeked is not None
        or played.hole_shown
        or not state.sees(Observation.DECISIONS)
        or not state.once("peek")
    ):
        return
    up = played.up_card
    shown = up.sign if up is not None else "an unread card"
    state.note(
        Kind.PEEK_MISSING,
        f"Dealer did not check for blackjack under {shown} before play went on",
        cite(rules, "peek"),
        seat=seat,
    )


def check_peek_came(state: TableState, played: Round) -> None:
    """Report that the dealer goes on with live hands and has never peeked."""
    if played.dealer_blackjack is False and any_live(played):
        check_peek(state, played, 0)


def replaces_upcard(played: Round) -> bool:
    return played.rules is not None and HALF_BACK in played.rules.filing.base_wagers


def check_replacement(state: TableState, played: Round) -> None:
    """Report, once, that a three to a six was left as the dealer's up card."""
    up = played.original_up
    if (
        replaces_upcard(played)
        and up is not None
        and is_replaced(up)
        and not played.replacement
        and played.rules is not None
        and state.once("upcard not replaced")
    ):
        state.note(
            Kind.UPCARD_NOT_REPLACED,
            f"Dealer's up card {up.sign} not replaced before play",
            cite(played.rules, "upcard.replace"),
        )


def replace_upcard(state: TableState, played: Round, event: Event, fact: UpcardReplaced) -> None:
    """Half Back: a three to a six leaves the dealer's hand, once and at once."""
    card = state.read(fact.card, event)
    draw(state, card)
    played.revision += 1
    up = played.original_up
    rules = played.rules
    if rules is None:
        # Without the rules, whether it may be replaced is unknown: the cards lie as dealt.
        if played.up >= 0 and not played.replacement:
            _lay_replacement(played, card)
        return
    if not replaces_upcard(played) or played.up < 0:
        state.note(
            Kind.UPCARD_REPLACED_WRONGLY,
            "Dealer's up card replaced in a game without replacement",
            cite(rules, "game"),
            per_event=True,
        )
        return
    if played.replacement:
        state.note(
            Kind.UPCARD_REPLACED_TWICE,
            "Dealer's up card replaced twice",
            cite(rules, "upcard.once"),
            detail="the first replacement counts",
        )
        return
    if (up is not None and not is_replaced(up)) or played.phase == PLAYING:
        if up is not None and not is_replaced(up):
            why, clause = f"{up.sign} is not replaced", "upcard.keep"
        else:
            why, clause = "play had begun", "upcard.replace"
        state.note(
            Kind.UPCARD_REPLACED_WRONGLY,
            f"Dealer's up card replaced wrongly: {why}",
            cite(rules, clause),
        )
    _lay_replacement(played, card)


def _lay_replacement(played: Round, card: Card | None) -> None:
    played.replacement = (card,)
    played.dealer.cards[played.up] = card
    played.dealer.recount()


def peek(state: TableState, played: Round, fact: DealerPeeked) -> None:
    """The dealer looks at the hole card under an ace or a ten-value card."""
    if played.phase < DEALT or played.up < 0:
        _out_of_place(state, "Peek before the cards were dealt")
        return
    begin_play(state, played)
    known = played.dealer_blackjack
    if known is not None and known != fact.blackjack:
        announced, shown = ("a", "none") if fact.blackjack else ("no", "one")
        state.note(
            Kind.PEEK_WRONG,
            f"Dealer announced {announced} blackjack; the cards show {shown}",
            cite(played.rules, "peek") if played.rules else "order of play",
        )
    played.peeked = fact.blackjack
    played.revision += 1


def reveal(state: TableState, played: Round, event: Event, fact: HoleCardRevealed) -> None:
    """The hole card is turned over."""
    if played.phase < DEALT or played.up < 0:
        _out_of_place(state, "Hole card shown before the cards were dealt")
        return
    begin_play(state, played)
    played.turn_card(learned=played.hole < 0)
    end_turns(played)
    card = state.read(fact.card, event)
    if played.hole < 0:
        played.dealer.cards.insert(1, card)
        played.hole = 1
        played.up = 0
        played.dealer.recount()
    else:
        _compare_shown(state, played.dealer, played.hole, card, "the hole card")
    check_peek_came(state, played)
    played.hole_shown = True


def end_turns(played: Round) -> None:
    """The dealer's turn: hands without a further decision stand."""
    played.turn = SPOTS_MAX + 1
    for hands in played.hands.values():
        for hand in hands:
            if not hand.due:
                hand.done = True


def expose(state: TableState, played: Round, event: Event, fact: CardExposed) -> None:
    """A dealt card is shown: it must be the one that was dealt there."""
    card = state.read(fact.card, event)
    if fact.place != Place.HAND:
        _expose_place(state, played, fact.place, card)
        return
    hand = played.dealer if fact.seat == DEALER else played.hand(fact.seat, fact.hand)
    at = fact.position - 1
    if hand is None or not 0 <= at < len(hand.cards):
        _out_of_place(state, f"Card shown that seat {fact.seat} does not have")
        return
    played.turn_card()
    was_unread = hand.cards[at] is None
    _compare_shown(state, hand, at, card, f"card {fact.position} of seat {fact.seat}")
    if fact.seat == DEALER and at == played.hole:
        check_peek_came(state, played)
        played.hole_shown = True
    firsts = played.firsts.get(fact.seat)
    if was_unread and firsts is not None and not hand.from_split and at < len(firsts):
        firsts[at] = card
    if was_unread and fact.seat == DEALER and at == played.up and not played.replacement:
        played.original_up = card


def _expose_place(state: TableState, played: Round, place: Place, card: Card | None) -> None:
    if place not in played.table_places:
        if played.rules is not None:  # Otherwise the places of the game are unknown.
            _out_of_place(state, f"Card shown on {wager_name(place)}, where none lies")
        return
    played.turn_card()
    dealt = played.table_places[place]
    played.exposed.add(place)
    if dealt is None:
        played.table_places[place] = card
    elif card is not None and card is not dealt:
        _note_switched(state, DEALER, 0, f"the card on {wager_name(place)}", dealt, card)


def _compare_shown(state: TableState, hand: Hand, at: int, card: Card | None, what: str) -> None:
    dealt = hand.cards[at]
    if dealt is None:
        hand.cards[at] = card
        hand.recount()
    elif card is not None and card is not dealt:
        _note_switched(state, hand.seat, hand.number, what, dealt, card)


def _note_switched(
    state: TableState, seat: int, hand: int, what: str, dealt: Card, shown: Card
) -> None:
    state.note(
        Kind.CARD_SWITCHED,
        f"Card switched: {what} dealt as {dealt.sign}, shown as {shown.sign}",
        "card conservation",
        detail="the dealt card counts",
        seat=seat,
        hand=hand,
        subject=f"{dealt}>{shown}",
    )


def remove_cards(state: TableState, played: Round, fact: CardsRemoved) -> None:
    """Cards leave the table; those that a live Match Madness wager looks at may not yet."""
    if fact.seat == DEALER:
        return
    hand = played.hand(fact.seat, fact.hand)
    if hand is None:
        _out_of_place(state, f"Cards removed from seat {fact.seat}, which has none")
        return
    if played.payments_blind:
        return  # Whether the wager was still live was not observed.
    for kind, plan in played.plans.items():
        wager = played.wagers.get((fact.seat, 1, kind, False)) if plan.keeps_cards else None
        if wager is not None and not wager.touched and played.rules is not None:
            state.note(
                Kind.CARDS_REMOVED_EARLY,
                f"Cards of seat {fact.seat} removed while its {plan.filed.title} bet was live",
                cite(played.rules, "cards_stay"),
                seat=fact.seat,
                wager=kind,
                patron=wager.patron,
            )


def check_dealer_stood(state: TableState, played: Round) -> None:
    """Report, once, that the dealer settles live hands on a total that must draw."""
    rules = played.rules
    dealer = played.dealer
    if (
        rules is None
        or played.hole < 0
        or not dealer.known
        or played.dealer_blackjack
        or played.void
        or not dealer_must_draw(dealer, hits_soft_17=rules.spec.house.dealer_hits_soft_17)
        or not any_live(played)
        or not state.once("dealer stood")
    ):
        return
    soft = "soft " if dealer.soft else ""
    state.note(
        Kind.DEALER_STOOD,
        f"Dealer stood on {soft}{dealer.total} and had to draw",
        f"{cite(rules, 'dealer_play')}; house rule on 17",
    )


def any_live(played: Round) -> bool:
    """Whether a hand is certainly still to be compared with the dealer's."""
    return any(_live(played, hand) for hands in played.hands.values() for hand in hands)


def _live(played: Round, hand: Hand) -> bool:
    """Whether the hand is certainly still to be compared with the dealer's."""
    return not (
        hand.busted
        or hand.unread
        or hand.surrendered
        or hand.natural
        or hand.void
        or not hand.cards
        or hand.seat in played.even_money
    )


def _out_of_place(state: TableState, text: str) -> None:
    state.note(
        Kind.OUT_OF_PLACE,
        text,
        "order of play",
        per_event=True,
    )
