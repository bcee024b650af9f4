"""What settlement says: rounds, findings and withdrawals, to bytes and back.

The bytes of a record depend on the record alone: the same log gives the same bytes.
"""

from __future__ import annotations

from typing import Final, TypeVar

from google.protobuf.message import DecodeError, Message

from blackjack.findings import Finding, Kind, Level, Withdrawal
from blackjack.outcomes import (
    DealerCard,
    DealerPlace,
    HandCards,
    RoundContext,
    RoundStatus,
    SeatPatron,
    SettledRound,
)
from casino.settlement.v1 import finding_pb2, record_pb2, settled_round_pb2
from wire.errors import NotARecord, Unreadable, Unwritable
from wire.facts_shoe import SHOE_KIND_NUMBERS, SHOE_KINDS
from wire.outcomes import read_outcome, write_outcome
from wire.vocabulary import CARD_NUMBERS, CARDS, enumeration, read_time, write_time

Record = SettledRound | Finding | Withdrawal

M = TypeVar("M", bound=Message)

KINDS: Final = {kind.value: kind for kind in Kind}
LEVELS, LEVEL_NUMBERS = enumeration("level", Level, finding_pb2.Level)
STATUSES, STATUS_NUMBERS = enumeration(
    "status of the round", RoundStatus, settled_round_pb2.RoundStatus
)
DEALER_PLACES, DEALER_PLACE_NUMBERS = enumeration(
    "place of the dealer's card", DealerPlace, settled_round_pb2.DealerPlace
)


# Bytes ---------------------------------------------------------------------------------


def encode_record(record: Record) -> bytes:
    """A record that says of itself which kind it is: for a topic or a file of several kinds."""
    return write_record(record).SerializeToString(deterministic=True)


def decode_record(data: bytes) -> Record:
    return read_record(_parse(record_pb2.SettlementRecord, data))


def encode_round(settled: SettledRound) -> bytes:
    return write_round(settled).SerializeToString(deterministic=True)


def decode_round(data: bytes) -> SettledRound:
    return read_round(_parse(settled_round_pb2.SettledRound, data))


def encode_finding(finding: Finding) -> bytes:
    return write_finding(finding).SerializeToString(deterministic=True)


def decode_finding(data: bytes) -> Finding:
    return read_finding(_parse(finding_pb2.Finding, data))


def encode_withdrawal(withdrawal: Withdrawal) -> bytes:
    return write_withdrawal(withdrawal).SerializeToString(deterministic=True)


def decode_withdrawal(data: bytes) -> Withdrawal:
    return read_withdrawal(_parse(finding_pb2.Withdrawal, data))


def _parse(message: type[M], data: bytes) -> M:
    try:
        return message.FromString(data)
    except DecodeError:
        name = message.DESCRIPTOR.name
        raise NotARecord(f"the bytes are no {name}, or were cut off") from None


# Messages ------------------------------------------------------------------------------


def write_record(record: Record) -> record_pb2.SettlementRecord:
    if isinstance(record, SettledRound):
        return record_pb2.SettlementRecord(round=write_round(record))
    if isinstance(record, Finding):
        return record_pb2.SettlementRecord(finding=write_finding(record))
    return record_pb2.SettlementRecord(withdrawal=write_withdrawal(record))


def read_record(message: record_pb2.SettlementRecord) -> Record:
    match message.WhichOneof("record"):
        case "round":
            return read_round(message.round)
        case "finding":
            return read_finding(message.finding)
        case "withdrawal":
            return read_withdrawal(message.withdrawal)
        case None:
            raise NotARecord("neither a round, a finding nor a withdrawal is set")


def write_round(settled: SettledRound) -> settled_round_pb2.SettledRound:
    """Parts are filled in where they belong: made on their own, each would be copied there."""
    try:
        message = settled_round_pb2.SettledRound(
            table_id=settled.table,
            round=settled.round,
            version=settled.version,
            cause=settled.cause,
            status=STATUS_NUMBERS[settled.status],
            game=settled.game,
            context=_write_context(settled.context),
            opened_at=write_time(settled.opened_at),
            closed_at=write_time(settled.closed_at),
            first_seq=settled.first_seq,
            last_seq=settled.last_seq,
            findings=settled.findings,
            engine=settled.engine,
        )
        dealer, hands, outcomes = message.dealer, message.hands, message.outcomes
        for laid in settled.dealer:
            dealer.add(card=CARD_NUMBERS[laid.card], place=DEALER_PLACE_NUMBERS[laid.place])
        for hand in settled.hands:
            write_hand(hand, hands.add())
        for outcome in settled.outcomes:
            write_outcome(outcome, outcomes.add())
        return message
    except (TypeError, ValueError) as error:
        raise Unwritable(f"round {settled.round!r}: {error}") from error


def read_round(message: settled_round_pb2.SettledRound) -> SettledRound:
    try:
        return SettledRound(
            table=message.table_id,
            round=message.round,
            version=message.version,
            cause=message.cause,
            status=STATUSES[message.status],
            game=message.game,
            context=_read_context(message.context),
            opened_at=read_time(message.opened_at),
            closed_at=read_time(message.closed_at),
            first_seq=message.first_seq,
            last_seq=message.last_seq,
            dealer=tuple(_read_dealer_card(each) for each in message.dealer),
            hands=tuple(read_hand(each) for each in message.hands),
            outcomes=tuple(read_outcome(each) for each in message.outcomes),
            findings=tuple(message.findings),
            engine=message.engine,
        )
    except Unreadable as error:
        raise NotARecord(error.reason) from None


def write_finding(finding: Finding) -> finding_pb2.Finding:
    try:
        return finding_pb2.Finding(
            id=finding.id,
            kind=finding.kind.value,
            level=LEVEL_NUMBERS[finding.level],
            table_id=finding.table,
            seq=finding.seq,
            at=write_time(finding.at),
            text=finding.text,
            rule=finding.rule,
            round=finding.round,
            seat=finding.seat,
            hand=finding.hand,
            wager=finding.wager,
            patron=finding.patron,
            dealer=finding.dealer,
            supervisor=finding.supervisor,
            cents=finding.cents,
            tells_hole_card=finding.tells_hole_card,
        )
    except (TypeError, ValueError) as error:
        raise Unwritable(f"finding {finding.id!r}: {error}") from error


def read_finding(message: finding_pb2.Finding) -> Finding:
    try:
        return Finding(
            id=message.id,
            kind=_read_kind(message.kind),
            level=LEVELS[message.level],
            table=message.table_id,
            seq=message.seq,
            at=read_time(message.at),
            text=message.text,
            rule=message.rule,
            round=message.round,
            seat=message.seat,
            hand=message.hand,
            wager=message.wager,
            patron=message.patron,
            dealer=message.dealer,
            supervisor=message.supervisor,
            cents=message.cents,
            tells_hole_card=message.tells_hole_card,
        )
    except Unreadable as error:
        raise NotARecord(error.reason) from None


def _read_kind(code: str) -> Kind:
    """The kind with this code. One of a later contract keeps its code, and equals no member.

    >>> odd = _read_kind("payout.odd")
    >>> odd.value, odd == _read_kind("payout.odd"), odd in list(Kind)
    ('payout.odd', True, False)
    """
    known = KINDS.get(code)
    if known is not None:
        return known
    if not code:
        raise Unreadable("kind of finding is not stated")
    kind = str.__new__(Kind, code)
    kind._name_ = kind._value_ = code
    return kind


def write_withdrawal(withdrawal: Withdrawal) -> finding_pb2.Withdrawal:
    try:
        return finding_pb2.Withdrawal(
            id=withdrawal.id,
            table_id=withdrawal.table,
            seq=withdrawal.seq,
            reason=withdrawal.reason,
            round=withdrawal.round,
            kind=withdrawal.kind,
            dealer=withdrawal.dealer,
        )
    except (TypeError, ValueError) as error:
        raise Unwritable(f"withdrawal of {withdrawal.id!r}: {error}") from error


def read_withdrawal(message: finding_pb2.Withdrawal) -> Withdrawal:
    return Withdrawal(
        message.id,
        message.table_id,
        message.seq,
        message.reason,
        message.round,
        message.kind,
        message.dealer,
    )


# Parts of a round ----------------------------------------------------------------------


def _write_context(context: RoundContext) -> settled_round_pb2.RoundContext:
    return settled_round_pb2.RoundContext(
        rule_set=context.rule_set,
        dealer=context.dealer,
        supervisor=context.supervisor,
        patrons=[
            settled_round_pb2.SeatPatron(seat=each.seat, patron=each.patron)
            for each in context.patrons
        ],
        shoe=context.shoe,
        shoe_kind=SHOE_KIND_NUMBERS[context.shoe_kind],
        shoe_decks=context.shoe_decks,
        shoe_seen=context.shoe_seen,
        shoe_unread=context.shoe_unread,
        shoe_complete=context.shoe_complete,
        shoe_last=CARD_NUMBERS[context.shoe_last],
        shoe_run=context.shoe_run,
        shoe_run_reported=context.shoe_run_reported,
        payments_seen=context.payments_seen,
    )


def _read_context(message: settled_round_pb2.RoundContext) -> RoundContext:
    return RoundContext(
        rule_set=message.rule_set,
        dealer=message.dealer,
        supervisor=message.supervisor,
        patrons=tuple(SeatPatron(each.seat, each.patron) for each in message.patrons),
        shoe=message.shoe,
        shoe_kind=SHOE_KINDS[message.shoe_kind],
        shoe_decks=message.shoe_decks,
        shoe_seen=tuple(message.shoe_seen),
        shoe_unread=message.shoe_unread,
        shoe_complete=message.shoe_complete,
        shoe_last=CARDS[message.shoe_last],
        shoe_run=message.shoe_run,
        shoe_run_reported=message.shoe_run_reported,
        payments_seen=message.payments_seen,
    )


def _read_dealer_card(message: settled_round_pb2.DealerCard) -> DealerCard:
    return DealerCard(CARDS[message.card], DEALER_PLACES[message.place])


def write_hand(
    hand: HandCards, message: settled_round_pb2.HandCards
) -> settled_round_pb2.HandCards:
    """Fills an empty message."""
    message.seat = hand.seat
    message.hand = hand.hand
    message.cards.extend([CARD_NUMBERS[each] for each in hand.cards])
    if hand.doubled:
        message.doubled = hand.doubled
    if hand.surrendered:
        message.surrendered = hand.surrendered
    if hand.void:
        message.void = hand.void
    if hand.from_split:
        message.from_split = hand.from_split
    if hand.free_ace:
        message.free_ace = hand.free_ace
    return message


def read_hand(message: settled_round_pb2.HandCards) -> HandCards:
    return HandCards(
        message.seat,
        message.hand,
        tuple(CARDS[each] for each in message.cards),
        message.doubled,
        message.surrendered,
        message.void,
        message.from_split,
        message.free_ace,
    )
