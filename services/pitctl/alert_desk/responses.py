"""Requests to the alert desk that answer at once: one call, printed by the type of its answer."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.message import Message

from alerting.display_names import alert_name
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.settings_pb2 import SettingChange
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.case_page import print_case
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import level_of, state_words, where
from pitctl.alert_desk.settings import (
    print_change,
    print_changes,
    print_removed,
    print_settings,
    print_test,
    print_webhook,
    print_webhooks,
)
from pitctl.connection.channel import Endpoint
from pitctl.connection.options import CommandCall
from pitctl.output.exit import NEGATIVE, OK
from pitctl.output.json_out import print_fields
from pitctl.output.text import Page, count_noun, escape

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub


def send(request: Message, call: CommandCall) -> int:
    """Send the request to the call that is named after it, and print the answer."""
    method = type(request).__name__.removesuffix("Request")
    endpoint = ALERT_DESK.find(*call.where)
    answer = ALERT_DESK.call(endpoint, lambda stub: getattr(stub, method)(request))
    if call.as_json:
        print_fields(answer, indent=2)
    else:
        _printer_of(answer)(Page(sys.stdout), answer)
    is_failed = isinstance(answer, pb.TestWebhookResponse) and not answer.delivered
    return NEGATIVE if is_failed else OK


def change_setting(change: SettingChange, call: CommandCall) -> int:
    """Change a setting or an exclusion."""
    return send(pb.ChangeSettingRequest(change=change), call)


def rebuild(endpoint: Endpoint, *, as_json: bool) -> int:
    """Rebuild the tables of alerts and settings, and show the progress."""

    async def work(stub: SurveillanceServiceAsyncStub) -> AsyncIterator[tuple[int, int]]:
        async for answer in stub.Rebuild(pb.RebuildRequest()):
            yield answer.done, answer.total

    done = ALERT_DESK.follow(endpoint, "rebuilding", work)
    if as_json:
        print(json.dumps({"messages": done}))
    else:
        print(f"alerts and settings rebuilt from {count_noun(done, 'message')}")
    return OK


def print_alert_status(page: Page, worked: WorkedAlert) -> None:
    words = f"{state_words(worked)}, by {escape(worked.work.changed_by)}"
    if worked.work.assignee:
        words += f"; assigned to {escape(worked.work.assignee)}"
    page.line(
        (f"{level_of(worked).name} {escape(worked.alert.id[:8])} ", "dim"),
        f"{escape(alert_name(worked.alert.kind))} {where(worked)}: ",
        (words, "bold"),
    )


def _printer_of(answer: Any) -> Callable[[Page, Any], None]:
    if printer := _PRINTERS.get(type(answer)):
        return printer
    if hasattr(answer, "case"):
        return lambda page, answer: print_case(page, answer.case)
    if hasattr(answer, "alert"):
        return lambda page, answer: print_alert_status(page, answer.alert)
    return lambda page, answer: page.line(f"note added by {escape(answer.entry.author)}")


_PRINTERS: Final[dict[type, Callable[[Page, Any], None]]] = {
    pb.ListSettingsResponse: print_settings,
    pb.ListSettingChangesResponse: print_changes,
    pb.ChangeSettingResponse: print_change,
    pb.ListWebhooksResponse: print_webhooks,
    pb.SetWebhookResponse: print_webhook,
    pb.TestWebhookResponse: print_test,
    pb.RemoveWebhookResponse: print_removed,
}
