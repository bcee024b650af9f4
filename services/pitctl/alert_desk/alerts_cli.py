"""`pitctl alerts`: list, watch, show, and what is done about them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitctl.alert_desk.options import Address, AlertId, Decided, Limit, State, place_of
from pitctl.connection.options import Identity, Json, Stack, text
from pitctl.output.help_sections import Listing

app = typer.Typer(add_completion=False, rich_markup_mode=None, cls=Listing)


@app.callback()
def alerts() -> None:
    """Alerts: what surveillance says, and what is done about it.

    `pitctl alerts` alone lists those that are open, the newest first.

    \b
    Examples:
      pitctl alerts                           what is open
      pitctl alerts --level P1 --table BJ-07
      pitctl alerts --watch                   live, until Ctrl-C
      pitctl alerts show 5f0c2a91             with the hand replayed
      pitctl alerts acknowledge 5f0c2a91
      pitctl alerts decide 5f0c2a91 error --reason "miscounted, corrected"
    """


@app.command("list", short_help="Those that are open, or by what is asked for.")
def list_(
    level: Annotated[str, text("--level", "LEVEL", "P1 to P4: this urgent or more so.")] = "",
    kind: Annotated[str, text("--kind", "KIND", "The kind, or how it begins: coupon.")] = "",
    state: Annotated[State, typer.Option(help="How far people are.")] = State.OPEN,
    table: Annotated[str, text("--table", "TABLE", "The table.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENCE", "The dealer.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "The patron.")] = "",
    assignee: Annotated[str, text("--assignee", "WHO", "Who looks into it.")] = "",
    case: Annotated[int, typer.Option(min=0, show_default=False, help="Of a case.")] = 0,
    since: Annotated[str, text("--since", "TIME", "Not before (UTC): 22:40, 2026-03-01.")] = "",
    until: Annotated[str, text("--until", "TIME", "Before (UTC).")] = "",
    search: Annotated[str, text("--text", "WORDS", "All of these words.")] = "",
    withdrawn: Annotated[
        bool, typer.Option("--withdrawn", help="Also what surveillance withdrew.")
    ] = False,
    suppressed: Annotated[
        bool, typer.Option("--suppressed", help="Also what a setting suppresses.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Live, as it comes, until Ctrl-C.")
    ] = False,
    beginning: Annotated[
        bool, typer.Option("--from-beginning", help="With --watch: all there ever was, first.")
    ] = False,
    limit: Limit = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """List alerts, or watch them as they come.

    A watch tells an alert each time it changes, and what people do about it; where the
    connection is lost it goes on where it was. It takes --level, --kind and --table.

    \b
    Exit status:
      0  there are such alerts; a watch was ended
      1  there is none, or the desk refused
      2  that is no question, or nobody is there to ask
    """
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        place = place_of(address, identity, stack)
        if watch:
            status = _watch(
                place, level, kind, table, beginning=beginning, suppressed=suppressed, as_json=json
            )
        else:
            from casino.surveillance.v1.service_pb2 import ListAlertsRequest
            from pitctl.accounting.arguments import read_stamp
            from pitctl.alert_desk.alert_list import run
            from pitctl.alert_desk.labels import read_level, read_states

            times: dict[str, Any] = {}
            if since:
                times["from"] = read_stamp(since)
            if until:
                times["until"] = read_stamp(until)
            request = ListAlertsRequest(
                level=read_level(level),
                kind=kind,
                states=read_states(state),
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
            status = run(place, request, limit=limit, as_json=json)
    raise typer.Exit(status)


def _watch(
    place: Any,
    level: str,
    kind: str,
    table: str,
    *,
    beginning: bool,
    suppressed: bool,
    as_json: bool,
) -> int:
    from casino.surveillance.v1.service_pb2 import WatchRequest
    from pitctl.alert_desk.alert_watch import run
    from pitctl.alert_desk.labels import read_level

    request = WatchRequest(
        level=read_level(level),
        kinds=[kind] if kind else [],
        tables=[table] if table else [],
        journal=True,
        from_beginning=beginning,
        with_suppressed=suppressed,
    )
    return run(place, request, as_json=as_json)


@app.command(short_help="One alert, its evidence, its history, the hand replayed.")
def show(
    alert: AlertId,
    round: Annotated[
        str, text("--round", "ROUND", "Another round of its evidence than the one it names.")
    ] = "",
    replay: Annotated[bool, typer.Option(help="The hand that shows it.")] = True,
    every: Annotated[bool, typer.Option("--every", help="Every fact of the hand.")] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show an alert: what proves it, what was done about it, and the hand, replayed from the log.

    \b
    Exit status:
      0  it is shown
      1  there is no such alert, or several begin so
      2  nobody is there to ask

    \b
    Examples:
      pitctl alerts show 5f0c2a91
      pitctl alerts show 5f0c2a91 --round T012-00039
      pitctl alerts show 5f0c2a91 --no-replay --json
    """
    from casino.surveillance.v1.service_pb2 import GetAlertRequest
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.alert_page import run

    with answering(as_json=json):
        request = GetAlertRequest(alert_id=alert, with_replay=replay, round=round)
        status = run(place_of(address, identity, stack), request, every=every, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Say that it was seen.")
def acknowledge(
    alert: AlertId,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say that an alert was seen. Once: the second is told who was first, and ends with 1."""
    from casino.surveillance.v1.service_pb2 import AcknowledgeRequest

    request = AcknowledgeRequest(alert_id=alert)
    _do("Acknowledge", request, json, stack, address, identity)


@app.command(short_help="Say that you look into it.")
def review(
    alert: AlertId,
    note: Annotated[str, text("--note", "WORDS", "What there is to say.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Say that you look into an alert: it is yours from then on."""
    from casino.surveillance.v1.service_pb2 import ReviewRequest

    _do("Review", ReviewRequest(alert_id=alert, note=note), json, stack, address, identity)


@app.command(short_help="Close it with what it came to.")
def decide(
    alert: AlertId,
    decision: Annotated[Decided, typer.Argument(help="What it came to.")],
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    revision: Annotated[
        int,
        typer.Option(
            min=0, show_default=False, help="What you had before you: refused if it has changed."
        ),
    ] = 0,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Close an alert with what it came to, and why. Should it grow, it is new again.

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
    _do("Decide", request, json, stack, address, identity)


@app.command(short_help="Open it again.")
def reopen(
    alert: AlertId,
    reason: Annotated[str, text("--reason", "WORDS", "Why.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Open an alert again that was closed."""
    from casino.surveillance.v1.service_pb2 import ReopenRequest

    _do("Reopen", ReopenRequest(alert_id=alert, reason=reason), json, stack, address, identity)


@app.command(short_help="Give it to somebody.")
def assign(
    alert: AlertId,
    who: Annotated[str, typer.Argument(metavar="WHO", help="Who is to look into it.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Give an alert to somebody; to nobody if none is named."""
    from casino.surveillance.v1.service_pb2 import AssignRequest

    _do("Assign", AssignRequest(alert_id=alert, assignee=who), json, stack, address, identity)


@app.command(short_help="Write a note to it.")
def note(
    alert: AlertId,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What there is to say.")],
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Write a note to an alert. Nothing of the journal is ever changed or taken out."""
    from casino.surveillance.v1.service_pb2 import AddNoteRequest

    _do("AddNote", AddNoteRequest(alert_id=alert, text=words), json, stack, address, identity)


@app.command(short_help="Rebuild the alert desk's tables from the log.")
def rebuild(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """Empty the tables of alerts and settings and fill them from the topics that are there.

    The journal, cases and webhooks stay. Until it is done, lists show only what is there.

    \b
    Exit status:
      0  the tables are complete again
      1  the service refused
      2  the service is unavailable
    """
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.alert_work import rebuild as rebuild_tables

    with answering(as_json=json):
        status = rebuild_tables(place_of(address, identity, stack), as_json=json)
    raise typer.Exit(status)


def _do(method: str, request: Any, as_json: bool, stack: str, address: str, identity: str) -> None:
    from pitctl.accounting.client import answering
    from pitctl.alert_desk.alert_work import do

    with answering(as_json=as_json):
        place = place_of(address, identity, stack)
        status = do(place, lambda desk: getattr(desk, method)(request), as_json=as_json)
    raise typer.Exit(status)
