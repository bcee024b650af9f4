"""`pitctl case`: list, open, show, note, add, hold, release, deadline, met, close, report."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import (
    Address,
    Alerts,
    CaseNumber,
    CaseStates,
    Decided,
    Limit,
    People,
    Rule,
    place_of,
)
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import Listing

app = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Listing)


@app.callback()
def case() -> None:
    """Cases: several alerts, who is in them, what is held, and by when what must be done.

    `pitctl case` alone lists those that are open.

    \b
    Examples:
      pitctl case                                     what is open, and what is due
      pitctl case open "Seat 3 overpaid" --alert 5f0c2a91 --person dealer:D-17
      pitctl case deadline 12 "tell the commission" --rule 24h
      pitctl case met 12 3 "report 2026-77, by telephone"
      pitctl case close 12 confirmed --conclusion "dismissed" --countersigned-by bob
      pitctl case report 12 --output case-12.pdf
    """


@app.command("list", short_help="Those that are open, or by what is asked for.")
def list_(
    state: Annotated[CaseStates, typer.Option(help="How far they are.")] = CaseStates.OPEN,
    search: Annotated[str, text("--text", "WORDS", "In title, notes and people.")] = "",
    due: Annotated[str, text("--due-before", "TIME", "With a deadline over by then (UTC).")] = "",
    limit: Limit = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """List cases, the newest first, with the next deadline counted down.

    \b
    Exit status:
      0  there are such cases
      1  there is none, or the desk refused
      2  that is no question, or nobody is there to ask
    """
    from casino.surveillance.v1.case_pb2 import CaseState
    from casino.surveillance.v1.service_pb2 import ListCasesRequest
    from pitctl.accounting.arguments import read_stamp
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.case_page import run_list

    with answering(as_json=json):
        wanted = {
            CaseStates.OPEN: CaseState.CASE_STATE_OPEN,
            CaseStates.CLOSED: CaseState.CASE_STATE_CLOSED,
            CaseStates.ALL: CaseState.CASE_STATE_UNSPECIFIED,
        }
        request = ListCasesRequest(
            state=wanted[state],
            text=search,
            due_before=read_stamp(due, ahead=True) if due else None,
        )
        status = run_list(place_of(address, identity, stack), request, limit=limit, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Open one, with alerts and people.")
def open(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What it is about, in a line.")],
    alert: Alerts = [],  # noqa: B006
    person: People = [],  # noqa: B006
    note: Annotated[str, text("--note", "WORDS", "What there is to say.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Open a case. The video of its alerts is held at once."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import OpenCaseRequest
        from pitctl.alert_desk.labels import read_person

        people = [read_person(each) for each in person]
        return OpenCaseRequest(title=title, alert_ids=alert, people=people, note=note)

    _do(request, json, stack, address, identity)


@app.command(short_help="One with all there is in it.")
def show(
    case: CaseNumber,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show a case: alerts, people, deadlines, what is held, and who did what when."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import GetCaseRequest

        return GetCaseRequest(number=case)

    _do(request, json, stack, address, identity)


@app.command(short_help="Write a note to it.")
def note(
    case: CaseNumber,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What there is to say.")],
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Write a note to a case, also to one that is closed."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import AddNoteRequest

        return AddNoteRequest(case_number=case, text=words)

    _do(request, json, stack, address, identity)


@app.command(short_help="Add alerts and people.")
def add(
    case: CaseNumber,
    alert: Alerts = [],  # noqa: B006
    person: People = [],  # noqa: B006
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Add alerts, whose video is held at once, and people to a case."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import AddToCaseRequest
        from pitctl.alert_desk.labels import read_person

        people = [read_person(each) for each in person]
        return AddToCaseRequest(number=case, alert_ids=alert, people=people)

    _do(request, json, stack, address, identity)


@app.command(short_help="Hold video beyond the time it is kept.")
def hold(
    case: CaseNumber,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table.")],
    since: Annotated[str, text("--since", "TIME", "From when on (UTC).")],
    until: Annotated[str, text("--until", "TIME", "Until when (UTC).")],
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Hold the video of a table beyond the seven gaming days that it is kept."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import HoldEvidenceRequest
        from pitctl.accounting.arguments import read_stamp

        return HoldEvidenceRequest(
            number=case,
            table_id=table,
            until=read_stamp(until),
            reason=reason,
            **{"from": read_stamp(since)},  # type: ignore[arg-type]
        )

    _do(request, json, stack, address, identity)


@app.command(short_help="Let go of what was held.")
def release(
    case: CaseNumber,
    hold: Annotated[int, typer.Argument(metavar="HOLD", min=1, help="The number of the hold.")],
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Let go of video that was held."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import ReleaseEvidenceRequest

        return ReleaseEvidenceRequest(number=case, hold=hold, reason=reason)

    _do(request, json, stack, address, identity)


@app.command(short_help="By when something must be done.")
def deadline(
    case: CaseNumber,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What must be done.")],
    rule: Annotated[Rule, typer.Option(help="How it is counted.")] = Rule.HOURS_24,
    at: Annotated[str, text("--at", "TIME", "A time instead of a rule (UTC).")] = "",
    since: Annotated[
        str, text("--since", "TIME", "From when it is counted (UTC); the first alert if not said.")
    ] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Give a case a deadline: 24 or 72 hours, or the end of the third business day.

    Hours are hours that pass, also where clocks are changed. Neither weekends nor legal holidays
    of the State are business days.
    """

    def request() -> Any:
        from casino.surveillance.v1.case_pb2 import DEADLINE_RULE_AT
        from casino.surveillance.v1.service_pb2 import SetDeadlineRequest
        from pitctl.accounting.arguments import read_stamp
        from pitctl.alert_desk.labels import read_rule

        return SetDeadlineRequest(
            number=case,
            words=words,
            rule=DEADLINE_RULE_AT if at else read_rule(rule),
            due_at=read_stamp(at, ahead=True) if at else None,
            begins_at=read_stamp(since) if since else None,
        )

    _do(request, json, stack, address, identity)


@app.command(short_help="Say that it was done.")
def met(
    case: CaseNumber,
    deadline: Annotated[
        int, typer.Argument(metavar="DEADLINE", min=1, help="The number of the deadline.")
    ],
    words: Annotated[str, typer.Argument(metavar="WORDS", help="How: the number of a report.")],
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say that a deadline was met, and how."""

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import MeetDeadlineRequest

        return MeetDeadlineRequest(number=case, deadline=deadline, words=words)

    _do(request, json, stack, address, identity)


@app.command(short_help="Close it with what it came to.")
def close(
    case: CaseNumber,
    outcome: Annotated[Decided, typer.Argument(help="What it came to.")],
    conclusion: Annotated[str, text("--conclusion", "WORDS", "What was found.")] = "",
    countersigned_by: Annotated[
        str, text("--countersigned-by", "WHO", "Who else answers for it.")
    ] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Close a case whose alerts are decided and whose deadlines are met.

    Nobody closes alone what they opened: another person does, or countersigns.
    """

    def request() -> Any:
        from casino.surveillance.v1.service_pb2 import CloseCaseRequest
        from pitctl.alert_desk.labels import read_decision

        return CloseCaseRequest(
            number=case,
            outcome=read_decision(outcome),
            conclusion=conclusion,
            countersigned_by=countersigned_by,
        )

    _do(request, json, stack, address, identity)


@app.command(short_help="On paper, fit to be signed.")
def report(
    case: CaseNumber,
    output: Annotated[str, text("--output", "FILE", "The PDF; standard output if not said.")] = "",
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Print a case as a PDF: alerts, evidence, deadlines, the journal, room for signatures."""
    from casino.surveillance.v1.service_pb2 import GetCaseRequest
    from pitctl.accounting.client import answering
    from pitctl.accounting.report_files import check_not_a_terminal, writing
    from pitctl.alert_desk.case_pdf import as_pdf
    from pitctl.alert_desk.client import ask

    with answering():
        check_not_a_terminal(output, "PDF")
        place = place_of(address, identity, stack)
        answer = ask(place, lambda desk: desk.GetCase(GetCaseRequest(number=case)))
        with writing(output) as file:
            file.write(as_pdf(answer.case))


def _do(make: Any, as_json: bool, stack: str, address: str, identity: str) -> None:
    """The call that is named after the request."""
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.case_page import do

    with answering(as_json=as_json):
        request = make()
        method = type(request).__name__.removesuffix("Request")
        place = place_of(address, identity, stack)
        status = do(place, lambda desk: getattr(desk, method)(request), as_json=as_json)
    raise typer.Exit(status)
