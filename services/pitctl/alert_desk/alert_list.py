"""`pitctl alerts`: alerts in a table, newest first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from alerting.display_names import alert_name
from blackjack.findings import Level
from casino.surveillance.v1.service_pb2 import ListAlertsRequest
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import amount_words, level_of, state_words, where
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages, print_count, print_items
from pitctl.output.exit import command_name
from pitctl.output.text import Page, escape, format_moment
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

ID_SHOWN: Final = 8
MINUTES: Final = len("2026-03-01 20:15")
_HEADINGS: Final = ("", "raised (UTC)", "id", "kind", "where", "amount", "status")
LEVEL_ROW_STYLES: Final = {
    Level.P1: "bold red",
    Level.P2: "red",
    Level.P3: "yellow",
    Level.P4: "",
}


def run(endpoint: Endpoint, request: ListAlertsRequest, *, limit: int, as_json: bool) -> int:
    """Search and print; return the exit status."""

    async def search(stub: SurveillanceServiceAsyncStub) -> tuple[list[WorkedAlert], bool]:
        return await collect_pages(
            stub.ListAlerts, request, lambda answer: answer.alerts, limit=limit
        )

    alerts, more = ALERT_DESK.call(endpoint, search)
    return print_items(
        alerts, lambda: print_alerts(Page(sys.stdout), alerts, more=more), as_json=as_json
    )


def print_alerts(page: Page, alerts: Sequence[WorkedAlert], *, more: bool) -> None:
    if not alerts:
        page.line(("No matching alerts.", "green"))
        return
    page.table(
        _HEADINGS,
        [_row(worked) for worked in alerts],
        indent=0,
        align="lllllrl",
        styles=[LEVEL_ROW_STYLES[level_of(worked)] for worked in alerts],
        notes=[_note(worked) for worked in alerts],
    )
    print_count(page, len(alerts), "alert", more=more)
    page.line((f"{command_name()} alerts show {alerts[0].alert.id[:ID_SHOWN]}", "dim"))


def _row(worked: WorkedAlert) -> tuple[str, ...]:
    alert = worked.alert
    return (
        level_of(worked).name,
        format_moment(read_time(alert.raised_at))[:MINUTES],
        alert.id[:ID_SHOWN],
        alert_name(alert.kind),
        where(worked),
        amount_words(alert),
        state_words(worked),
    )


def _note(worked: WorkedAlert) -> str:
    """The sentence, its label, the amount of evidence, the assignee and the cases."""
    alert, work = worked.alert, worked.work
    parts = [escape(alert.sentence)]
    if alert.label:
        parts.append(f"[{escape(alert.label)}]")
    if alert.evidence_count > 1:
        parts.append(f"({alert.evidence_count} pieces of evidence)")
    if work.assignee:
        parts.append(f"(assigned to {escape(work.assignee)})")
    parts += [f"(case {number})" for number in work.cases]
    return " ".join(parts)
