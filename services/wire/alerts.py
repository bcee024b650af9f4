"""Alerts, to bytes and back."""

from __future__ import annotations

from typing import Final

from alerting.alert import Alert
from casino.surveillance.v1 import alert_pb2
from wire import codec

_ALERT: Final = codec.derive(Alert, alert_pb2.Alert)


def encode_alert(alert: Alert) -> bytes:
    """The same alert gives the same bytes."""
    return write_alert(alert).SerializeToString(deterministic=True)


def decode_alert(data: bytes) -> Alert:
    return read_alert(codec.parse(alert_pb2.Alert, data))


def write_alert(alert: Alert) -> alert_pb2.Alert:
    return codec.write_record(_ALERT, alert, f"alert {alert.id!r}")


def read_alert(message: alert_pb2.Alert) -> Alert:
    return codec.read_record(_ALERT, message)
