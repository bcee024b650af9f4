"""Facts of the shoe and the shuffler, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    CardBurned,
    CutCardReached,
    ShoeCounted,
    ShoeKind,
    ShoeLoaded,
    ShuffleCompleted,
)
from casino.table.v1 import facts_shoe_pb2 as pb
from wire.codec import Codec
from wire.vocabulary import CARD_NUMBERS, CARDS, READ_CARDS, enumeration

SHOE_KINDS, SHOE_KIND_NUMBERS = enumeration(
    "kind of shoe", ShoeKind, pb.ShoeKind, default=ShoeKind.SHOE
)
_CUT_CARD_REACHED: Final = CutCardReached()


def read_shoe_loaded(message: pb.ShoeLoaded) -> ShoeLoaded:
    return ShoeLoaded(message.shoe, message.decks, SHOE_KINDS[message.kind])


def write_shoe_loaded(fact: ShoeLoaded) -> pb.ShoeLoaded:
    return pb.ShoeLoaded(shoe=fact.shoe, decks=fact.decks, kind=SHOE_KIND_NUMBERS[fact.kind])


def read_shuffle_completed(message: pb.ShuffleCompleted) -> ShuffleCompleted:
    return ShuffleCompleted(message.cards, message.fault)


def write_shuffle_completed(fact: ShuffleCompleted) -> pb.ShuffleCompleted:
    return pb.ShuffleCompleted(cards=fact.cards, fault=fact.fault)


def read_card_burned(message: pb.CardBurned) -> CardBurned:
    return CardBurned(CARDS[message.card], message.shoe_index)


def write_card_burned(fact: CardBurned) -> pb.CardBurned:
    return pb.CardBurned(card=CARD_NUMBERS[fact.card], shoe_index=fact.shoe_index)


def read_cut_card_reached(_: pb.CutCardReached) -> CutCardReached:
    return _CUT_CARD_REACHED


def write_cut_card_reached(_: CutCardReached) -> pb.CutCardReached:
    return pb.CutCardReached()


def read_shoe_counted(message: pb.ShoeCounted) -> ShoeCounted:
    return ShoeCounted(message.remaining, tuple(READ_CARDS[each] for each in message.cards))


def write_shoe_counted(fact: ShoeCounted) -> pb.ShoeCounted:
    return pb.ShoeCounted(
        remaining=fact.remaining, cards=[CARD_NUMBERS[each] for each in fact.cards]
    )


CODECS: Final = (
    Codec(ShoeLoaded, read_shoe_loaded, write_shoe_loaded),
    Codec(ShuffleCompleted, read_shuffle_completed, write_shuffle_completed),
    Codec(CardBurned, read_card_burned, write_card_burned),
    Codec(CutCardReached, read_cut_card_reached, write_cut_card_reached),
    Codec(ShoeCounted, read_shoe_counted, write_shoe_counted),
)
