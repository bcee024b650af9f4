"""Bytes of a topic to rows of the index; unreadable messages are rejected with the reason.

Columns are for searching, and characters that they cannot hold (a zero byte) are replaced there:
the original bytes are kept beside them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from confluent_kafka import Message
from google.protobuf.message import DecodeError

from blackjack.facts import PromotionDefined, RuleSetActivated
from blackjack.outcomes import net_owed, net_paid
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
from runtime.database.column_values import column_text, micros
from runtime.kafka.records import InvalidMessage, header, offset_of, place_of
from wire import NotAnEvent, decode_event, headers
from wire.errors import NotARecord
from wire.events import MEMBERS
from wire.settlement import parse_finding, parse_round

BIGINT_MAX: Final = 2**63 - 1
ENUM_MAX: Final = 2**15 - 1
DEFINES: Final = frozenset(MEMBERS[fact] for fact in (RuleSetActivated, PromotionDefined))
_HELD: Final = frozenset({DEALER_PLACE_UP, DEALER_PLACE_HOLE, DEALER_PLACE_DRAWN})


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """One version of a round as published, and which event caused it."""

    round: SettledRound
    value: bytes
    digest: bytes
    source_partition: int | None
    source_offset: int | None

    @property
    def name(self) -> tuple[str, str]:
        return column_text(self.round.table_id), column_text(self.round.round)


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """A finding or a withdrawal."""

    record: Finding | Withdrawal
    source_offset: int | None


def read_round(message: Message) -> RoundEntry:
    value = message.value() or b""
    try:
        settled = parse_round(value)
    except NotARecord as error:
        raise InvalidMessage(error.reason) from None
    check_key(message, settled.table_id)
    return RoundEntry(settled, value, hashlib.sha256(value).digest(), *source_of(message))


def read_finding(message: Message) -> FindingEntry:
    try:
        record = parse_finding(message.value() or b"")
    except NotARecord as error:
        raise InvalidMessage(error.reason) from None
    check_key(message, record.table_id)
    return FindingEntry(record, source_of(message)[1])


def check_key(message: Message, table: str) -> None:
    """Raise `InvalidMessage` unless the key is the table of the record."""
    if message.key() != table.encode():
        raise InvalidMessage(f"the key does not match table {table!r}")


def round_columns(entry: RoundEntry) -> dict[str, Any]:
    """The searched and summed columns of one version."""
    settled = entry.round
    outcomes = settled.outcomes
    marks = {seat_mark(outcome.seat) for outcome in outcomes if outcome.seat <= SEAT_MAX}
    marks.update(dealer_marks(card.card for card in settled.dealer if card.place in _HELD))
    for hand in settled.hands:
        marks.update(hand_marks(hand.cards))
    names = {f"p:{column_text(seated.patron)}" for seated in settled.context.patrons}
    names.update(f"p:{column_text(outcome.patron)}" for outcome in outcomes if outcome.patron)
    names.update(f"w:{column_text(outcome.wager)}" for outcome in outcomes)
    return {
        "version": settled.version,
        "status": _bounded(settled.status, ENUM_MAX),
        "game": column_text(settled.game),
        "dealer": column_text(settled.context.dealer),
        "opened_at": micros(settled.opened_at),
        "closed_at": micros(settled.closed_at),
        "first_seq": settled.first_seq,
        "last_seq": settled.last_seq,
        "wager_count": len(outcomes),
        "stake_cents": _total(outcome.stake_cents for outcome in outcomes),
        "owed_cents": _total(map(net_owed, outcomes)),
        "paid_cents": _total(map(net_paid, outcomes)),
        "difference_cents": _total(outcome.difference_cents for outcome in outcomes),
        "greatest_stake_cents": max((outcome.stake_cents for outcome in outcomes), default=0),
        "marks": sorted(marks),
        "names": sorted(names),
        "hands": [
            {"s": hand.seat, "h": hand.hand, "c": copies(hand.cards)} for hand in settled.hands
        ],
        "wagers": [
            {"s": outcome.seat, "h": outcome.hand, "w": column_text(outcome.wager),
             "c": outcome.stake_cents, "p": column_text(outcome.patron)}
            for outcome in outcomes
        ],
    }  # fmt: skip


def finding_columns(finding: Finding) -> dict[str, Any]:
    return {
        "table_id": column_text(finding.table_id),
        "id": column_text(finding.id),
        "seq": finding.seq,
        "kind": column_text(finding.kind),
        "level": _bounded(finding.level, ENUM_MAX),
        "at": micros(finding.at),
        "round": column_text(finding.round),
        "patron": column_text(finding.patron),
        "dealer": column_text(finding.dealer),
        "tells_hole_card": finding.tells_hole_card,
        "finding": finding.SerializeToString(deterministic=True),
    }


def dead_letter_columns(message: Message) -> dict[str, Any]:
    """The columns of a dead letter, which may be anything; missing headers stay empty."""
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
        "table_id": table or column_text((message.key() or b"").decode("utf-8", "replace")),
        "code": code,
        "reason": reason,
        "peer": _text(message, headers.PEER),
        "source": f"{topic}/{partition}/{offset}" if topic else "",
        "value": message.value() or b"",
    }


def retried_columns(message: Message) -> dict[str, Any] | None:
    """Of an event that was accepted from the dead letters: which one it was, when and by whom."""
    offset = headers.read_number(header(message, headers.RETRY_OF))
    if offset is None:
        return None
    at = headers.read_ingested_at(header(message, headers.RETRIED_AT))
    return {"offset": offset, "at": at, "author": _text(message, headers.AUTHOR)}


def definition_columns(message: Message) -> dict[str, Any] | None:
    """The row of an event that defines a rule set or promotion for its own table; else None."""
    kind = headers.read_kind(header(message, headers.KIND))
    if kind and kind not in DEFINES:
        return None
    value = message.value() or b""
    try:
        if TableEvent.FromString(value).WhichOneof("fact") not in DEFINES:
            return None
        event = decode_event(value)
    except (DecodeError, NotAnEvent):
        return None  # settlement rejects it
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
        "table_id": column_text(event.table),
        "kind": kind,
        "name": column_text(name),
        "source_partition": place_of(message).partition,
        "source_offset": offset_of(message),
        "event": value,
    }


def source_of(message: Message) -> tuple[int | None, int | None]:
    """Partition and offset of the event that caused a record; None where a definition did."""
    partition = header(message, headers.SOURCE_PARTITION)
    offset = header(message, headers.SOURCE_OFFSET)
    if not (partition and offset and partition.isdigit() and offset.isdigit()):
        return None, None
    if len(partition) > 9 or len(offset) > 18:
        return None, None
    return int(partition), int(offset)


def _total(amounts: Iterable[int]) -> int:
    return _bounded(sum(amounts))


def _bounded(number: int, most: int = BIGINT_MAX) -> int:
    """Sums of forged amounts must not stop the index."""
    return max(-most, min(number, most))


def _text(message: Message, name: str) -> str:
    return column_text((header(message, name) or b"").decode("utf-8", "replace"))
