"""`pitctl case`: cases in a table, and one case in full."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from casino.surveillance.v1.case_pb2 import CASE_STATE_OPEN, Case, CaseSummary, Deadline, Hold
from casino.surveillance.v1.service_pb2 import ListCasesRequest
from pitctl.alert_desk.alert_list import print_alerts
from pitctl.alert_desk.alert_page import print_activity
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import decision_words, left
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages, print_count, print_items
from pitctl.output.exit import command_name
from pitctl.output.text import Page, escape, format_clock, format_moment
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

_HEADINGS: Final = ("case", "opened (UTC)", "by", "alerts", "status", "next deadline", "title")


def list_cases(endpoint: Endpoint, request: ListCasesRequest, *, limit: int, as_json: bool) -> int:
    async def search(stub: SurveillanceServiceAsyncStub) -> tuple[list[CaseSummary], bool]:
        return await collect_pages(
            stub.ListCases, request, lambda answer: answer.cases, limit=limit
        )

    cases, more = ALERT_DESK.call(endpoint, search)
    return print_items(
        cases, lambda: _print_list(Page(sys.stdout), cases, more=more), as_json=as_json
    )


def print_case(page: Page, case: Case) -> None:
    summary = case.summary
    page.rule(Text.assemble((f"case {summary.number}", "bold"), f"  {escape(summary.title)}"))
    opened = f"{format_moment(read_time(summary.opened_at))}, by {escape(summary.opened_by)}"
    page.line((f"{'opened':<10}", "dim"), opened, indent=2)
    page.line((f"{'status':<10}", "dim"), _status(case), indent=2, hang=10)
    for person in case.people:
        words = f", {escape(person.words)}" if person.words else ""
        page.line((f"{escape(person.role):<10}", "dim"), f"{escape(person.name)}{words}", indent=2)
    for deadline in case.deadlines:
        words, style = deadline_words(deadline)
        page.line(
            (f"{'deadline':<10}", "dim"), f"{deadline.number}: {escape(deadline.words)}, ",
            (words, style), indent=2, hang=10,
        )  # fmt: skip
    for hold in case.holds:
        page.line((f"{'held':<10}", "dim"), hold_words(hold), indent=2, hang=10)
    if case.alerts:
        page.blank()
        print_alerts(page, case.alerts, more=False)
    print_activity(page, list(case.journal))


def deadline_words(deadline: Deadline) -> tuple[str, str]:
    """The due time and the time left, with their style."""
    due = format_moment(read_time(deadline.due_at))
    if deadline.met_by:
        when = format_moment(read_time(deadline.met_at))
        return f"met by {escape(deadline.met_by)} at {when}: {escape(deadline.met_words)}", "green"
    style = "bold red" if deadline.left_seconds < 0 else "bold yellow"
    return f"due {due}, {left(deadline.left_seconds)}", style


def hold_words(hold: Hold) -> str:
    begins = read_time(getattr(hold, "from"))
    words = f"{hold.number}: video {escape(hold.table_id)} {format_moment(begins)}"
    words += f" to {format_clock(read_time(hold.until))}, {escape(hold.reason)}"
    if hold.too_late:
        words += ", too late: the video was gone"
    if hold.released_by:
        words += f", released by {escape(hold.released_by)}"
    return words


def _status(case: Case) -> str:
    if case.summary.state == CASE_STATE_OPEN:
        return "open"
    outcome = decision_words(case.summary.outcome)
    when = format_moment(read_time(case.summary.closed_at))
    return f"closed as {outcome} at {when}, by {escape(case.closed_by)}: {escape(case.conclusion)}"


def _print_list(page: Page, cases: Sequence[CaseSummary], *, more: bool) -> None:
    if not cases:
        page.line(("No matching cases.", "green"))
        return
    late = ["red" if case.next_deadline.left_seconds < 0 else "" for case in cases]
    page.table(_HEADINGS, [_row(case) for case in cases], indent=0, align="rllrlll", styles=late)
    print_count(page, len(cases), "case", more=more)
    page.line((f"{command_name()} case show {cases[0].number}", "dim"))


def _row(case: CaseSummary) -> tuple[str, ...]:
    is_open = case.state == CASE_STATE_OPEN
    return (
        str(case.number),
        format_moment(read_time(case.opened_at)).removesuffix(" UTC"),
        case.opened_by,
        str(case.alerts),
        "open" if is_open else decision_words(case.outcome),
        left(case.next_deadline.left_seconds) if case.HasField("next_deadline") else "",
        case.title,
    )
