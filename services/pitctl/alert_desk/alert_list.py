"""`pitctl alerts`: alerts in a table, the newest first."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from blackjack.findings import Level
from casino.surveillance.v1.service_pb2 import ListAlertsRequest
from casino.surveillance.v1.work_pb2 import WorkedAlert
from pitctl.alert_desk.client import PAGE_MAX, ask
from pitctl.alert_desk.labels import amount_words, level_of, state_words, where
from pitctl.connection.channel import Place
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

FOUND: Final = 0
NOTHING: Final = 1
ID_SHOWN: Final = 8
MINUTES: Final = len("2026-03-01 20:15")
_HEADINGS: Final = ("", "raised (UTC)", "id", "kind", "where", "amount", "state")
_STYLES: Final = {Level.P1: "bold red", Level.P2: "red", Level.P3: "yellow", Level.P4: ""}


def run(place: Place, request: ListAlertsRequest, *, limit: int, as_json: bool) -> int:
    """Search, print; the exit status."""

    async def search(desk: SurveillanceServiceAsyncStub) -> tuple[list[WorkedAlert], bool]:
        found: list[WorkedAlert] = []
        while True:
            request.page_size = min(limit - len(found), PAGE_MAX)
            answer = await desk.ListAlerts(request)
            found += answer.alerts
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found, bool(request.page_token)

    alerts, more = ask(place, search)
    if as_json:
        for each in alerts:
            print(json.dumps(as_fields(each), ensure_ascii=False))
    else:
        print_alerts(Page(sys.stdout), alerts, more=more)
    return FOUND if alerts else NOTHING


def print_alerts(page: Page, alerts: Sequence[WorkedAlert], *, more: bool) -> None:
    if not alerts:
        page.line(("no alert is like that", "green"))
        return
    page.table(
        _HEADINGS,
        [_row(each) for each in alerts],
        indent=0,
        align="lllllrl",
        styles=[_STYLES[level_of(each)] for each in alerts],
        notes=[_note(each) for each in alerts],
    )
    page.blank()
    said = counted(len(alerts), "alert") + (", and there are more: --limit" if more else "")
    page.line((said, "dim"))
    page.line((f"{called()} alerts show {alerts[0].alert.id[:ID_SHOWN]}", "dim"))


def _row(worked: WorkedAlert) -> tuple[str, ...]:
    alert = worked.alert
    return (
        level_of(worked).name,
        moment(read_time(alert.raised_at))[:MINUTES],
        alert.id[:ID_SHOWN],
        alert.kind,
        where(worked),
        amount_words(alert),
        state_words(worked),
    )


def _note(worked: WorkedAlert) -> str:
    """The sentence, what it must be called, and how much proves it."""
    alert, work = worked.alert, worked.work
    parts = [plain(alert.sentence)]
    if alert.label:
        parts.append(f"[{plain(alert.label)}]")
    if alert.evidence_count > 1:
        parts.append(f"({alert.evidence_count} pieces of evidence)")
    if work.assignee:
        parts.append(f"({plain(work.assignee)} has it)")
    parts += [f"(case {each})" for each in work.cases]
    return " ".join(parts)
