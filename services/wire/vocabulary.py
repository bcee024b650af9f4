"""The small words of the contract: cards, enumerations, times.

Numbers of an enumeration are looked up in a `dict`, not by index: a negative number
off the wire must be refused, and would count from the end of a list.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from alerting.alert import AlertState
from blackjack.cards.card import DECK, Card
from blackjack.facts import Action, Irregularity, Observation, Place, Ruling, ShoeKind, Tender
from blackjack.findings import Kind, Level
from blackjack.money import Rounding
from blackjack.outcomes import DealerPlace, Payment, Result, RoundStatus
from blackjack.rulebook.house_rules import DoubleOn, Peek, SplitBy
from blackjack.rulebook.promotions import OnPush, PromotionKind
from casino.settlement.v1 import finding_pb2, settled_round_pb2
from casino.surveillance.v1 import alert_pb2
from casino.table.v1 import (
    cards_pb2,
    facts_device_pb2,
    facts_money_pb2,
    facts_promotion_pb2,
    facts_round_pb2,
    facts_shoe_pb2,
    rules_pb2,
)
from wire.errors import UnreadableMessage, Unwritable

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

K = TypeVar("K")
V = TypeVar("V")
E = TypeVar("E", bound=Enum)
N = TypeVar("N", bound=int)

SECONDS_MAX: Final = 253_402_300_799
"""The end of the year 9999, where the Timestamp of protobuf ends."""


class EnumNames(dict[K, V]):
    """A dictionary that refuses what it does not hold in the words of the contract."""

    def __init__(self, what: str, items: Iterable[tuple[K, V]]) -> None:
        super().__init__(items)
        self.what = what

    def __missing__(self, key: K) -> V:
        if key == 0:
            raise UnreadableMessage(f"{self.what} is not stated")
        raise UnreadableMessage(f"{self.what} {key!r} is not known")


ENUMERATIONS: Final[dict[Any, tuple[EnumNames[int, Any], dict[Any, Any]]]] = {}
"""Every enumeration of the engine that the contract has, with both directions."""


def map_enum(
    what: str,
    engine: type[E],
    wire: _EnumTypeWrapper[N],
    *,
    default: E | None = None,
    left_out: bool = False,
) -> tuple[EnumNames[int, E], dict[E, N]]:
    """Numbers to members and back, entered into `ENUMERATIONS`.

    Number 0 means `default`, or is refused without one; with `left_out` it is also what the
    default is written as. The wire's name of a member is the enumeration's own name and the
    member's: `Place.MATCH_ME` is `PLACE_MATCH_ME`. A member that has none fails at import.
    """
    prefix = wire.DESCRIPTOR.values_by_number[0].name.removesuffix("UNSPECIFIED")
    numbers = {member: wire.Value(prefix + member.name) for member in engine}
    members = EnumNames(what, ((int(number), member) for member, number in numbers.items()))
    if default is not None:
        members[0] = default
        if left_out:
            numbers[default] = wire.values()[0]
    ENUMERATIONS[engine] = members, numbers
    return members, numbers


# Cards ---------------------------------------------------------------------------------

CARD_NUMBERS: Final[dict[Card | None, cards_pb2.Card.ValueType]] = {
    None: cards_pb2.CARD_UNSPECIFIED,
    **dict(zip(DECK, cards_pb2.Card.values()[1:], strict=True)),
}
"""What the wire calls a card; None is a card that nobody read."""

CARDS: Final[EnumNames[int, Card | None]] = EnumNames(
    "card", ((int(number), card) for card, number in CARD_NUMBERS.items())
)
READ_CARDS: Final[EnumNames[int, Card]] = EnumNames(
    "card", ((number, card) for number, card in CARDS.items() if card is not None)
)
"""Where a card must be named: number 0 is refused."""


# Enumerations --------------------------------------------------------------------------

map_enum("action", Action, facts_round_pb2.Action)
map_enum("irregularity", Irregularity, facts_round_pb2.Irregularity)
map_enum("observation", Observation, facts_device_pb2.Observation)
# Left out: it would take two bytes of nearly every card.
map_enum("place", Place, cards_pb2.Place, default=Place.HAND, left_out=True)
map_enum("ruling", Ruling, facts_round_pb2.Ruling)
map_enum("kind of shoe", ShoeKind, facts_shoe_pb2.ShoeKind, default=ShoeKind.SHOE)
map_enum("tender", Tender, facts_money_pb2.Tender, default=Tender.CASH)
map_enum("kind of promotion", PromotionKind, facts_promotion_pb2.PromotionKind)
map_enum("on_push", OnPush, facts_promotion_pb2.OnPush, default=OnPush.STAYS)
map_enum("double_on", DoubleOn, rules_pb2.DoubleOn, default=DoubleOn.ANY_TWO)
map_enum("split_by", SplitBy, rules_pb2.SplitBy, default=SplitBy.RANK)
# Left out, as in the canonical form: older definitions keep their bytes.
map_enum("peek", Peek, rules_pb2.Peek, default=Peek.ACE_AND_TEN, left_out=True)
map_enum("rounding", Rounding, rules_pb2.Rounding, default=Rounding.FAVOUR_PLAYER)
LEVELS, LEVEL_NUMBERS = map_enum("level", Level, finding_pb2.Level)
STATUSES, STATUS_NUMBERS = map_enum(
    "status of the round", RoundStatus, settled_round_pb2.RoundStatus
)
RESULTS, RESULT_NUMBERS = map_enum("result", Result, settled_round_pb2.Result)
PAYMENTS, PAYMENT_NUMBERS = map_enum("payment", Payment, settled_round_pb2.Payment)
map_enum("place of the dealer's card", DealerPlace, settled_round_pb2.DealerPlace)
map_enum("state of the alert", AlertState, alert_pb2.AlertState)


def read_kind(code: str) -> Kind:
    """The kind of finding with this code. One of a later contract keeps its code, and equals no
    member.

    >>> odd = read_kind("payout.odd")
    >>> odd.value, odd == read_kind("payout.odd"), odd in list(Kind)
    ('payout.odd', True, False)
    """
    known = _KINDS.get(code)
    if known is not None:
        return known
    if not code:
        raise UnreadableMessage("kind of finding is not stated")
    kind = str.__new__(Kind, code)
    kind._name_ = kind._value_ = code
    return kind


_KINDS: Final = {kind.value: kind for kind in Kind}


# Times ---------------------------------------------------------------------------------


def read_time(message: Timestamp) -> int:
    """Microseconds since 1970; 0 where the time is left out."""
    seconds = message.seconds
    nanos = message.nanos
    if not (0 <= seconds <= SECONDS_MAX and 0 <= nanos <= 999_999_999):
        raise UnreadableMessage(
            f"time of {seconds} seconds and {nanos} nanoseconds is out of range"
        )
    return seconds * 1_000_000 + nanos // 1000


def write_time(at: int) -> Timestamp | None:
    """A time of microseconds since 1970; 0 is left out."""
    if not at:
        return None
    message = Timestamp()
    fill_time(at, message)
    return message


def fill_time(at: int, message: Timestamp) -> None:
    """Fills an empty message with microseconds since 1970."""
    seconds, micros = divmod(at, 1_000_000)
    if not 0 <= seconds <= SECONDS_MAX:
        raise Unwritable(f"time of {at} microseconds is out of range")
    message.seconds = seconds
    message.nanos = micros * 1000
