"""The small words of the contract: cards, enumerations, times, chips, odds.

Numbers of an enumeration are looked up in a `dict`, not by index: a negative number
off the wire must be refused, and would count from the end of a list.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.cards.card import DECK, Card
from blackjack.facts import ChipCount, Inventory, Place
from blackjack.money import Odds
from casino.table.v1 import cards_pb2, facts_table_pb2, rules_pb2
from wire.errors import Unreadable, Unwritable

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

K = TypeVar("K")
V = TypeVar("V")
E = TypeVar("E", bound=Enum)
N = TypeVar("N", bound=int)

SECONDS_MAX: Final = 253_402_300_799
"""The end of the year 9999, where the Timestamp of protobuf ends."""


class Known(dict[K, V]):
    """A dictionary that refuses what it does not hold in the words of the contract."""

    def __init__(self, what: str, items: Iterable[tuple[K, V]]) -> None:
        super().__init__(items)
        self.what = what

    def __missing__(self, key: K) -> V:
        if key == 0:
            raise Unreadable(f"{self.what} is not stated")
        raise Unreadable(f"{self.what} {key!r} is not known")


def enumeration(
    what: str, engine: type[E], wire: _EnumTypeWrapper[N], *, default: E | None = None
) -> tuple[Known[int, E], dict[E, N]]:
    """Numbers to members and back; number 0 means `default`, or is refused without one.

    The wire's name of a member is the enumeration's own name and the member's:
    `Place.MATCH_ME` is `PLACE_MATCH_ME`. A member that has none fails at import.
    """
    prefix = wire.DESCRIPTOR.values_by_number[0].name.removesuffix("UNSPECIFIED")
    numbers = {member: wire.Value(prefix + member.name) for member in engine}
    members = Known(what, ((int(number), member) for member, number in numbers.items()))
    if default is not None:
        members[0] = default
    return members, numbers


# Cards ---------------------------------------------------------------------------------

CARD_NUMBERS: Final[dict[Card | None, cards_pb2.Card.ValueType]] = {
    None: cards_pb2.CARD_UNSPECIFIED,
    **dict(zip(DECK, cards_pb2.Card.values()[1:], strict=True)),
}
"""What the wire calls a card; None is a card that nobody read."""

CARDS: Final[Known[int, Card | None]] = Known(
    "card", ((int(number), card) for card, number in CARD_NUMBERS.items())
)
READ_CARDS: Final[Known[int, Card]] = Known(
    "card", ((number, card) for number, card in CARDS.items() if card is not None)
)
"""Where a card must be named: number 0 is refused."""

PLACES, _PLACE_NUMBERS = enumeration("place", Place, cards_pb2.Place, default=Place.HAND)
PLACE_NUMBERS: Final = {**_PLACE_NUMBERS, Place.HAND: cards_pb2.PLACE_UNSPECIFIED}
"""The usual place is left out: it would cost two bytes a card."""


# Times, chips, odds --------------------------------------------------------------------


def read_time(message: Timestamp) -> int:
    """Microseconds since 1970; 0 where the time is left out."""
    seconds = message.seconds
    nanos = message.nanos
    if not (0 <= seconds <= SECONDS_MAX and 0 <= nanos <= 999_999_999):
        raise Unreadable(f"time of {seconds} seconds and {nanos} nanoseconds is out of range")
    return seconds * 1_000_000 + nanos // 1000


def write_time(at: int) -> Timestamp | None:
    """A time of microseconds since 1970; 0 is left out."""
    if not at:
        return None
    seconds, micros = divmod(at, 1_000_000)
    if not 0 <= seconds <= SECONDS_MAX:
        raise Unwritable(f"time of {at} microseconds is out of range")
    return Timestamp(seconds=seconds, nanos=micros * 1000)


def read_inventory(messages: Iterable[facts_table_pb2.ChipCount]) -> Inventory:
    return tuple(ChipCount(each.denomination_cents, each.count) for each in messages)


def write_inventory(inventory: Inventory) -> list[facts_table_pb2.ChipCount]:
    return [
        facts_table_pb2.ChipCount(denomination_cents=each.denomination_cents, count=each.count)
        for each in inventory
    ]


def read_odds(message: rules_pb2.Odds) -> Odds:
    return Odds(message.win, message.stake or 1)


def write_odds(odds: Odds) -> rules_pb2.Odds:
    if odds.stake == 0:
        raise Unwritable(f"odds of {odds.win} to 0 mean nothing")
    return rules_pb2.Odds(win=odds.win, stake=odds.stake)


def stated(message: Message, field: str, default: V) -> V:
    """The value of an optional field, or the default where it is left out."""
    if message.HasField(field):
        value: V = getattr(message, field)
        return value
    return default


def write_hand(hand: int) -> int:
    """The first hand is left out: a hand number is seldom anything else."""
    return 0 if hand == 1 else hand
