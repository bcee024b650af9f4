"""Money is integer cents; what a wager pays is an exact ratio; rounding has a name."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct


class Rounding(StrEnum):
    """What happens to winnings that the smallest chip cannot show."""

    FAVOUR_PLAYER = "favour_player"
    FAVOUR_HOUSE = "favour_house"


class Odds(Struct, frozen=True, order=True):
    """What a winning wager is paid: `win` for every `stake`. Nought to one is a push."""

    win: int
    stake: int = 1

    @property
    def is_push(self) -> bool:
        return self.win == 0

    @property
    def ratio(self) -> Fraction:
        """Winnings for each unit staked."""
        return Fraction(self.win, self.stake)

    def __str__(self) -> str:
        return "push" if self.is_push else f"{self.win} to {self.stake}"


EVEN_MONEY = Odds(1, 1)
THREE_TO_TWO = Odds(3, 2)
TWO_TO_ONE = Odds(2, 1)
PUSH = Odds(0, 1)


def round_to_chip(numerator: int, denominator: int, *, chip_cents: int, rounding: Rounding) -> int:
    """A fraction of a cent or of a chip, brought to whole chips by the named rule.

    >>> round_to_chip(750, 2, chip_cents=50, rounding=Rounding.FAVOUR_PLAYER)
    400
    >>> round_to_chip(750, 2, chip_cents=50, rounding=Rounding.FAVOUR_HOUSE)
    350
    """
    whole, rest = divmod(numerator, denominator * chip_cents)
    if rest and rounding is Rounding.FAVOUR_PLAYER:
        whole += 1
    return whole * chip_cents


def winnings(*parts: tuple[int, Odds], chip_cents: int, rounding: Rounding) -> int:
    """What one wager wins, the stake itself not counted: each part of it at its own odds.

    The parts, chips and a coupon, are rounded together and once. Whole odds pay in the stake's
    own chips and are never rounded.

    >>> half_dollar = {"chip_cents": 50, "rounding": Rounding.FAVOUR_PLAYER}
    >>> winnings((1250, THREE_TO_TWO), **half_dollar)
    1900
    >>> winnings((1250, THREE_TO_TWO), (1250, THREE_TO_TWO), **half_dollar)
    3750
    """
    numerator, denominator = 0, 1
    for stake_cents, odds in parts:
        numerator = numerator * odds.stake + stake_cents * odds.win * denominator
        denominator *= odds.stake
    if denominator == 1:
        return numerator
    return round_to_chip(numerator, denominator, chip_cents=chip_cents, rounding=rounding)


@lru_cache(maxsize=4_096)
def dollars(cents: int) -> str:
    """Cents as a person reads them.

    >>> dollars(125050), dollars(-5)
    ('$1,250.50', '-$0.05')
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"
