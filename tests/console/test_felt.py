"""The felt of a full table is legible: seats do not overlap."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from blackjack.cards.card import cards
from blackjack.outcomes import HandCards
from blackjack.play.felt import Felt, FeltWager
from console.web.display.felt import CARD_WIDTH, HEIGHT, WIDTH, DrawnSeat, FeltLayout, draw
from console.web.display.felt_labels import Label

TITLES = {"double_action": "Double Action", "match_madness": "Match Madness"}


def full_table(seats: int, *, dealt: str = "TS 6H 4C KD", hands: int = 1) -> tuple[DrawnSeat, ...]:
    """Every seat has every bet; one is paid, another lost."""
    held = tuple(
        HandCards(seat, hand, tuple(cards(dealt)), surrendered=hands == 1)
        for seat in range(1, seats + 1)
        for hand in range(1, hands + 1)
    )
    wagers = tuple(
        FeltWager(seat, hand, wager, 10_000, paid_cents=paid, collected_cents=taken)
        for seat in range(1, seats + 1)
        for hand, wager, paid, taken in (
            *((hand, "main", 10_000, 0) for hand in range(1, hands + 1)),
            (1, "double_action", 2_500, 0),
            (1, "match_madness", 0, 10_000),
            (1, "insurance", 0, 5_000),
        )
    )
    return draw(Felt((), held, wagers), FeltLayout(TITLES, seats), {}).seats


def labels(seat: DrawnSeat) -> list[Label]:
    of_hands = [label for hand in seat.hands for label in hand.labels]
    return of_hands + [label for spot in seat.spots for label in spot.labels]


def overlap(one: Label, other: Label) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2
        and abs(one.y - other.y) < (one.height + other.height) / 2
    )


@pytest.mark.parametrize("seats", [7, 8, 9])
@pytest.mark.parametrize("hands", [1, 2])
def test_no_labels_of_a_full_table_overlap(seats: int, hands: int) -> None:
    placed = [
        (seat.number, label) for seat in full_table(seats, dealt="8S 8H", hands=hands)
        for label in labels(seat)
    ]  # fmt: skip
    overlapping = [
        (one, other) for one, other in combinations(placed, 2) if overlap(one[1], other[1])
    ]
    assert overlapping == []


@pytest.mark.parametrize("seats", [7, 8, 9])
def test_cards_leave_room_for_the_neighbors(seats: int) -> None:
    spans = [
        (seat.hands[0].cards[0].x, seat.hands[0].cards[-1].x + CARD_WIDTH)
        for seat in full_table(seats, dealt="2S 2H 3C 3D 4S")
    ]
    for right, left in pairwise(spans):
        assert left[1] < right[0]


@pytest.mark.parametrize("seats", [7, 8, 9])
def test_all_labels_are_inside_the_table(seats: int) -> None:
    for seat in full_table(seats):
        assert seat.name_y < HEIGHT - 40
        for label in labels(seat):
            assert label.x - label.width / 2 > 30
            assert label.x + label.width / 2 < WIDTH - 30


def test_a_title_is_wrapped_to_the_fewest_lines() -> None:
    spots = [spot.title for spot in full_table(7)[0].spots]
    assert spots == [(), ("Double", "Action"), ("Match", "Madness"), ("Insurance",)]
