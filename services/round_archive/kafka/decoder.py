"""Bytes of a topic to the rows of the index; what no codec reads is refused with the reason.

Columns are for searching, and what cannot stand in one (a zero byte in a text) is replaced there:
the bytes as they were said are kept beside them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from confluent_kafka import Message
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from blackjack.facts import PromotionDefined, RuleSetActivated
from blackjack.rulebook.rule_set import NotFiled, compose
from casino.settlement.v1.finding_pb2 import Finding, Withdrawal
from casino.settlement.v1.settled_round_pb2 import (
    DEALER_PLACE_DRAWN,
    DEALER_PLACE_HOLE,
    DEALER_PLACE_UP,
    SettledRound,
)
from casino.table.v1.event_pb2 import TableEvent
from round_archive.domain.search_terms import SEAT_MAX, copies, dealer_marks, hand_marks, seat_mark
from runtime.kafka.records import header, offset_of, place_of
from wire import NotAnEvent, decode_event, headers
from wire.errors import NotARecord
from wire.events import MEMBERS
from wire.settlement import parse_finding, parse_round

BIGINT_MAX: Final = 2**63 - 1
ENUM_MAX: Final = 2**15 - 1
TEXT_MAX: Final = 300
"""Names have a few dozen characters; what is longer is cut, and told apart by its hash."""
DEFINES: Final = frozenset(MEMBERS[fact] for fact in (RuleSetActivated, PromotionDefined))
_HELD: Final = frozenset({DEALER_PLACE_UP, DEALER_PLACE_HOLE, DEALER_PLACE_DRAWN})


class NotReadable(ValueError):
    """A message that is none of its topic."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """One version of a round as it was said, and which event made it."""

    round: SettledRound
    value: bytes
    digest: bytes
    source_partition: int | None
    source_offset: int | None

    @property
    def name(self) -> tuple[str, str]:
        return plain(self.round.table_id), plain(self.round.round)


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """A finding or a withdrawal."""

    record: Finding | Withdrawal
    source_offset: int | None


def read_round(message: Message) -> RoundEntry:
    value = message.value() or b""
    try:
        said = parse_round(value)
    except NotARecord as refused:
        raise NotReadable(refused.reason) from None
    check_key(message, said.table_id)
    return RoundEntry(said, value, hashlib.sha256(value).digest(), *source_of(message))


def read_finding(message: Message) -> FindingEntry:
    try:
        said = parse_finding(message.value() or b"")
    except NotARecord as refused:
        raise NotReadable(refused.reason) from None
    check_key(message, said.table_id)
    return FindingEntry(said, source_of(message)[1])


def check_key(message: Message, table: str) -> None:
    """Raises `NotReadable` unless the key is that of the table which a record is about."""
    if message.key() != table.encode():
        raise NotReadable(f"it is about table {table!r}, and its key is another")


def round_columns(entry: RoundEntry) -> dict[str, Any]:
    """All that is searched or summed, of one version."""
    said = entry.round
    outcomes = said.outcomes
    marks = {seat_mark(each.seat) for each in outcomes if each.seat <= SEAT_MAX}
    marks.update(dealer_marks(each.card for each in said.dealer if each.place in _HELD))
    for hand in said.hands:
        marks.update(hand_marks(hand.cards))
    names = {f"p:{plain(each.patron)}" for each in said.context.patrons}
    names.update(f"p:{plain(each.patron)}" for each in outcomes if each.patron)
    names.update(f"w:{plain(each.wager)}" for each in outcomes)
    return {
        "version": said.version,
        "status": _bounded(said.status, ENUM_MAX),
        "game": plain(said.game),
        "dealer": plain(said.context.dealer),
        "opened_at": micros(said.opened_at),
        "closed_at": micros(said.closed_at),
        "first_seq": said.first_seq,
        "last_seq": said.last_seq,
        "wager_count": len(outcomes),
        "stake_cents": _total(each.stake_cents for each in outcomes),
        "owed_cents": _total(each.owed_cents - each.taken_cents for each in outcomes),
        "paid_cents": _total(each.paid_cents - each.collected_cents for each in outcomes),
        "difference_cents": _total(each.difference_cents for each in outcomes),
        "greatest_stake_cents": max((each.stake_cents for each in outcomes), default=0),
        "marks": sorted(marks),
        "names": sorted(names),
        "hands": [
            {"s": each.seat, "h": each.hand, "c": copies(each.cards)} for each in said.hands
        ],
        "wagers": [
            {"s": each.seat, "h": each.hand, "w": plain(each.wager), "c": each.stake_cents,
             "p": plain(each.patron)}
            for each in outcomes
        ],
    }  # fmt: skip


def finding_columns(said: Finding) -> dict[str, Any]:
    return {
        "table_id": plain(said.table_id),
        "id": plain(said.id),
        "seq": said.seq,
        "kind": plain(said.kind),
        "level": _bounded(said.level, ENUM_MAX),
        "at": micros(said.at),
        "round": plain(said.round),
        "patron": plain(said.patron),
        "dealer": plain(said.dealer),
        "tells_hole_card": said.tells_hole_card,
        "finding": said.SerializeToString(deterministic=True),
    }


def dead_letter_columns(message: Message) -> dict[str, Any]:
    """Anything can be a dead letter; what it does not say of itself stays empty."""
    reason = _text(message, headers.REASON)
    code = _text(message, headers.CODE)
    table = _text(message, headers.TABLE)
    topic, partition, offset = (
        _text(message, name)
        for name in (headers.SOURCE_TOPIC, headers.SOURCE_PARTITION, headers.SOURCE_OFFSET)
    )
    return {
        "partition": place_of(message).partition,
        "offset": offset_of(message),
        "at": max(message.timestamp()[1], 0) * 1000,
        "table_id": table or plain((message.key() or b"").decode("utf-8", "replace")),
        "code": code,
        "reason": reason,
        "peer": _text(message, headers.PEER),
        "source": f"{topic}/{partition}/{offset}" if topic else "",
        "value": message.value() or b"",
    }


def retried_columns(message: Message) -> dict[str, Any] | None:
    """Of an event that was set aside and taken after all: which it was, when and by whom."""
    letter = headers.read_number(header(message, headers.RETRY_OF))
    if letter is None:
        return None
    at = headers.read_ingested_at(header(message, headers.RETRIED_AT))
    return {"offset": letter, "at": at, "author": _text(message, headers.AUTHOR)}


def definition_columns(message: Message) -> dict[str, Any] | None:
    """The event's row if it defines something for its own table; nothing else is kept of it."""
    kind = headers.read_kind(header(message, headers.KIND))
    if kind and kind not in DEFINES:
        return None
    value = message.value() or b""
    try:
        if TableEvent.FromString(value).WhichOneof("fact") not in DEFINES:
            return None
        event = decode_event(value)
    except (DecodeError, NotAnEvent):
        return None  # settlement sets it aside
    fact = event.fact
    if isinstance(fact, RuleSetActivated) and fact.definition is not None:
        kind, name = "rule set", fact.rule_set
        if not name:
            try:
                name = compose(fact.definition).hash
            except NotFiled:
                return None
    elif isinstance(fact, PromotionDefined):
        kind, name = "promotion", fact.promotion
    else:
        return None
    if message.key() != event.table.encode():
        return None
    return {
        "table_id": plain(event.table),
        "kind": kind,
        "name": plain(name),
        "source_partition": place_of(message).partition,
        "source_offset": offset_of(message),
        "event": value,
    }


def source_of(message: Message) -> tuple[int | None, int | None]:
    """Partition and offset of the event that made it; nothing where a definition did."""
    partition = header(message, headers.SOURCE_PARTITION)
    offset = header(message, headers.SOURCE_OFFSET)
    if not (partition and offset and partition.isdigit() and offset.isdigit()):
        return None, None
    if len(partition) > 9 or len(offset) > 18:
        return None, None
    return int(partition), int(offset)


def micros(time: Timestamp) -> int:
    """Microseconds since 1970, and never out of the database's range."""
    return max(0, min(time.seconds, 253_402_300_799)) * 1_000_000 + time.nanos // 1000


def plain(text: str) -> str:
    """A text as an indexed column can hold it: no zero byte, and not longer than an index takes."""
    if len(text) > TEXT_MAX:
        text = text[: TEXT_MAX - 17] + "#" + hashlib.sha256(text.encode()).hexdigest()[:16]
    return text.replace("\0", "\ufffd") if "\0" in text else text


def _total(amounts: Iterable[int]) -> int:
    return _bounded(sum(amounts))


def _bounded(number: int, most: int = BIGINT_MAX) -> int:
    """Sums of forged amounts must not stop the index."""
    return max(-most, min(number, most))


def _text(message: Message, name: str) -> str:
    return plain((header(message, name) or b"").decode("utf-8", "replace"))
