"""Every fact has a sentence, in the words of the table."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blackjack.cards.card import card
from blackjack.facts import (
    Action,
    BetsClosed,
    CardDealt,
    CardExposed,
    Fact,
    HoleCardRevealed,
    InsuranceTaken,
    Irregularity,
    IrregularityRuled,
    Place,
    PlayerActed,
    Ruling,
    SettlementCorrected,
    UpcardReplaced,
    WagerPaid,
    WagerPlaced,
)
from round_archive.domain.fact_text import describe, place_of
from tests.strategies import facts

FACTS: tuple[type[Fact], ...] = get_args(Fact)


@pytest.mark.parametrize("kind", FACTS, ids=lambda kind: kind.__name__)
def test_every_fact_has_a_sentence(kind: type[Fact]) -> None:
    @settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
    @given(facts(kind))
    def has_sentence(fact: Fact) -> None:
        text = describe(fact)
        assert text.strip()
        assert type(fact).__name__ not in text
        assert not text.startswith("<")
        seat, hand = place_of(fact)
        assert seat == getattr(fact, "seat", 0)
        assert seat or not hand

    has_sentence()


@given(st.sampled_from(FACTS).flatmap(facts), st.sampled_from(FACTS).flatmap(facts))
@settings(suppress_health_check=list(HealthCheck))
def test_facts_of_different_kinds_have_different_sentences(one: Fact, other: Fact) -> None:
    if type(one) is not type(other) and one != other:
        assert describe(one) != describe(other)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (PlayerActed(3, Action.DOUBLE, cents=2500), "seat 3 doubles for $25.00"),
        (PlayerActed(3, Action.STAND, hand=2), "seat 3 hand 2 stands"),
        (HoleCardRevealed(card("9H")), "the dealer shows the hole card: 9♥"),
        (WagerPaid(2, "main", 6000), "the dealer pays seat 2 $60.00 on the main bet"),
        (
            WagerPaid(2, "main", 6000, tip=True),
            "the dealer pays seat 2 $60.00 on the main bet for the dealer",
        ),
        (BetsClosed(), "the dealer closes the bets"),
        (WagerPlaced(1, "match_me", 500, "P-7"), "seat 1 bets $5.00 on Match Me (P-7)"),
        (CardDealt(0, card("TS"), face_up=False), "T♠ to the dealer, face down"),
        (CardDealt(4, None), "an unread card to seat 4"),
        (
            CardDealt(0, card("AC"), place=Place.MATCH_ME, face_up=False),
            "A♣ goes to the spot Match Me, face down",
        ),
        (
            CardExposed(0, card("AC"), 1, place=Place.MATCH_ME),
            "the dealer turns the card on Match Me: A♣",
        ),
        (UpcardReplaced(card("4D")), "the dealer replaces the up card with 4♦"),
        (InsuranceTaken(5, 1250), "seat 5 takes insurance for $12.50"),
        (InsuranceTaken(5, even_money=True), "seat 5 takes even money"),
        (
            IrregularityRuled(Irregularity.CARD_SKIPPED, Ruling.PLAY_ON, "S-1", note="agreed"),
            "supervisor S-1 rules on the table, card skipped: play on: agreed",
        ),
        (
            SettlementCorrected("R-9", 2, "main", -500, "paid twice", "S-1"),
            "supervisor S-1 takes back $5.00 from seat 2 on the main bet of round R-9: paid twice",
        ),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_a_fact_has_the_sentence_of_people_at_the_table(fact: Fact, words: str) -> None:
    assert describe(fact, {"match_me": "Match Me"}) == words
