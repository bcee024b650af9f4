"""Facts of a round, from the wire and back. This is the path of nearly every event.

Readers read each field once and build the fact by position: attribute reads are what
decoding costs.
"""

from __future__ import annotations

from sys import intern
from typing import Final

from blackjack.facts import (
    Action,
    BetsClosed,
    CardDealt,
    CardExposed,
    CardsRemoved,
    DealerPeeked,
    HalfBackReturned,
    HoleCardRevealed,
    InsuranceTaken,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    UpcardReplaced,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from casino.table.v1 import facts_round_pb2 as pb
from wire.codec import Codec
from wire.errors import Unreadable, Unwritable
from wire.vocabulary import (
    CARD_NUMBERS,
    CARDS,
    PLACE_NUMBERS,
    PLACES,
    enumeration,
    write_hand,
)

ACTIONS, ACTION_NUMBERS = enumeration("action", Action, pb.Action)
_BETS_CLOSED: Final = BetsClosed()
_ROUND_CLOSED: Final = RoundClosed()


def read_card_dealt(message: pb.CardDealt) -> CardDealt:
    return CardDealt(
        message.seat,
        CARDS[message.card],
        message.hand or 1,
        not message.face_down,
        PLACES[message.place],
        message.shoe_index,
    )


def write_card_dealt(fact: CardDealt) -> pb.CardDealt:
    return pb.CardDealt(
        seat=fact.seat,
        card=CARD_NUMBERS[fact.card],
        hand=write_hand(fact.hand),
        face_down=not fact.face_up,
        place=PLACE_NUMBERS[fact.place],
        shoe_index=fact.shoe_index,
    )


def read_wager_placed(message: pb.WagerPlaced) -> WagerPlaced:
    return WagerPlaced(
        message.seat,
        intern(message.wager),
        message.cents,
        message.patron,
        message.coupon,
        message.tip,
    )


def write_wager_placed(fact: WagerPlaced) -> pb.WagerPlaced:
    return pb.WagerPlaced(
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        patron=fact.patron,
        coupon=fact.coupon,
        tip=fact.tip,
    )


def read_wager_paid(message: pb.WagerPaid) -> WagerPaid:
    return WagerPaid(
        message.seat, intern(message.wager), message.cents, message.hand or 1, message.tip
    )


def write_wager_paid(fact: WagerPaid) -> pb.WagerPaid:
    return pb.WagerPaid(
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        hand=write_hand(fact.hand),
        tip=fact.tip,
    )


def read_wager_collected(message: pb.WagerCollected) -> WagerCollected:
    return WagerCollected(
        message.seat, intern(message.wager), message.cents, message.hand or 1, message.tip
    )


def write_wager_collected(fact: WagerCollected) -> pb.WagerCollected:
    return pb.WagerCollected(
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        hand=write_hand(fact.hand),
        tip=fact.tip,
    )


def read_wager_returned(message: pb.WagerReturned) -> WagerReturned:
    return WagerReturned(
        message.seat, intern(message.wager), message.cents, message.hand or 1, message.tip
    )


def write_wager_returned(fact: WagerReturned) -> pb.WagerReturned:
    return pb.WagerReturned(
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        hand=write_hand(fact.hand),
        tip=fact.tip,
    )


def read_wager_changed(message: pb.WagerChanged) -> WagerChanged:
    return WagerChanged(
        message.seat, intern(message.wager), message.cents, message.hand or 1, message.tip
    )


def write_wager_changed(fact: WagerChanged) -> pb.WagerChanged:
    return pb.WagerChanged(
        seat=fact.seat,
        wager=fact.wager,
        cents=fact.cents,
        hand=write_hand(fact.hand),
        tip=fact.tip,
    )


def read_player_acted(message: pb.PlayerActed) -> PlayerActed:
    return PlayerActed(message.seat, ACTIONS[message.action], message.hand or 1, message.cents)


def write_player_acted(fact: PlayerActed) -> pb.PlayerActed:
    return pb.PlayerActed(
        seat=fact.seat,
        action=ACTION_NUMBERS[fact.action],
        hand=write_hand(fact.hand),
        cents=fact.cents,
    )


def read_round_opened(message: pb.RoundOpened) -> RoundOpened:
    name = message.round
    if not name:
        raise Unreadable("round is not stated")
    return RoundOpened(name)


def write_round_opened(fact: RoundOpened) -> pb.RoundOpened:
    if not fact.round:
        raise Unwritable("a round that opens has a name")
    return pb.RoundOpened(round=fact.round)


def read_bets_closed(_: pb.BetsClosed) -> BetsClosed:
    return _BETS_CLOSED


def write_bets_closed(_: BetsClosed) -> pb.BetsClosed:
    return pb.BetsClosed()


def read_round_closed(_: pb.RoundClosed) -> RoundClosed:
    return _ROUND_CLOSED


def write_round_closed(_: RoundClosed) -> pb.RoundClosed:
    return pb.RoundClosed()


def read_hole_card_revealed(message: pb.HoleCardRevealed) -> HoleCardRevealed:
    return HoleCardRevealed(CARDS[message.card])


def write_hole_card_revealed(fact: HoleCardRevealed) -> pb.HoleCardRevealed:
    return pb.HoleCardRevealed(card=CARD_NUMBERS[fact.card])


def read_card_exposed(message: pb.CardExposed) -> CardExposed:
    return CardExposed(
        message.seat,
        CARDS[message.card],
        message.position,
        message.hand or 1,
        PLACES[message.place],
    )


def write_card_exposed(fact: CardExposed) -> pb.CardExposed:
    return pb.CardExposed(
        seat=fact.seat,
        card=CARD_NUMBERS[fact.card],
        position=fact.position,
        hand=write_hand(fact.hand),
        place=PLACE_NUMBERS[fact.place],
    )


def read_upcard_replaced(message: pb.UpcardReplaced) -> UpcardReplaced:
    return UpcardReplaced(CARDS[message.card], message.shoe_index)


def write_upcard_replaced(fact: UpcardReplaced) -> pb.UpcardReplaced:
    return pb.UpcardReplaced(card=CARD_NUMBERS[fact.card], shoe_index=fact.shoe_index)


def read_dealer_peeked(message: pb.DealerPeeked) -> DealerPeeked:
    return DealerPeeked(message.blackjack)


def write_dealer_peeked(fact: DealerPeeked) -> pb.DealerPeeked:
    return pb.DealerPeeked(blackjack=fact.blackjack)


def read_insurance_taken(message: pb.InsuranceTaken) -> InsuranceTaken:
    return InsuranceTaken(message.seat, message.cents, message.even_money)


def write_insurance_taken(fact: InsuranceTaken) -> pb.InsuranceTaken:
    return pb.InsuranceTaken(seat=fact.seat, cents=fact.cents, even_money=fact.even_money)


def read_half_back_returned(message: pb.HalfBackReturned) -> HalfBackReturned:
    return HalfBackReturned(message.seat, message.cents)


def write_half_back_returned(fact: HalfBackReturned) -> pb.HalfBackReturned:
    return pb.HalfBackReturned(seat=fact.seat, cents=fact.cents)


def read_cards_removed(message: pb.CardsRemoved) -> CardsRemoved:
    return CardsRemoved(message.seat, message.hand or 1)


def write_cards_removed(fact: CardsRemoved) -> pb.CardsRemoved:
    return pb.CardsRemoved(seat=fact.seat, hand=write_hand(fact.hand))


CODECS: Final = (
    Codec(CardDealt, read_card_dealt, write_card_dealt),
    Codec(WagerPlaced, read_wager_placed, write_wager_placed),
    Codec(WagerPaid, read_wager_paid, write_wager_paid),
    Codec(WagerCollected, read_wager_collected, write_wager_collected),
    Codec(WagerReturned, read_wager_returned, write_wager_returned),
    Codec(WagerChanged, read_wager_changed, write_wager_changed),
    Codec(PlayerActed, read_player_acted, write_player_acted),
    Codec(RoundOpened, read_round_opened, write_round_opened),
    Codec(BetsClosed, read_bets_closed, write_bets_closed),
    Codec(RoundClosed, read_round_closed, write_round_closed),
    Codec(HoleCardRevealed, read_hole_card_revealed, write_hole_card_revealed),
    Codec(CardExposed, read_card_exposed, write_card_exposed),
    Codec(UpcardReplaced, read_upcard_replaced, write_upcard_replaced),
    Codec(DealerPeeked, read_dealer_peeked, write_dealer_peeked),
    Codec(InsuranceTaken, read_insurance_taken, write_insurance_taken),
    Codec(HalfBackReturned, read_half_back_returned, write_half_back_returned),
    Codec(CardsRemoved, read_cards_removed, write_cards_removed),
)
