"""Codecs are derived where struct and message fit, and refused where they do not."""

from __future__ import annotations

import pytest
from msgspec import Struct

from blackjack.cards.card import card
from blackjack.facts import CardDealt, PlayerActed
from blackjack.money import Odds
from casino.table.v1 import cards_pb2, facts_round_pb2, rules_pb2
from wire.codec import derive
from wire.errors import Unwritable


class TipTaken(Struct):
    """Has one field less than `PatronSeated`, and one of another name."""

    seat: int
    cents: int


class CardsRemoved(Struct):
    """Has the fields of the message, but not their types."""

    seat: int
    hand: complex


def test_a_struct_whose_fields_differ_from_those_of_the_message_is_refused() -> None:
    with pytest.raises(TypeError, match=r"TipTaken and .*InsuranceTaken differ in even_money"):
        derive(TipTaken, facts_round_pb2.InsuranceTaken)
    with pytest.raises(TypeError, match=r"differ in blackjack, cents, seat"):
        derive(TipTaken, facts_round_pb2.DealerPeeked)


def test_a_field_of_a_type_that_no_message_has_is_refused() -> None:
    with pytest.raises(TypeError, match=r"CardsRemoved.hand: .*complex"):
        derive(CardsRemoved, facts_round_pb2.CardsRemoved)


def test_a_default_is_left_out_of_the_message() -> None:
    codec = derive(CardDealt, facts_round_pb2.CardDealt)
    message = facts_round_pb2.CardDealt(seat=2, card=cards_pb2.CARD_ACE_OF_CLUBS)
    assert codec.write(CardDealt(2, card("AC"))) == message
    assert codec.read(message) == CardDealt(2, card("AC"))


def test_a_codec_of_the_same_struct_is_generated_once() -> None:
    first = derive(PlayerActed, facts_round_pb2.PlayerActed)
    assert derive(PlayerActed, facts_round_pb2.PlayerActed).read is first.read


def test_odds_are_not_written_without_a_stake() -> None:
    codec = derive(Odds, rules_pb2.Odds)
    assert codec.read(rules_pb2.Odds(win=3)) == Odds(3, 1)
    with pytest.raises(Unwritable, match="odds of 3 to 0 mean nothing"):
        codec.write(Odds(3, 0))
