"""`pitctl case`: list, open, show, note, add, hold, release, deadline, met, close, report."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import (
    Alerts,
    CaseNumber,
    CaseStatus,
    DeadlineRuleName,
    Limit,
    Note,
    NoteArgument,
    OutcomeArgument,
    People,
    Reason,
    alert_desk_command,
)
from pitctl.connection.options import CommandCall, service_command, text
from pitctl.output.help import CommandApp, ListGroup

app = CommandApp(cls=ListGroup)


@app.callback()
def case() -> None:
    """Manage cases: alerts, people, held video and deadlines.

    `pitctl case` lists open cases.

    \b
    Examples:
      pitctl case                                     list open cases and next deadlines
      pitctl case open "Seat 3 overpaid" --alert 5f0c2a91 --person dealer:D-17
      pitctl case deadline 12 "notify the commission" --rule 24h
      pitctl case met 12 3 "report 2026-77, by telephone"
      pitctl case close 12 confirmed --conclusion "dismissed" --countersigned-by bob
      pitctl case report 12 --output case-12.pdf
    """


@app.command("list", short_help="List cases.")
@alert_desk_command
def list_(
    status: Annotated[
        CaseStatus, typer.Option("--status", "--state", help="Status of the case.")
    ] = CaseStatus.OPEN,
    search: Annotated[str, text("--text", "WORDS", "Words in title, notes and people.")] = "",
    due: Annotated[
        str, text("--due-before", "TIME", "Only cases with a deadline before TIME (UTC).")
    ] = "",
    limit: Limit = 50,
    *,
    call: CommandCall,
) -> int:
    """List cases, newest first, with the time left to the next deadline.

    \b
    Exit status:
      0  cases are listed
      1  no matching cases, or the service rejected the request
      2  invalid arguments, or the service is unavailable
    """
    from casino.surveillance.v1.case_pb2 import CaseState
    from casino.surveillance.v1.service_pb2 import ListCasesRequest
    from pitctl.alert_desk.case_page import list_cases
    from pitctl.alert_desk.client import ALERT_DESK
    from pitctl.arguments import read_stamp

    states = {
        CaseStatus.OPEN: CaseState.CASE_STATE_OPEN,
        CaseStatus.CLOSED: CaseState.CASE_STATE_CLOSED,
        CaseStatus.ALL: CaseState.CASE_STATE_UNSPECIFIED,
    }
    request = ListCasesRequest(
        state=states[status],
        text=search,
        due_before=read_stamp(due, ahead=True) if due else None,
    )
    return list_cases(ALERT_DESK.find(*call.where), request, limit=limit, as_json=call.as_json)


@app.command(short_help="Open a case with alerts and people.")
@alert_desk_command
def open(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="Subject of the case, one line.")],
    alert: Alerts = [],  # noqa: B006
    person: People = [],  # noqa: B006
    note: Note = "",
    *,
    call: CommandCall,
) -> int:
    """Open a case. The video of its alerts is held at once."""
    from casino.surveillance.v1.service_pb2 import OpenCaseRequest
    from pitctl.alert_desk.labels import read_person

    people = [read_person(text) for text in person]
    request = OpenCaseRequest(title=title, alert_ids=alert, people=people, note=note)
    return _send(request, call)


@app.command(short_help="Show a case with all its contents.")
@alert_desk_command
def show(case: CaseNumber, *, call: CommandCall) -> int:
    """Show a case: alerts, people, deadlines, held video and activity."""
    from casino.surveillance.v1.service_pb2 import GetCaseRequest

    return _send(GetCaseRequest(number=case), call)


@app.command(short_help="Add a note to a case.")
@alert_desk_command
def note(case: CaseNumber, words: NoteArgument, *, call: CommandCall) -> int:
    """Add a note to a case, open or closed."""
    from casino.surveillance.v1.service_pb2 import AddNoteRequest

    return _send(AddNoteRequest(case_number=case, text=words), call)


@app.command(short_help="Add alerts and people to a case.")
@alert_desk_command
def add(
    case: CaseNumber,
    alert: Alerts = [],  # noqa: B006
    person: People = [],  # noqa: B006
    *,
    call: CommandCall,
) -> int:
    """Add alerts and people to a case. The video of the alerts is held at once."""
    from casino.surveillance.v1.service_pb2 import AddToCaseRequest
    from pitctl.alert_desk.labels import read_person

    people = [read_person(text) for text in person]
    return _send(AddToCaseRequest(number=case, alert_ids=alert, people=people), call)


@app.command(short_help="Hold video beyond its retention time.")
@alert_desk_command
def hold(
    case: CaseNumber,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Table.")],
    since: Annotated[str, text("--since", "TIME", "Start of the video (UTC).")],
    until: Annotated[str, text("--until", "TIME", "End of the video (UTC).")],
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """Hold the video of a table beyond the seven gaming days of its retention."""
    from casino.surveillance.v1.service_pb2 import HoldEvidenceRequest
    from pitctl.arguments import read_stamp

    request = HoldEvidenceRequest(
        number=case,
        table_id=table,
        until=read_stamp(until),
        reason=reason,
        **{"from": read_stamp(since)},  # type: ignore[arg-type]
    )
    return _send(request, call)


@app.command(short_help="Release held video.")
@alert_desk_command
def release(
    case: CaseNumber,
    hold: Annotated[int, typer.Argument(metavar="HOLD", min=1, help="Number of the hold.")],
    reason: Reason = "",
    *,
    call: CommandCall,
) -> int:
    """Release held video."""
    from casino.surveillance.v1.service_pb2 import ReleaseEvidenceRequest

    return _send(ReleaseEvidenceRequest(number=case, hold=hold, reason=reason), call)


@app.command(short_help="Set a deadline.")
@alert_desk_command
def deadline(
    case: CaseNumber,
    words: Annotated[str, typer.Argument(metavar="TEXT", help="Action that is due.")],
    rule: Annotated[
        DeadlineRuleName, typer.Option(help="Time allowed.")
    ] = DeadlineRuleName.HOURS_24,
    at: Annotated[str, text("--at", "TIME", "Due time (UTC), instead of a rule.")] = "",
    since: Annotated[
        str, text("--since", "TIME", "Start of the time allowed (UTC); default: the first alert.")
    ] = "",
    *,
    call: CommandCall,
) -> int:
    """Set a deadline: 24 hours, 72 hours, or the end of the third business day.

    Hours are elapsed hours, even when clocks change. Weekends and legal holidays of the
    State are not business days.
    """
    from casino.surveillance.v1.case_pb2 import DEADLINE_RULE_AT
    from casino.surveillance.v1.service_pb2 import SetDeadlineRequest
    from pitctl.alert_desk.labels import read_rule
    from pitctl.arguments import read_stamp

    request = SetDeadlineRequest(
        number=case,
        words=words,
        rule=DEADLINE_RULE_AT if at else read_rule(rule),
        due_at=read_stamp(at, ahead=True) if at else None,
        begins_at=read_stamp(since) if since else None,
    )
    return _send(request, call)


@app.command(short_help="Mark a deadline as met.")
@alert_desk_command
def met(
    case: CaseNumber,
    deadline: Annotated[
        int, typer.Argument(metavar="DEADLINE", min=1, help="Number of the deadline.")
    ],
    words: Annotated[
        str, typer.Argument(metavar="TEXT", help="How it was met, such as a report number.")
    ],
    *,
    call: CommandCall,
) -> int:
    """Mark a deadline as met, and record how."""
    from casino.surveillance.v1.service_pb2 import MeetDeadlineRequest

    return _send(MeetDeadlineRequest(number=case, deadline=deadline, words=words), call)


@app.command(short_help="Close a case with an outcome.")
@alert_desk_command
def close(
    case: CaseNumber,
    outcome: OutcomeArgument,
    conclusion: Annotated[str, text("--conclusion", "TEXT", "Conclusion.")] = "",
    countersigned_by: Annotated[str, text("--countersigned-by", "WHO", "Second approver.")] = "",
    *,
    call: CommandCall,
) -> int:
    """Close a case whose alerts are decided and whose deadlines are met.

    The person who opened a case cannot close it alone: another person closes or countersigns it.
    """
    from casino.surveillance.v1.service_pb2 import CloseCaseRequest
    from pitctl.alert_desk.labels import read_decision

    request = CloseCaseRequest(
        number=case,
        outcome=read_decision(outcome),
        conclusion=conclusion,
        countersigned_by=countersigned_by,
    )
    return _send(request, call)


@app.command(short_help="Write a case as a PDF to sign.")
@service_command("ALERT_DESK_ADDRESS", "the alert desk", has_json=False)
def report(
    case: CaseNumber,
    output: Annotated[
        str, text("--output", "FILE", "PDF file to write; default: standard output.")
    ] = "",
    *,
    call: CommandCall,
) -> int:
    """Write a case as a PDF: alerts, evidence, deadlines, activity, signature lines."""
    from casino.surveillance.v1.service_pb2 import GetCaseRequest
    from pitctl.alert_desk.case_pdf import as_pdf
    from pitctl.alert_desk.client import ALERT_DESK
    from pitctl.output.exit import OK
    from pitctl.output.files import check_not_a_terminal, open_output

    check_not_a_terminal(output, "PDF")
    endpoint = ALERT_DESK.find(*call.where)
    answer = ALERT_DESK.call(endpoint, lambda stub: stub.GetCase(GetCaseRequest(number=case)))
    with open_output(output) as file:
        file.write(as_pdf(answer.case))
    return OK


def _send(request: Any, call: CommandCall) -> int:
    from pitctl.alert_desk.responses import send

    return send(request, call)
