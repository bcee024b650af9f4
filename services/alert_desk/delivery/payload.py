"""The body of a webhook message, and which webhooks get it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from alert_desk.grpc.masking import visible_alert
from casino.surveillance.v1.alert_pb2 import Alert

RAISED: Final = "alert.raised"
ESCALATED: Final = "alert.escalated"
REOPENED: Final = "alert.reopened"
WITHDRAWN: Final = "alert.withdrawn"
TEST: Final = "test"


@dataclass(frozen=True, slots=True)
class AlertEvent:
    """A change of an alert that webhooks may want."""

    event: str
    alert: Alert


@dataclass(frozen=True, slots=True)
class WebhookFilter:
    """Which alerts are sent to a webhook."""

    webhook: str
    level: int
    kinds: tuple[str, ...]

    def matches(self, alert: Alert) -> bool:
        is_kind = not self.kinds or alert.kind.startswith(self.kinds)
        return alert.level <= self.level and is_kind


def render_body(event: str, alert: Alert | None, *, queued_at: int) -> bytes:
    """The body, the same bytes each time it is sent. Receivers have no role: an alert that would
    reveal a hole card is masked."""
    body: dict[str, Any] = {"event": event, "queued_at_us": queued_at}
    if alert is not None:
        public, masked = visible_alert(alert, with_hidden=False)
        body["alert"] = MessageToDict(public, preserving_proto_field_name=True)
        body["masked"] = masked
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def webhooks_for(filters: Sequence[WebhookFilter], event: AlertEvent) -> list[str]:
    return [entry.webhook for entry in filters if entry.matches(event.alert)]
