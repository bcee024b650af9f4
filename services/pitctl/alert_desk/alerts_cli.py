"""`pitctl alerts`: list, watch, show, and the work on an alert."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import (
    AlertId,
    AlertStatus,
    Level,
    Limit,
    Note,
    NoteArgument,
    OutcomeArgument,
    Reason,
    alert_desk_command,
)
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp, ListGroup

app = CommandApp(cls=ListGroup)


@app.callback()
def alerts() -> None:
    """List, watch, show and decide alerts.

    `pitctl alerts` lists open alerts, newest first.

    \b
    Examples:
      pitctl alerts                           list open alerts
      pitctl alerts --level P1 --table BJ-07
      pitctl alerts --watch                   watch live, until Ctrl-C
      pitctl alerts show 5f0c2a91             show one, with the hand replayed
      pitctl alerts acknowledge 5f0c2a91
      pitctl alerts decide 5f0c2a91 error --reason "miscounted, corrected"
    """


@app.command("list", short_help="List alerts, or watch them live.")
@alert_desk_command
def list_(
    level: Level = "",
    kind: Annotated[str, text("--kind", "KIND", "Kind of alert, or the start of it: coupon.")] = "",
    status: Annotated[
        AlertStatus, typer.Option("--status", "--state", help="Status of the work.")
    ] = AlertStatus.OPEN,
    table: Annotated[str, text("--table", "TABLE", "Table.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENSE", "Dealer.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Patron.")] = "",
    assignee: Annotated[str, text("--assignee", "WHO", "Assignee.")] = "",
    case: Annotated[
        int, typer.Option(metavar="N", min=0, show_default=False, help="Number of a case.")
    ] = 0,
    since: Annotated[str, text("--since", "TIME", "Earliest time (UTC): 22:40, 2026-03-01.")] = "",
    until: Annotated[str, text("--until", "TIME", "Latest time (UTC).")] = "",
    search: Annotated[str, text("--text", "WORDS", "Only alerts that contain these words.")] = "",
    withdrawn: Annotated[
        bool, typer.Option("--withdrawn", help="Include withdrawn alerts.")
    ] = False,
    suppressed: Annotated[
        bool, typer.Option("--suppressed", help="Include suppressed alerts.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Watch live, until Ctrl-C.")] = False,
    beginning: Annotated[
        bool, typer.Option("--from-beginning", help="With --watch: start with all earlier alerts.")
    ] = False,
    limit: Limit = 50,
    *,
    call: CommandCall,
) -> int:
    """List alerts, or watch them live.

    --watch prints each new alert, each change of one and the work on it, and reconnects after a
    lost connection. Of the filters it takes --level, --kind and --table.

    \b
    Exit status:
      0  alerts are listed, or the watch was stopped
      1  no matching alerts, or the service rejected the request
      2  invalid arguments, or the service is unavailable
    """
    from pitctl.alert_desk.client import ALERT_DESK
    from pitctl.alert_desk.labels import read_level, read_states

    endpoint = ALERT_DESK.find(*call.where)
    if watch:
        from casino.surveillance.v1.service_pb2 import WatchRequest
        from pitctl.alert_desk.alert_watch import watch_alerts

        watched = WatchRequest(
            level=read_level(level),
            kinds=[kind] if kind else [],
            tables=[table] if table else [],
            journal=True,
            from_beginning=beginning,
            with_suppressed=suppressed,
        )
        return watch_alerts(endpoint, watched, as_json=call.as_json)
    from casino.surveillance.v1.service_pb2 import ListAlertsRequest
    from pitctl.alert_desk.alert_list import run
    from pitctl.arguments import read_stamp

    times: dict[str, Any] = {}
    if since:
        times["from"] = read_stamp(since)
    if until:
        times["until"] = read_stamp(until)
    request = ListAlertsRequest(
        level=read_level(level),
        kind=kind,
        states=read_states(status),
        table_id=table,
        dealer=dealer,
        patron=patron,
        assignee=assignee,
        case_number=case,
        text=search,
        with_withdrawn=withdrawn,
        with_suppressed=suppressed,
        **times,
    )
    return run(endpoint, request, limit=limit, as_json=call.as_json)


@app.command(short_help="Show an alert with evidence, activity and the hand.")
@alert_desk_command
def show(
    alert: AlertId,
    round: Annotated[str, text("--round", "ROUND", "Replay another round of the evidence.")] = "",
    replay: Annotated[bool, typer.Option(help="Replay the hand.")] = True,
    every: Annotated[bool, typer.Option("--every", help="Show every fact of the hand.")] = False,
    *,
    call: CommandCall,
) -> int:
    """Show an alert: its evidence, its activity, and the hand replayed from the log.

    \b
    Exit status:
      0  the alert is shown
      1  no such alert, or several ids start that way
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl alerts show 5f0c2a91
      pitctl alerts show 5f0c2a91 --round T012-00039
      pitctl alerts show 5f0c2a91 --no-replay --json
    """
    from casino.surveillance.v1.service_pb2 import GetAlertRequest
    from pitctl.alert_desk.alert_page import run
    from pitctl.alert_desk.client import ALERT_DESK

    request = GetAlertRequest(alert_id=alert, with_replay=replay, round=round)
    return run(ALERT_DESK.find(*call.where), request, every=every, as_json=call.as_json)


@app.command(short_help="Acknowledge an alert.")
@alert_desk_command
def acknowledge(alert: AlertId, *, call: CommandCall) -> int:
    """Acknowledge an alert.

    If the alert is already acknowledged, prints by whom, and ends with status 1.
    """
    from casino.surveillance.v1.service_pb2 import AcknowledgeRequest

    return _send(AcknowledgeRequest(alert_id=alert), call)


@app.command(short_help="Start the review of an alert.")
@alert_desk_command
def review(alert: AlertId, note: Note = "", *, call: CommandCall) -> int:
    """Start the review of an alert, and become its assignee."""
    from casino.surveillance.v1.service_pb2 import ReviewRequest

    return _send(ReviewRequest(alert_id=alert, note=note), call)


@app.command(short_help="Close an alert with an outcome.")
@alert_desk_command
def decide(
    alert: AlertId,
    decision: OutcomeArgument,
    reason: Reason = "",
    revision: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            show_default=False,
            help="Last revision you read; the change is rejected if there is a newer one.",
        ),
    ] = 0,
    *,
    call: CommandCall,
) -> int:
    """Close an alert with an outcome and a reason. With new evidence its status is new again.

    \b
    Examples:
      pitctl alerts decide 5f0c2a91 confirmed --reason "past post, case 12"
      pitctl alerts decide 5f0c2a91 false-alarm --reason "the tray was read wrongly"
    """
    from casino.surveillance.v1.service_pb2 import DecideRequest
    from pitctl.alert_desk.labels import read_decision

    request = DecideRequest(
        alert_id=alert, decision=read_decision(decision), reason=reason, revision=revision
    )
    return _send(request, call)


@app.command(short_help="Reopen a closed alert.")
@alert_desk_command
def reopen(alert: AlertId, reason: Reason = "", *, call: CommandCall) -> int:
    """Reopen a closed alert."""
    from casino.surveillance.v1.service_pb2 import ReopenRequest

    return _send(ReopenRequest(alert_id=alert, reason=reason), call)


@app.command(short_help="Assign an alert.")
@alert_desk_command
def assign(
    alert: AlertId,
    who: Annotated[
        str,
        typer.Argument(
            metavar="WHO", show_default=False, help="Assignee; omit to remove the assignee."
        ),
    ] = "",
    *,
    call: CommandCall,
) -> int:
    """Assign an alert to a person; without WHO, remove the assignee."""
    from casino.surveillance.v1.service_pb2 import AssignRequest

    return _send(AssignRequest(alert_id=alert, assignee=who), call)


@app.command(short_help="Add a note to an alert.")
@alert_desk_command
def note(alert: AlertId, words: NoteArgument, *, call: CommandCall) -> int:
    """Add a note to an alert. Notes cannot be changed or deleted."""
    from casino.surveillance.v1.service_pb2 import AddNoteRequest

    return _send(AddNoteRequest(alert_id=alert, text=words), call)


@app.command(short_help="Rebuild the alert desk's tables from the log.")
@alert_desk_command
def rebuild(*, call: CommandCall) -> int:
    """Empty the tables of alerts and settings and rebuild them from their topics.

    The audit log, cases and webhooks are kept. Until the rebuild is complete, lists show only the
    alerts rebuilt so far.

    \b
    Exit status:
      0  the tables are complete again
      1  the service rejected the request
      2  the service is unavailable
    """
    from pitctl.alert_desk.client import ALERT_DESK
    from pitctl.alert_desk.responses import rebuild as rebuild_tables

    return rebuild_tables(ALERT_DESK.find(*call.where), as_json=call.as_json)


def _send(request: Any, call: CommandCall) -> int:
    from pitctl.alert_desk.responses import send

    return send(request, call)
