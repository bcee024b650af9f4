"""Money is integer cents; what a wager pays is an exact ratio; rounding has a name.

Amounts are parsed (`parse_cents`) and formatted (`format_cents`, `format_result`) here and nowhere
else.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

TYPED_CENTS_MAX: Final = 10**15
"""Ten trillion dollars: a larger amount has its unit wrong, and no ledger posts it."""

# At most 300 digits, so that no text makes the parser slow. A group after a leading zero is a
# decimal comma rather than thousands: 0,250 is no amount.
_AMOUNT: Final = re.compile(
    r"(?P<minus>-)?\$?(?P<whole>[0-9]{1,300}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,99})"
    r"(?:\.(?P<cents>[0-9]{1,2}))?"
)
_EXAMPLE: Final = "write dollars, as in 1,250 or 12.50"


class InvalidAmount(ValueError):
    """Text that is no amount of money; `reason` explains how to write it."""

    def __init__(self, text: str, reason: str) -> None:
        self.text = text
        self.reason = reason
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        super().__init__(f'Invalid amount "{shown}": {reason}.')


class Rounding(StrEnum):
    """What happens to winnings that the smallest chip cannot show."""

    FAVOUR_PLAYER = "favour_player"
    FAVOUR_HOUSE = "favour_house"


class Odds(Struct, frozen=True, order=True):
    """What a winning wager is paid: `win` for every `stake`. Zero to one is a push."""

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


class Tone(StrEnum):
    """How a result of the house is colored: a gain green, a loss red."""

    GAIN = "gain"
    LOSS = "loss"
    EVEN = ""


class FormattedAmount(NamedTuple):
    """An amount as it is shown, and its color where it is a result of the house."""

    text: str
    tone: Tone


@lru_cache(maxsize=4_096)
def format_cents(
    cents: int, *, plus: bool = False, currency: bool = True, drop_zero_cents: bool = False
) -> str:
    """Format cents for people: grouped, the sign in front of the currency.

    `plus` puts a plus sign before a positive amount. Without `currency` the dollar sign is left
    out, for columns whose heading names it. `drop_zero_cents` shortens whole dollars.

    >>> format_cents(125050), format_cents(-5), format_cents(2500, plus=True)
    ('$1,250.50', '-$0.05', '+$25.00')
    >>> format_cents(-2500, currency=False), format_cents(2500, drop_zero_cents=True)
    ('-25.00', '$25')
    """
    sign = "-" if cents < 0 else "+" if plus and cents else ""
    whole, rest = divmod(abs(cents), 100)
    fraction = "" if drop_zero_cents and not rest else f".{rest:02d}"
    return f"{sign}{'$' if currency else ''}{whole:,}{fraction}"


def format_result(house_cents: int, *, currency: bool = True) -> FormattedAmount:
    """Format a result from the house's point of view: what it gained, or lost below zero.

    Every page, report and command shows results by this rule; an amount due to a patron is none,
    and is formatted by `format_cents`.

    >>> format_result(-2500)
    FormattedAmount(text='-$25.00', tone=<Tone.LOSS: 'loss'>)
    """
    tone = Tone.GAIN if house_cents > 0 else Tone.LOSS if house_cents < 0 else Tone.EVEN
    return FormattedAmount(format_cents(house_cents, plus=True, currency=currency), tone)


def parse_cents(text: str, *, signed: bool = False, cents_max: int | None = TYPED_CENTS_MAX) -> int:
    """Parse dollars into cents, or raise `InvalidAmount` with the way to write it.

    An optional `$`, digits 0 to 9 with or without commas between groups of three, and at most two
    decimals: `1250`, `1,250`, `$12.5`, `12.50`. Where `signed`, a minus sign may stand in front of
    everything: `-5`, `-$5`. Nothing else is an amount, not even with blanks around it.

    >>> parse_cents("1,250"), parse_cents("$12.5"), parse_cents("-$5", signed=True)
    (125000, 1250, -500)
    >>> parse_cents("12,50")
    Traceback (most recent call last):
    blackjack.money.InvalidAmount: Invalid amount "12,50": use commas only between groups of \
three digits, as in 1,250, and a point before cents, as in 12.50.
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise InvalidAmount(text, _reason(text, signed=signed))
    if match["minus"] and not signed:
        raise InvalidAmount(text, "leave out the minus sign: only an adjustment may be negative")
    cents = int(match["whole"].replace(",", "")) * 100 + int((match["cents"] or "").ljust(2, "0"))
    if cents_max is not None and cents > cents_max:
        raise InvalidAmount(text, f"{format_cents(cents_max)} is the most")
    return -cents if match["minus"] else cents


def _reason(text: str, *, signed: bool) -> str:
    """What to write instead, by the first thing that is wrong."""
    if any(sign.isnumeric() and not sign.isascii() for sign in text):
        return "use the digits 0 to 9"
    if text.startswith("+"):
        return "leave out the plus sign"
    if "-" in text:
        return (
            "write the minus sign first, as in -$5"
            if signed
            else "leave out the minus sign: only an adjustment may be negative"
        )
    if "_" in text:
        return "leave out the underscore"
    if re.fullmatch(r"\$?[0-9.,]+[eE][+]?[0-9]+", text):
        return "write all digits, as in 1,000"
    if re.fullmatch(r"\$?[0-9,]+\.[0-9]{3,}", text):
        return "write at most two digits after the decimal point, as in 12.50"
    if re.fullmatch(r"\$?[0-9,]+(?:\.[0-9]{1,2})?", text) and "," in text:
        return (
            "use commas only between groups of three digits, as in 1,250, and a point before "
            "cents, as in 12.50"
        )
    return _EXAMPLE
