"""Bytes of a topic to rows; what no codec reads is refused with the reason.

Columns are for searching, and what cannot stand in one (a zero byte in a text) is replaced there:
the bytes as they were said are kept beside them.
"""

from __future__ import annotations

from typing import Any, Final

from confluent_kafka import Message
from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1.finding_pb2 import Level
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_STANDING, ALERT_STATE_WITHDRAWN, Alert
from casino.surveillance.v1.settings_pb2 import SettingChange
from runtime.kafka.records import offset_of

SECONDS_MAX: Final = 221_845_392_000
"""The beginning of the year 9000."""
TEXT_MAX: Final = 300
"""Names have a few dozen characters; what is longer is cut in the columns."""
_LEVELS: Final = frozenset(Level.values()) - {0}
_STATES: Final = frozenset({ALERT_STATE_STANDING, ALERT_STATE_WITHDRAWN})


class NotReadable(ValueError):
    """A message that is none of its topic."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def read_alert(message: Message) -> Alert:
    try:
        alert = Alert.FromString(message.value() or b"")
    except DecodeError:
        raise NotReadable("the bytes are no Alert, or were cut off") from None
    if not (alert.id and alert.revision and alert.kind):
        raise NotReadable("id, revision or kind is not stated")
    if len(alert.id) > TEXT_MAX or "\0" in alert.id:
        raise NotReadable("the id is no name")
    if message.key() != alert.id.encode():
        raise NotReadable("its key is not its id")
    if alert.level not in _LEVELS or alert.state not in _STATES:
        raise NotReadable("level or state is not stated, or not known")
    if not alert.HasField("raised_at"):
        raise NotReadable("when it was raised is not stated")
    if not all(map(is_time, (alert.raised_at, alert.changed_at))):
        raise NotReadable("it was raised or changed at no time of ours")
    return alert


def alert_columns(alert: Alert) -> dict[str, Any]:
    raised_at = micros(alert.raised_at)
    return {
        "id": alert.id,
        "generation": alert.generation,
        "revision": alert.revision,
        "stands": alert.state == ALERT_STATE_STANDING,
        "kind": plain(alert.kind),
        "level": alert.level,
        "label": plain(alert.label),
        "table_id": plain(alert.table_id),
        "round": plain(alert.round),
        "dealer": plain(alert.dealer),
        "patron": plain(alert.patron),
        "coupon": plain(alert.coupon),
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
    return " ".join(each for each in found if each).replace("\0", " ").lower()


def read_change(message: Message) -> SettingChange:
    try:
        change = SettingChange.FromString(message.value() or b"")
    except DecodeError:
        raise NotReadable("the bytes are no SettingChange, or were cut off") from None
    if not change.change_id or change.WhichOneof("what") is None:
        raise NotReadable("the id of the change, or what is set, is not stated")
    times = (change.valid_from, change.patron_excluded.until, change.alerts_suppressed.until)
    if not all(map(is_time, times)):
        raise NotReadable("it counts from or until no time of ours")
    return change


def change_columns(change: SettingChange, message: Message) -> dict[str, Any]:
    return {
        "offset": offset_of(message),
        "change_id": plain(change.change_id),
        "what": change.WhichOneof("what"),
        "about": about(change),
        "valid_from": micros(change.valid_from),
        "valid_until": _until(change),
        "change": change.SerializeToString(deterministic=True),
    }


def about(change: SettingChange) -> str:
    """What a change is about: two about the same follow one another."""
    match change.WhichOneof("what"):
        case "patron_excluded":
            return plain(change.patron_excluded.patron)
        case "exclusion_lifted":
            return plain(change.exclusion_lifted.patron)
        case "threshold_set":
            return plain(change.threshold_set.name)
        case "level_set":
            return plain(change.level_set.kind)
        case "alerts_suppressed":
            return plain(change.alerts_suppressed.kind)
        case _:
            return plain(change.suppression_lifted.suppression)


def _until(change: SettingChange) -> int | None:
    for each in (change.patron_excluded, change.alerts_suppressed):
        if each.HasField("until"):
            return micros(each.until)
    return None


def plain(text: str) -> str:
    """As a column holds it."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")[:TEXT_MAX]


def is_time(at: Timestamp) -> bool:
    """Whether it is one that can be counted on from: calendars end with the year 9999."""
    return 0 <= at.seconds < SECONDS_MAX and 0 <= at.nanos <= 999_999_999


def micros(at: Timestamp) -> int:
    """Microseconds since 1970, of a time that is one."""
    return at.seconds * 1_000_000 + at.nanos // 1000
