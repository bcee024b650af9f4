"""Unmarked findings made while a card lies face down would be made with any other card."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack.cards.card import ACE, DECK, TEN, Card
from blackjack.facts import (
    DEALER,
    CardDealt,
    CardExposed,
    DealerPeeked,
    Event,
    HoleCardRevealed,
    Place,
    RoundClosed,
    RoundOpened,
    RoundVoided,
)
from blackjack.findings import Finding, Kind
from blackjack.hand_history import parse
from blackjack.outcomes import Step
from blackjack.play.table import Table, advance, fold
from tests.table_simulator.days import a_day, events_of

OPEN = (HoleCardRevealed, CardExposed, RoundClosed, RoundVoided, RoundOpened)
"""Facts that show the card, or end the time in which it matters."""


def is_hidden(event: Event) -> bool:
    fact = event.fact
    return (
        isinstance(fact, CardDealt)
        and fact.seat == DEALER
        and not fact.face_up
        and fact.place == Place.HAND
        and fact.card is not None
    )


def card_of(event: Event) -> Card:
    fact = event.fact
    assert isinstance(fact, CardDealt)
    assert fact.card is not None
    return fact.card


def with_card(event: Event, card: Card) -> Event:
    return msgspec.structs.replace(event, fact=msgspec.structs.replace(event.fact, card=card))


def class_of(card: Card) -> int:
    """What a peek under an ace or a ten can reveal: an ace, a ten, or neither."""
    return 1 if card.rank == ACE else 2 if card.points == TEN else 0


def unmarked(step: Step) -> list[Finding]:
    return sorted(
        (finding for finding in step.findings if not finding.tells_hole_card),
        key=lambda each: each.id,
    )


def hidden_stretches(events: list[Event]) -> Iterator[tuple[int, int, int]]:
    """Where a hole card is dealt, where the dealer looks at it, and where it is shown."""
    for at, event in enumerate(events):
        if is_hidden(event):
            end = peek = at + 1
            while end < len(events) and not isinstance(events[end].fact, OPEN):
                end += 1
            while peek < end and not isinstance(events[peek].fact, DealerPeeked):
                peek += 1
            yield at, peek, end


EVERY_FAULT = events_of(a_day(0, every=1, patterns=1).frames)


@pytest.mark.proof
@settings(deadline=None)
@given(name=st.sampled_from(sorted(EVERY_FAULT)), other=st.sampled_from(DECK))
def test_no_unmarked_finding_depends_on_a_card_face_down(name: str, other: Card) -> None:
    events = EVERY_FAULT[name]
    table = Table.new(name)
    done = 0
    for at, peek, end in hidden_stretches(events):
        table, _ = fold(table, events[done:at])
        done = at
        until = end if class_of(other) == class_of(card_of(events[at])) else peek
        here, there = table, table
        for event in events[at:until]:
            here, step = advance(here, event)
            changed = with_card(event, other) if event is events[at] else event
            there, other_step = advance(there, changed)
            assert unmarked(step) == unmarked(other_step)


DEALT = """
table BJ-01
rules double_action_iii decks 6 double_action 1 match_madness 1
shoe SH-1 decks 6
round R-1 at 2026-03-01T20:00:00Z
bet 1 main 10, 2 main 10
no more bets
deal 1 TC, 2 TD, dealer {up}, 1 9D, 2 6D, dealer down {hole}
"""


def found(moves: str, *, up: str = "9C", hole: str = "KD") -> dict[Kind, Finding]:
    history = parse(DEALT.format(up=up, hole=hole) + moves)
    _, steps = fold(Table.new("BJ-01"), history.events)
    return {finding.kind: finding for step in steps for finding in step.findings}


def test_paying_a_hand_that_only_the_shoe_knows_to_be_beaten_is_marked() -> None:
    finding = found("1 stands\n2 stands\npay 2 main 10")[Kind.PAID_LOSER]
    assert finding.tells_hole_card


def test_paying_a_hand_that_busted_is_not_marked() -> None:
    finding = found("1 stands\n2 hits KH\npay 2 main 10")[Kind.PAID_LOSER]
    assert not finding.tells_hole_card


def test_paying_a_beaten_hand_once_the_hole_card_is_shown_is_not_marked() -> None:
    finding = found("1 stands\n2 stands\ndealer shows KD\npay 2 main 10")[Kind.PAID_LOSER]
    assert not finding.tells_hole_card


def test_a_peek_that_contradicts_the_cards_is_marked() -> None:
    assert found("dealer peeks no blackjack", up="AC")[Kind.PEEK_WRONG].tells_hole_card


def test_chips_that_are_taken_off_a_hand_before_the_hole_card_is_shown_are_a_pinch() -> None:
    """The shoe knows that seat 2 is beaten; the table does not: no collection yet."""
    assert Kind.PINCH in found("1 stands\n2 stands\nchange 2 main to 5")


@pytest.mark.parametrize("moves", ["2 hits KH", "2 stands\ndealer shows KD"])
def test_chips_of_a_hand_that_has_lost_are_a_pinch_until_they_are_collected(moves: str) -> None:
    assert Kind.PINCH in found(f"1 stands\n{moves}\nchange 2 main to 0")
    assert Kind.PINCH not in found(f"1 stands\n{moves}\ncollect 2 main 10\nchange 2 main to 0")


def test_drawing_to_a_total_that_only_the_shoe_knows_is_marked() -> None:
    assert found("1 stands\n2 stands\ndealer draws 2C")[Kind.DEALER_DREW].tells_hole_card
