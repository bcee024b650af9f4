"""What settlement says survives the wire and text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.findings import Finding, Kind, Level, Withdrawal
from blackjack.outcomes import (
    SettledRound,
)
from casino.settlement.v1 import finding_pb2, record_pb2, settled_round_pb2
from tests.strategies import structs
from wire.errors import NotARecord, Unwritable
from wire.json_lines import record_from_json, record_to_json
from wire.settlement import (
    Record,
    decode_record,
    decode_round,
    encode_record,
    encode_round,
    parse_finding,
    parse_round,
    read_finding,
    write_finding,
    write_withdrawal,
)

RECORDS: st.SearchStrategy[Record] = st.one_of(
    structs(SettledRound), structs(Finding), structs(Withdrawal)
)
FOUND = Finding("f1", Kind.OVERPAID, Level.P2, "T-07", 9, 1_000_000, "paid 5 too much", "clause 7")


@given(structs(SettledRound))
def test_a_round_survives_the_wire(settled: SettledRound) -> None:
    assert decode_round(encode_round(settled)) == settled


@given(RECORDS)
def test_a_record_survives_the_wire_and_text(record: Record) -> None:
    assert decode_record(encode_record(record)) == record
    line = record_to_json(record)
    assert "\n" not in line
    assert record_from_json(line) == record


@given(st.binary(max_size=200))
def test_random_bytes_are_a_record_or_not_and_nothing_else(data: bytes) -> None:
    for decode in (decode_record, decode_round):
        with suppress(NotARecord):
            decode(data)


def test_a_kind_of_finding_of_a_later_contract_is_kept_by_its_code() -> None:
    message = finding_pb2.Finding(kind="payout.odd", level=finding_pb2.LEVEL_P2)
    found = read_finding(message)
    assert found.kind.value == str(found.kind) == "payout.odd"
    assert found == read_finding(message)
    assert len({found, read_finding(message)}) == 1
    assert found.kind not in list(Kind)
    assert write_finding(found) == message


def test_a_finding_has_a_kind() -> None:
    message = finding_pb2.Finding(level=finding_pb2.LEVEL_P2)
    with pytest.raises(NotARecord, match="kind of finding is not stated"):
        read_finding(message)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"table_id": ""}, "table, round or version is not stated"),
        ({"round": ""}, "table, round or version is not stated"),
        ({"version": 0}, "table, round or version is not stated"),
        ({"version": 2**31}, "its version or a number of its events is out of range"),
        ({"first_seq": 2**63}, "its version or a number of its events is out of range"),
        ({"last_seq": 2**63}, "its version or a number of its events is out of range"),
    ],
)
def test_a_round_that_no_store_can_keep_is_refused(changes: dict[str, Any], reason: str) -> None:
    message = settled_round_pb2.SettledRound(table_id="T-07", round="R-1", version=1)
    assert parse_round(message.SerializeToString()) == message
    for name, value in changes.items():
        setattr(message, name, value)
    with pytest.raises(NotARecord) as rejected:
        parse_round(message.SerializeToString())
    assert rejected.value.reason == reason


def test_a_finding_or_withdrawal_names_itself_and_its_table() -> None:
    sound = record_pb2.SettlementRecord(finding=finding_pb2.Finding(id="f1", table_id="T-07"))
    assert parse_finding(sound.SerializeToString()) == sound.finding
    gone = finding_pb2.Withdrawal(id="f1", table_id="T-07", seq=2**63)
    for record, reason in [
        (record_pb2.SettlementRecord(), "neither a finding nor a withdrawal"),
        (record_pb2.SettlementRecord(finding=finding_pb2.Finding(id="f1")), "without table or id"),
        (record_pb2.SettlementRecord(withdrawal=gone), "the number of its event is out of range"),
    ]:
        with pytest.raises(NotARecord, match=reason):
            parse_finding(record.SerializeToString())


def test_a_record_is_one_of_three() -> None:
    with pytest.raises(NotARecord, match="neither a round, a finding nor a withdrawal"):
        decode_record(record_pb2.SettlementRecord().SerializeToString())


def test_what_the_contract_cannot_carry_is_not_written() -> None:
    with pytest.raises(Unwritable, match="withdrawal of 'f1'"):
        write_withdrawal(Withdrawal("f1", "T-07", -1, "late card"))


def test_a_line_of_settlement_reads_as_plain_json() -> None:
    assert record_to_json(FOUND) == (
        '{"finding":{"id":"f1","kind":"payout.overpaid","level":"LEVEL_P2","tableId":"T-07",'
        '"seq":"9","at":"1970-01-01T00:00:01Z","text":"paid 5 too much","rule":"clause 7"}}'
    )
