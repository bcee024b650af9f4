"""What settlement says survives the wire and text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from blackjack.findings import Finding, Kind, Level, Withdrawal
from blackjack.outcomes import (
    DealerCard,
    HandCards,
    RoundContext,
    SeatPatron,
    SettledRound,
    WagerOutcome,
)
from casino.settlement.v1 import finding_pb2, record_pb2, settled_round_pb2
from tests.strategies import structs
from wire.errors import NotARecord, Unwritable
from wire.json_lines import record_from_json, record_to_json
from wire.outcomes import read_outcome, write_outcome
from wire.settlement import (
    Record,
    decode_finding,
    decode_record,
    decode_round,
    decode_withdrawal,
    encode_finding,
    encode_record,
    encode_round,
    encode_withdrawal,
)

RECORDS: st.SearchStrategy[Record] = st.one_of(
    structs(SettledRound), structs(Finding), structs(Withdrawal)
)
FOUND = Finding("f1", Kind.OVERPAID, Level.P2, "T-07", 9, 1_000_000, "paid 5 too much", "clause 7")


@given(structs(SettledRound))
def test_a_round_survives_the_wire(settled: SettledRound) -> None:
    assert decode_round(encode_round(settled)) == settled


@given(structs(WagerOutcome))
def test_an_outcome_survives_the_wire(outcome: WagerOutcome) -> None:
    assert read_outcome(write_outcome(outcome, settled_round_pb2.WagerOutcome())) == outcome


@given(structs(Finding))
def test_a_finding_survives_the_wire(finding: Finding) -> None:
    assert decode_finding(encode_finding(finding)) == finding


@given(structs(Withdrawal))
def test_a_withdrawal_survives_the_wire(withdrawal: Withdrawal) -> None:
    assert decode_withdrawal(encode_withdrawal(withdrawal)) == withdrawal


@given(RECORDS)
def test_a_record_survives_the_wire_and_text(record: Record) -> None:
    assert decode_record(encode_record(record)) == record
    line = record_to_json(record)
    assert "\n" not in line
    assert record_from_json(line) == record


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (SettledRound, settled_round_pb2.SettledRound),
        (RoundContext, settled_round_pb2.RoundContext),
        (WagerOutcome, settled_round_pb2.WagerOutcome),
        (HandCards, settled_round_pb2.HandCards),
        (DealerCard, settled_round_pb2.DealerCard),
        (SeatPatron, settled_round_pb2.SeatPatron),
        (Finding, finding_pb2.Finding),
        (Withdrawal, finding_pb2.Withdrawal),
    ],
)
def test_a_message_has_the_fields_of_its_value_by_the_same_names(kind: Any, message: Any) -> None:
    names = ["table_id" if each.name == "table" else each.name for each in fields(kind)]
    assert [field.name for field in message.DESCRIPTOR.fields] == names


@given(st.binary(max_size=200))
def test_random_bytes_are_a_record_or_not_and_nothing_else(data: bytes) -> None:
    for decode in (decode_record, decode_round, decode_finding, decode_withdrawal):
        with suppress(NotARecord):
            decode(data)


def test_a_kind_of_finding_of_a_later_contract_is_kept_by_its_code() -> None:
    message = finding_pb2.Finding(kind="payout.odd", level=finding_pb2.LEVEL_P2)
    data = message.SerializeToString()
    found = decode_finding(data)
    assert found.kind.value == str(found.kind) == "payout.odd"
    assert found == decode_finding(data)
    assert len({found, decode_finding(data)}) == 1
    assert found.kind not in list(Kind)
    assert encode_finding(found) == data


def test_a_finding_has_a_kind() -> None:
    message = finding_pb2.Finding(level=finding_pb2.LEVEL_P2)
    with pytest.raises(NotARecord, match="kind of finding is not stated"):
        decode_finding(message.SerializeToString())


def test_a_record_is_one_of_three() -> None:
    with pytest.raises(NotARecord, match="neither a round, a finding nor a withdrawal"):
        decode_record(record_pb2.SettlementRecord().SerializeToString())


def test_what_the_contract_cannot_carry_is_not_written() -> None:
    with pytest.raises(Unwritable, match="withdrawal of 'f1'"):
        encode_withdrawal(Withdrawal("f1", "T-07", -1, "late card"))


def test_a_line_of_settlement_reads_as_plain_json() -> None:
    assert record_to_json(FOUND) == (
        '{"finding":{"id":"f1","kind":"payout.overpaid","level":"LEVEL_P2","tableId":"T-07",'
        '"seq":"9","at":"1970-01-01T00:00:01Z","text":"paid 5 too much","rule":"clause 7"}}'
    )
