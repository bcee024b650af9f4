"""What settlement says: rounds, findings and withdrawals, to bytes and back.

The bytes of a record depend on the record alone: the same log gives the same bytes.
"""

from __future__ import annotations

from typing import Final

from blackjack.findings import Finding, Withdrawal
from blackjack.outcomes import SettledRound
from casino.settlement.v1 import finding_pb2, record_pb2, settled_round_pb2
from wire import codec
from wire.errors import NotARecord

Record = SettledRound | Finding | Withdrawal

SEQ_MAX: Final = 2**63 - 1
VERSION_MAX: Final = 2**31 - 1

_ROUND: Final = codec.derive(SettledRound, settled_round_pb2.SettledRound)
_FINDING: Final = codec.derive(Finding, finding_pb2.Finding)
_WITHDRAWAL: Final = codec.derive(Withdrawal, finding_pb2.Withdrawal)


# Bytes ---------------------------------------------------------------------------------


def encode_record(record: Record) -> bytes:
    """A record that says of itself which kind it is: for a topic or a file of several kinds."""
    return write_record(record).SerializeToString(deterministic=True)


def decode_record(data: bytes) -> Record:
    return read_record(codec.parse(record_pb2.SettlementRecord, data))


def encode_round(settled: SettledRound) -> bytes:
    return write_round(settled).SerializeToString(deterministic=True)


def decode_round(data: bytes) -> SettledRound:
    return read_round(parse_round(data))


def parse_round(data: bytes) -> settled_round_pb2.SettledRound:
    """The message of a round that every reader takes, or `NotARecord`: it is named, and its
    numbers fit a column of the database."""
    message = codec.parse(settled_round_pb2.SettledRound, data)
    if not (message.table_id and message.round and message.version):
        raise NotARecord("table, round or version is not stated")
    if max(message.first_seq, message.last_seq) > SEQ_MAX or message.version > VERSION_MAX:
        raise NotARecord("its version or a number of its events is out of range")
    return message


def parse_finding(data: bytes) -> finding_pb2.Finding | finding_pb2.Withdrawal:
    """The message of a finding or a withdrawal that every reader takes, or `NotARecord`."""
    record = codec.parse(record_pb2.SettlementRecord, data)
    which = record.WhichOneof("record")
    message = record.withdrawal if which == "withdrawal" else record.finding
    if which not in ("finding", "withdrawal") or not (message.table_id and message.id):
        raise NotARecord("neither a finding nor a withdrawal, or without table or id")
    if message.seq > SEQ_MAX:
        raise NotARecord("the number of its event is out of range")
    return message


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
    return codec.write_record(_ROUND, settled, f"round {settled.round!r}")


def read_round(message: settled_round_pb2.SettledRound) -> SettledRound:
    return codec.read_record(_ROUND, message)


def write_finding(finding: Finding) -> finding_pb2.Finding:
    return codec.write_record(_FINDING, finding, f"finding {finding.id!r}")


def read_finding(message: finding_pb2.Finding) -> Finding:
    return codec.read_record(_FINDING, message)


def write_withdrawal(withdrawal: Withdrawal) -> finding_pb2.Withdrawal:
    return codec.write_record(_WITHDRAWAL, withdrawal, f"withdrawal of {withdrawal.id!r}")


def read_withdrawal(message: finding_pb2.Withdrawal) -> Withdrawal:
    return codec.read_record(_WITHDRAWAL, message)
