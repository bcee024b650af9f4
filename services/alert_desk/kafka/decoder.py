"""Bytes of a topic to rows; unreadable messages are rejected with the reason.

Columns are for searching, and characters that they cannot hold (a zero byte) are replaced there:
the original bytes are kept beside them.
"""

from __future__ import annotations

from typing import Any, Final

from confluent_kafka import Message
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_STANDING, ALERT_STATE_WITHDRAWN, Alert
from casino.surveillance.v1.settings_pb2 import SettingChange
from runtime.database.column_values import TEXT_MAX, column_text, micros
from runtime.kafka.records import InvalidMessage, offset_of

SECONDS_MAX: Final = 221_845_392_000
"""The beginning of the year 9000."""
_LEVELS: Final = frozenset(Level.values()) - {0}
_STATES: Final = frozenset({ALERT_STATE_STANDING, ALERT_STATE_WITHDRAWN})


def parse_alert(message: Message) -> Alert:
    try:
        alert = Alert.FromString(message.value() or b"")
    except DecodeError:
        raise InvalidMessage("not an Alert, or truncated") from None
    if not (alert.id and alert.revision and alert.kind):
        raise InvalidMessage("id, revision or kind is missing")
    if len(alert.id) > TEXT_MAX or "\0" in alert.id:
        raise InvalidMessage("invalid id")
    if message.key() != alert.id.encode():
        raise InvalidMessage("the key does not match the id")
    if alert.level not in _LEVELS or alert.state not in _STATES:
        raise InvalidMessage("level or state is missing or unknown")
    if not alert.HasField("raised_at"):
        raise InvalidMessage("raised_at is missing")
    if not all(map(is_time, (alert.raised_at, alert.changed_at))):
        raise InvalidMessage("raised_at or changed_at is out of range")
    return alert


def alert_columns(alert: Alert) -> dict[str, Any]:
    raised_at = micros(alert.raised_at)
    return {
        "id": alert.id,
        "generation": alert.generation,
        "revision": alert.revision,
        "stands": alert.state == ALERT_STATE_STANDING,
        "kind": column_text(alert.kind),
        "level": alert.level,
        "label": column_text(alert.label),
        "table_id": column_text(alert.table_id),
        "round": column_text(alert.round),
        "dealer": column_text(alert.dealer),
        "patron": column_text(alert.patron),
        "coupon": column_text(alert.coupon),
        "cents": alert.cents,
        "raised_at": raised_at,
        "changed_at": max(micros(alert.changed_at), raised_at),
        "evidence_count": max(alert.evidence_count, len(alert.evidence)),
        "tells_hole_card": alert.tells_hole_card,
        "suppressed": is_suppressed(alert),
        "words": search_words(alert),
        "alert": alert.SerializeToString(deterministic=True),
    }


def is_suppressed(alert: Alert) -> bool:
    return bool(alert.suppressed_by)


def search_words(alert: Alert) -> str:
    found = [
        alert.sentence, alert.kind, alert.label, alert.id, alert.table_id, alert.round,
        alert.dealer, alert.patron, alert.coupon, alert.rule, alert.detail,
    ]  # fmt: skip
    return " ".join(text for text in found if text).replace("\0", " ").lower()


def parse_change(message: Message) -> SettingChange:
    try:
        change = SettingChange.FromString(message.value() or b"")
    except DecodeError:
        raise InvalidMessage("not a SettingChange, or truncated") from None
    if not change.change_id or change.WhichOneof("what") is None:
        raise InvalidMessage("change_id or the change itself is missing")
    times = (change.valid_from, change.patron_excluded.until, change.alerts_suppressed.until)
    if not all(map(is_time, times)):
        raise InvalidMessage("valid_from or until is out of range")
    return change


def change_columns(change: SettingChange, message: Message) -> dict[str, Any]:
    return {
        "offset": offset_of(message),
        "change_id": column_text(change.change_id),
        "what": change.WhichOneof("what"),
        "about": about(change),
        "valid_from": micros(change.valid_from),
        "valid_until": _until(change),
        "change": change.SerializeToString(deterministic=True),
    }


def about(change: SettingChange) -> str:
    """The subject of a change: of two with the same subject the later one counts."""
    match change.WhichOneof("what"):
        case "patron_excluded":
            return column_text(change.patron_excluded.patron)
        case "exclusion_lifted":
            return column_text(change.exclusion_lifted.patron)
        case "threshold_set":
            return column_text(change.threshold_set.name)
        case "level_set":
            return column_text(change.level_set.kind)
        case "alerts_suppressed":
            return column_text(change.alerts_suppressed.kind)
        case _:
            return column_text(change.suppression_lifted.suppression)


def _until(change: SettingChange) -> int | None:
    for limited in (change.patron_excluded, change.alerts_suppressed):
        if limited.HasField("until"):
            return micros(limited.until)
    return None


def is_time(at: Timestamp) -> bool:
    """Whether a calendar can count on from this time: calendars end with the year 9999."""
    return 0 <= at.seconds < SECONDS_MAX and 0 <= at.nanos <= 999_999_999
