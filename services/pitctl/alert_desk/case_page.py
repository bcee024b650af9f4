"""`pitctl case`: cases in a table, and one with all there is in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from casino.surveillance.v1.case_pb2 import CASE_STATE_OPEN, Case, CaseSummary, Deadline, Hold
from casino.surveillance.v1.service_pb2 import ListCasesRequest
from pitctl.alert_desk.alert_list import print_alerts
from pitctl.alert_desk.alert_page import print_journal
from pitctl.alert_desk.client import PAGE_MAX, ask
from pitctl.alert_desk.labels import decision_words, left
from pitctl.connection.channel import Place
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, clock, counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

DONE: Final = 0
NOTHING: Final = 1
_HEADINGS: Final = ("case", "opened (UTC)", "by", "alerts", "state", "next deadline", "title")


def run_list(place: Place, request: ListCasesRequest, *, limit: int, as_json: bool) -> int:
    async def search(desk: SurveillanceServiceAsyncStub) -> tuple[list[CaseSummary], bool]:
        found: list[CaseSummary] = []
        while True:
            request.page_size = min(limit - len(found), PAGE_MAX)
            answer = await desk.ListCases(request)
            found += answer.cases
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found, bool(request.page_token)

    cases, more = ask(place, search)
    if as_json:
        for each in cases:
            print(json.dumps(as_fields(each), ensure_ascii=False))
    else:
        _print_list(Page(sys.stdout), cases, more=more)
    return DONE if cases else NOTHING


def do(
    place: Place,
    call: Callable[[SurveillanceServiceAsyncStub], Awaitable[Any]],
    *,
    as_json: bool,
) -> int:
    """The case as it is afterwards; of a note the note alone."""
    answer = ask(place, call)
    if as_json:
        print(json.dumps(as_fields(answer), ensure_ascii=False, indent=2))
    elif hasattr(answer, "case"):
        print_case(Page(sys.stdout), answer.case)
    else:
        Page(sys.stdout).line(f"noted by {plain(answer.entry.author)}")
    return DONE


def print_case(page: Page, case: Case) -> None:
    summary = case.summary
    page.rule(Text.assemble((f"case {summary.number}", "bold"), f"  {plain(summary.title)}"))
    opened = f"{moment(read_time(summary.opened_at))}, by {plain(summary.opened_by)}"
    page.line((f"{'opened':<10}", "dim"), opened, indent=2)
    page.line((f"{'state':<10}", "dim"), _standing(case), indent=2, hang=10)
    for person in case.people:
        words = f", {plain(person.words)}" if person.words else ""
        page.line((f"{plain(person.role):<10}", "dim"), f"{plain(person.name)}{words}", indent=2)
    for deadline in case.deadlines:
        said, style = deadline_words(deadline)
        page.line(
            (f"{'deadline':<10}", "dim"), f"{deadline.number}: {plain(deadline.words)}, ",
            (said, style), indent=2, hang=10,
        )  # fmt: skip
    for hold in case.holds:
        page.line((f"{'held':<10}", "dim"), hold_words(hold), indent=2, hang=10)
    if case.alerts:
        page.blank()
        print_alerts(page, case.alerts, more=False)
    print_journal(page, list(case.journal))


def deadline_words(deadline: Deadline) -> tuple[str, str]:
    """When it is over and how much is left, with its colour."""
    due = moment(read_time(deadline.due_at))
    if deadline.met_by:
        when = moment(read_time(deadline.met_at))
        return f"met by {plain(deadline.met_by)} at {when}: {plain(deadline.met_words)}", "green"
    style = "bold red" if deadline.left_seconds < 0 else "bold yellow"
    return f"due {due}, {left(deadline.left_seconds)}", style


def hold_words(hold: Hold) -> str:
    begins = read_time(getattr(hold, "from"))
    said = f"{hold.number}: video {plain(hold.table_id)} {moment(begins)}"
    said += f" to {clock(read_time(hold.until))}, {plain(hold.reason)}"
    if hold.too_late:
        said += ", too late: the video was gone"
    if hold.released_by:
        said += f", released by {plain(hold.released_by)}"
    return said


def _standing(case: Case) -> str:
    if case.summary.state == CASE_STATE_OPEN:
        return "open"
    outcome = decision_words(case.summary.outcome)
    when = moment(read_time(case.summary.closed_at))
    return f"closed as {outcome} at {when}, by {plain(case.closed_by)}: {plain(case.conclusion)}"


def _print_list(page: Page, cases: Sequence[CaseSummary], *, more: bool) -> None:
    if not cases:
        page.line(("no case is like that", "green"))
        return
    late = ["red" if each.next_deadline.left_seconds < 0 else "" for each in cases]
    page.table(_HEADINGS, [_row(each) for each in cases], indent=0, align="rllrlll", styles=late)
    page.blank()
    said = counted(len(cases), "case") + (", and there are more: --limit" if more else "")
    page.line((said, "dim"))
    page.line((f"{called()} case show {cases[0].number}", "dim"))


def _row(case: CaseSummary) -> tuple[str, ...]:
    is_open = case.state == CASE_STATE_OPEN
    return (
        str(case.number),
        moment(read_time(case.opened_at)).removesuffix(" UTC"),
        case.opened_by,
        str(case.alerts),
        "open" if is_open else decision_words(case.outcome),
        left(case.next_deadline.left_seconds) if case.HasField("next_deadline") else "",
        case.title,
    )
