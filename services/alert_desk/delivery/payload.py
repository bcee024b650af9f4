"""What a webhook is told of an alert, and which alerts it is told of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from alert_desk.grpc.masking import shown
from casino.surveillance.v1.alert_pb2 import Alert

RAISED: Final = "alert.raised"
ESCALATED: Final = "alert.escalated"
REOPENED: Final = "alert.reopened"
WITHDRAWN: Final = "alert.withdrawn"
TEST: Final = "test"


@dataclass(frozen=True, slots=True)
class AlertEvent:
    """What became of an alert that somebody may want to be told."""

    event: str
    alert: Alert


@dataclass(frozen=True, slots=True)
class WebhookFilter:
    """Which alerts a webhook is told of."""

    webhook: str
    level: int
    kinds: tuple[str, ...]

    def wants(self, alert: Alert) -> bool:
        is_kind = not self.kinds or alert.kind.startswith(self.kinds)
        return alert.level <= self.level and is_kind


def body(event: str, alert: Alert | None, *, said_at: int) -> bytes:
    """The same bytes each time it is sent. Whoever listens may be anybody: what tells a hole card
    is left out."""
    told: dict[str, Any] = {"event": event, "said_at_us": said_at}
    if alert is not None:
        public, masked = shown(alert, with_hidden=False)
        told["alert"] = MessageToDict(public, preserving_proto_field_name=True)
        told["masked"] = masked
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def webhooks_for(webhooks: Sequence[WebhookFilter], told: AlertEvent) -> list[str]:
    return [each.webhook for each in webhooks if each.wants(told.alert)]
