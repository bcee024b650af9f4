"""Alerts survive the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from alerting.alert import Alert, AlertState, Evidence
from blackjack.findings import Level
from casino.surveillance.v1 import alert_pb2
from tests.strategies import structs
from wire.alerts import decode_alert, encode_alert
from wire.errors import NotARecord, Unwritable

RAISED = Alert(
    "a1", 1, AlertState.STANDING, "coupon.duplicate", Level.P1, "used twice", "15-453", 5, 9
)


@given(structs(Alert))
def test_an_alert_survives_the_wire(alert: Alert) -> None:
    assert decode_alert(encode_alert(alert)) == alert


def test_nothing_paid_is_told_from_no_payment_known() -> None:
    paid = replace(RAISED, evidence=(Evidence(5, "a payment", owed_cents=0, paid_cents=None),))
    (evidence,) = decode_alert(encode_alert(paid)).evidence
    assert (evidence.owed_cents, evidence.paid_cents) == (0, None)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff", "the bytes are no Alert, or were cut off"),
        (alert_pb2.Alert(id="a").SerializeToString(), "state of the alert is not stated"),
        (
            alert_pb2.Alert(id="a", state=alert_pb2.ALERT_STATE_STANDING).SerializeToString(),
            "level is not stated",
        ),
    ],
)
def test_what_is_no_alert_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(NotARecord) as rejected:
        decode_alert(data)
    assert rejected.value.reason == reason


def test_what_the_contract_cannot_carry_is_refused() -> None:
    with pytest.raises(Unwritable):
        encode_alert(replace(RAISED, seat=-1))
