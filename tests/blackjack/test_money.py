"""Cents, odds and rounding."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.money import (
    EVEN_MONEY,
    PUSH,
    THREE_TO_TWO,
    Odds,
    Rounding,
    format_cents,
    format_result,
    round_to_chip,
    winnings,
)

CENTS = st.integers(0, 10**9)
CHIPS = st.sampled_from([1, 5, 25, 50, 100, 250, 500])


class TestOdds:
    @pytest.mark.parametrize(
        ("odds", "text"), [(Odds(50), "50 to 1"), (THREE_TO_TWO, "3 to 2"), (PUSH, "push")]
    )
    def test_odds_read_as_a_filing_prints_them(self, odds: Odds, text: str) -> None:
        assert str(odds) == text

    def test_only_zero_is_a_push(self) -> None:
        assert PUSH.is_push
        assert not EVEN_MONEY.is_push


class TestWinnings:
    @pytest.mark.parametrize(
        ("stake", "odds", "won"),
        [
            (1_000, EVEN_MONEY, 1_000),
            (1_000, Odds(200), 200_000),
            (1_000, PUSH, 0),
            (1_000, THREE_TO_TWO, 1_500),
            (500, THREE_TO_TWO, 750),
            (500, Odds(6, 5), 600),
        ],
    )
    def test_what_the_chips_can_show_is_paid_exactly(
        self, stake: int, odds: Odds, won: int
    ) -> None:
        for rounding in Rounding:
            assert winnings((stake, odds), chip_cents=50, rounding=rounding) == won

    def test_less_than_a_chip_goes_by_the_named_rule(self) -> None:
        pay = {
            rounding: winnings((500, THREE_TO_TWO), chip_cents=100, rounding=rounding)
            for rounding in Rounding
        }
        assert pay == {Rounding.FAVOUR_PLAYER: 800, Rounding.FAVOUR_HOUSE: 700}

    @given(stake=CENTS, win=st.integers(0, 1_000), chip=CHIPS)
    def test_whole_odds_are_never_rounded(self, stake: int, win: int, chip: int) -> None:
        for rounding in Rounding:
            assert winnings((stake, Odds(win)), chip_cents=chip, rounding=rounding) == stake * win

    @given(stake=CENTS, win=st.integers(1, 20), part=st.integers(2, 10), chip=CHIPS)
    def test_rounding_moves_by_less_than_a_chip_and_in_its_own_direction(
        self, stake: int, win: int, part: int, chip: int
    ) -> None:
        exact = Fraction(stake * win, part)
        up = winnings((stake, Odds(win, part)), chip_cents=chip, rounding=Rounding.FAVOUR_PLAYER)
        down = winnings((stake, Odds(win, part)), chip_cents=chip, rounding=Rounding.FAVOUR_HOUSE)
        assert up % chip == down % chip == 0
        assert 0 <= up - exact < chip
        assert 0 <= exact - down < chip


class TestRoundToChip:
    @given(chips=st.integers(0, 10**6), chip=CHIPS, part=st.integers(1, 9))
    def test_whole_chips_stay_as_they_are(self, chips: int, chip: int, part: int) -> None:
        for rounding in Rounding:
            cents = round_to_chip(chips * chip * part, part, chip_cents=chip, rounding=rounding)
            assert cents == chips * chip


class TestDollars:
    @pytest.mark.parametrize(
        ("cents", "text"),
        [
            (0, "$0.00"),
            (5, "$0.05"),
            (99, "$0.99"),
            (100, "$1.00"),
            (123_456_789, "$1,234,567.89"),
            (-5, "-$0.05"),
            (-125_050, "-$1,250.50"),
        ],
    )
    def test_cents_read_as_dollars(self, cents: int, text: str) -> None:
        assert format_cents(cents) == text

    @pytest.mark.parametrize(
        ("cents", "text", "tone"),
        [(2_500, "+$25.00", "gain"), (-2_500, "-$25.00", "loss"), (0, "$0.00", "")],
    )
    def test_a_loss_of_the_house_is_negative_and_has_the_tone_of_a_loss(
        self, cents: int, text: str, tone: str
    ) -> None:
        assert format_result(cents) == (text, tone)

    @given(cents=st.integers(-(10**12), 10**12))
    def test_no_cent_is_lost_in_print(self, cents: int) -> None:
        assert int(format_cents(cents).replace("$", "").replace(",", "").replace(".", "")) == cents
