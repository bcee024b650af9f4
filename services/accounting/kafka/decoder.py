"""Decodes messages of the topics; rejects unreadable ones with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from typing import Any, Final

from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from accounting.domain.cage import DropLine
from accounting.domain.cash import KINDS
from accounting.domain.rounds import RoundVersion, SettledWager
from accounting.grpc.errors import PostingRejected
from blackjack.facts import Event, Inventory, PromotionDefined, RuleSetActivated
from blackjack.facts.vocabulary import ChipCount
from blackjack.play.clock import nearest_valid
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.accounting.v1.promotion_event_pb2 import PromotionEvent
from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.settled_round_pb2 import WagerOutcome
from casino.table.v1 import facts_money_pb2, facts_table_pb2
from casino.table.v1.event_pb2 import TableEvent
from wire import NotAnEvent, decode_event
from wire.errors import NotARecord
from wire.events import MEMBERS, tags_of
from wire.settlement import parse_finding, parse_round
from wire.vocabulary import PAYMENTS, RESULTS, STATUSES

UNREADABLE: Final = "unreadable"
INT_MAX: Final = 2**31 - 1
NAME_MAX: Final = 300
SECONDS_MAX: Final = 221_845_392_000
"""The year 9000: a day is never the last that a calendar has."""

MONEY: Final = frozenset(MEMBERS[fact] for fact in KINDS)
"""The table facts that are booked."""
DEFINES: Final = frozenset(MEMBERS[fact] for fact in (RuleSetActivated, PromotionDefined))
"""The table facts that define rule sets and promotion terms."""
_KEPT: Final = MONEY | DEFINES
_KEPT_TAGS: Final = tags_of(_KEPT)

# Words by number: the value of an enumeration member costs more than the lookup.
_RESULTS: Final = {number: result.value for number, result in RESULTS.items()}
_PAYMENTS: Final = {number: payment.value for number, payment in PAYMENTS.items()}
_STATUSES: Final = {number: status.value for number, status in STATUSES.items()}
_wager: Final[Callable[[tuple[Any, ...]], SettledWager]] = partial(tuple.__new__, SettledWager)
"""Builds a wager from its fields: its constructor costs as much as reading five of them."""


def read_round(value: bytes) -> RoundVersion:
    """Read only the fields that are booked: reading a field costs as much as booking it."""
    try:
        message = parse_round(value)
    except NotARecord as rejected:
        raise PostingRejected(UNREADABLE, rejected.reason) from None
    try:
        status = _STATUSES[message.status]
        wagers = tuple(map(_read_wager, message.outcomes))
    except LookupError:
        raise PostingRejected(UNREADABLE, "unknown result or payment") from None
    for wager in wagers:
        if wager[0] > INT_MAX or wager[1] > INT_MAX:
            raise PostingRejected(UNREADABLE, "seat or hand out of range")
    if len({wager[:4] for wager in wagers}) < len(wagers):
        raise PostingRejected(UNREADABLE, "repeated wager of a hand")
    context = message.context
    return RoundVersion(
        plain(message.table_id),
        plain(message.round),
        message.first_seq,
        message.version,
        status,
        plain(message.game),
        plain(context.rule_set),
        plain(context.dealer),
        plain(context.supervisor),
        read_settled_time(message.opened_at),
        wagers,
    )


def _read_wager(message: WagerOutcome) -> SettledWager:
    return _wager(
        (
            message.seat,
            message.hand,
            plain(message.wager),
            message.tip,
            plain(message.patron),
            _RESULTS[message.result],
            _PAYMENTS[message.payment],
            message.stake_cents,
            message.placed_cents,
            message.owed_cents,
            message.owed_cents_least,
            message.owed_cents_most,
            message.taken_cents,
            message.paid_cents,
            message.collected_cents,
            message.difference_cents,
            plain(message.coupon),
            plain(message.coupon_promotion),
            message.coupon_cents,
            message.coupon_owed_cents,
            message.coupon_spent,
        )
    )


def read_table_event(
    value: bytes, *, table: str, ingested_at: int, waited_us: int = 0
) -> Event | None:
    """Read a cash fact or a definition; None for all other events.

    Settlement rejects unreadable events, and those of another table.
    """
    try:
        which = TableEvent.FromString(value).WhichOneof("fact")
        if which not in _KEPT:
            return None
        event = decode_event(value, ingested_at=ingested_at, waited_us=waited_us)
    except (DecodeError, NotAnEvent):
        return None
    return event if event.table == table else None


def is_of_no_use(kind: str, value: bytes) -> bool:
    """Whether an event can be skipped unparsed: its header and its bytes agree that the books
    need nothing of it. Neither an absent nor a wrong header makes money disappear."""
    return bool(kind) and kind not in _KEPT and _KEPT_TAGS.search(value) is None


def read_cage_event(value: bytes) -> CageEvent:
    try:
        message = CageEvent.FromString(value)
    except DecodeError:
        raise PostingRejected(UNREADABLE, "not a CageEvent, or truncated") from None
    _check_envelope(message, message.WhichOneof("fact"))
    return message


def read_promotion_event(value: bytes) -> PromotionEvent:
    try:
        message = PromotionEvent.FromString(value)
    except DecodeError:
        raise PostingRejected(UNREADABLE, "not a PromotionEvent, or truncated") from None
    _check_envelope(message, message.WhichOneof("fact"))
    return message


def _check_envelope(message: CageEvent | PromotionEvent, fact: str | None) -> None:
    author = message.author
    if fact is None:
        raise PostingRejected(UNREADABLE, "missing or unknown fact", author)
    if not message.event_id or len(message.event_id) > NAME_MAX:
        raise PostingRejected(UNREADABLE, "missing or too long event_id", author)
    read_day(message.gaming_day, author)
    for time in (message.at, message.recorded_at):
        read_time(time, author)


def read_settled_time(time: Timestamp) -> int:
    """A time of settlement, or the nearest valid one: a wrong clock must not keep a round or a
    finding out of the books."""
    if time.seconds <= 0:
        raise PostingRejected(UNREADABLE, "missing time, or out of range")
    return nearest_valid(time.seconds * 1_000_000 + time.nanos // 1000)


def read_time(time: Timestamp, author: str = "") -> int:
    """A time as microseconds since 1970; rejects one outside the calendar."""
    if not 0 < time.seconds < SECONDS_MAX:
        raise PostingRejected(UNREADABLE, "missing time, or out of range", author)
    return time.seconds * 1_000_000 + time.nanos // 1000


def read_day(text: str, author: str = "") -> date:
    """A gaming day as a date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise PostingRejected(
            "no_day", f'invalid gaming day "{text}": expected YYYY-MM-DD', author
        ) from None
    if day.isoformat() != text:
        raise PostingRejected("no_day", f'invalid gaming day "{text}": expected YYYY-MM-DD', author)
    return day


def read_finding(value: bytes) -> Finding | Withdrawal:
    try:
        return parse_finding(value)
    except NotARecord as rejected:
        raise PostingRejected(UNREADABLE, rejected.reason) from None


def inventory_of(counts: Iterable[facts_table_pb2.ChipCount]) -> Inventory:
    return tuple(ChipCount(line.denomination_cents, line.count) for line in counts)


def counted_of(counts: Iterable[facts_money_pb2.DropCount]) -> tuple[DropLine, ...]:
    return tuple(DropLine(plain(line.kind), line.denomination_cents, line.count) for line in counts)


def plain(text: str) -> str:
    """A text that PostgreSQL accepts: no zero byte, and at most as long as a name."""
    if len(text) <= NAME_MAX and "\0" not in text:
        return text
    return text[:NAME_MAX].replace("\0", "�")
