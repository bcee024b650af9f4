"""Commands for the round archive: replay, rounds, tail, status, rebuild, dead-letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.connection.options import Identity, Json, Stack, address, text
from pitctl.output.exit import exit_quietly, report_errors
from pitctl.output.help import FLOOR, ROUNDS, CommandApp

if TYPE_CHECKING:
    from pitctl.connection.channel import Endpoint

app = CommandApp()

Address = Annotated[str, address("ROUND_ARCHIVE_ADDRESS", "the archive")]
Level = Annotated[
    str,
    typer.Option(
        metavar="LEVEL",
        show_default=False,
        help="Minimum priority, P1 to P4; P1 is the most urgent.",
    ),
]


@app.command(short_help="Replay a round: owed against paid.", rich_help_panel=ROUNDS)
def replay(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="Id of the round.")],
    log: Annotated[str, text("--log", "FILE", "Replay from a log file, without services.")] = "",
    table: Annotated[
        str, text("--table", "TABLE", "Table, if several have a round with this id.")
    ] = "",
    first_seq: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            show_default=False,
            help="First event number, if the table used the id more than once.",
        ),
    ] = 0,
    version: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            show_default=False,
            help="Version of the result; default: the latest.",
        ),
    ] = 0,
    step: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", show_default=False, help="Show only the table after step N."
        ),
    ] = 0,
    brief: Annotated[
        bool, typer.Option("--brief", help="Show only the last layout and the payments.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--every", help="Show every fact, with the layout.")
    ] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Replay a round from the log, fact by fact, and compare it with the published result.

    Shows the layout at the key moments, every wager owed against paid with its clause and its
    arithmetic, the findings, and whether the log reproduces the published result.

    \b
    Exit status:
      0  the log reproduces the published result, byte for byte
      1  the results differ; the differences are printed
      2  no such round, invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl replay T012-00039
      pitctl replay T012-00039 --log day.log --brief
      pitctl replay T012-00039 --step 12
      pitctl replay T012-00039 --json
    """
    from pitctl.archive.replay_command import REPLAY_ERRORS, ReplayDetail, from_file, show

    if log:
        with report_errors(*REPLAY_ERRORS):
            answer = from_file(log, round, table=table, first_seq=first_seq, version=version)
    else:
        from pitctl.archive.replay import from_archive
        from pitctl.errors import RequestRejected, ServiceUnavailable
        from wire.errors import NotARecord

        with report_errors(ServiceUnavailable, RequestRejected, NotARecord):
            place = _place(address, identity, stack)
            answer = from_archive(place, round, table=table, first_seq=first_seq, version=version)
    with exit_quietly():
        detail = (
            ReplayDetail.EVERY if every else ReplayDetail.BRIEF if brief else ReplayDetail.STORY
        )
        status = show(answer, detail=detail, step=step, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Search rounds.", rich_help_panel=ROUNDS)
def rounds(
    round: Annotated[
        str,
        typer.Argument(
            metavar="ROUND", show_default=False, help="Id of the round, or the start of it."
        ),
    ] = "",
    table: Annotated[str, text("--table", "TABLE", "Table.")] = "",
    around: Annotated[str, text("--around", "TIME", "Time (UTC): 22:40 or 2026-03-02 22:40.")] = "",
    within: Annotated[
        str, text("--within", "SPAN", "Maximum distance from --around: 20m, 2h.")
    ] = "",
    since: Annotated[str, text("--from", "TIME", "Earliest opening.")] = "",
    until: Annotated[str, text("--until", "TIME", "Latest opening.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Patron with a wager or a seat.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENSE", "Dealer.")] = "",
    seat: Annotated[
        int, typer.Option(metavar="N", min=0, show_default=False, help="Seat with a wager.")
    ] = 0,
    cards: Annotated[str, text("--cards", "CARDS", "Cards of one hand: 'A♠ K♠' or AS,KS.")] = "",
    dealer_cards: Annotated[str, text("--dealer-cards", "CARDS", "Cards of the dealer.")] = "",
    wager: Annotated[str, text("--wager", "WAGER", "Only this wager; --bet is its stake.")] = "",
    bet: Annotated[str, text("--bet", "AMOUNT", "Stake, or range: 50, 25..100.")] = "",
    finding: Annotated[
        str, text("--finding", "KIND", "Kind of finding: payout, or bet.pinch.")
    ] = "",
    level: Level = "",
    game: Annotated[str, text("--game", "GAME", "Game; `pitctl games` lists them.")] = "",
    status: Annotated[
        str, text("--status", "STATUS", "settled, void, incomplete or unresolved.")
    ] = "",
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="Maximum number to show.")
    ] = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Search rounds, newest first; a round must match every option.

    `difference` is the house's: negative where too much was paid.

    \b
    Exit status:
      0  rounds are listed
      1  no matching rounds
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl rounds --table T012 --around 22:40 --within 20m
      pitctl rounds --patron T005-p002 --cards "A♠ K♠" --bet 25..100
      pitctl rounds --finding payout --level P2 --json | jq -r .round
    """
    from datetime import UTC, datetime

    from pitctl.archive.round_query import round_query
    from pitctl.archive.rounds import run
    from pitctl.errors import InvalidArgument, RequestRejected, ServiceUnavailable

    with report_errors(InvalidArgument, ServiceUnavailable, RequestRejected):
        request = round_query(
            round=round,
            table=table,
            around=around,
            within=within,
            since=since,
            until=until,
            patron=patron,
            dealer=dealer,
            seat=seat,
            cards=cards,
            dealer_cards=dealer_cards,
            wager=wager,
            bet=bet,
            finding=finding,
            level=level,
            game=game,
            status=status,
            now=datetime.now(UTC),
        )
        found = run(_place(address, identity, stack), request, limit=limit, as_json=json)
    raise typer.Exit(found)


@app.command(short_help="Watch rounds and findings live.", rich_help_panel=ROUNDS)
def tail(
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", show_default=False, help="Only this table; repeatable."),
    ] = None,
    findings_only: Annotated[
        bool, typer.Option("--findings-only", help="Leave out rounds.")
    ] = False,
    level: Level = "",
    from_beginning: Annotated[
        bool, typer.Option("--from-beginning", help="Start with all rounds in the log.")
    ] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Watch rounds and findings live, one line each, until Ctrl-C.

    A lost connection is restored without loss or repetition. Findings that would reveal a hole
    card are masked until it is shown.

    \b
    Exit status:
      0  stopped by Ctrl-C
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl tail --findings-only --level P2
      pitctl tail --table T012 --from-beginning --json
    """
    from casino.settlement.v1.service_pb2 import WatchRequest
    from pitctl.archive.round_query import read_level
    from pitctl.archive.tail import run
    from pitctl.errors import InvalidArgument, RequestRejected, ServiceUnavailable

    with report_errors(InvalidArgument, ServiceUnavailable, RequestRejected):
        request = WatchRequest(
            tables=table or (),
            rounds=not findings_only,
            findings=True,
            level=read_level(level),
            from_beginning=from_beginning,
        )
        status = run(_place(address, identity, stack), request, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Show services, lag and findings of the day.", rich_help_panel=FLOOR)
def status(
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    accounting: Annotated[str, address("ACCOUNTING_ADDRESS", "accounting")] = "",
    gateway: Annotated[str, address("TABLE_GATEWAY_ADDRESS", "the table gateway")] = "",
    desk: Annotated[str, address("ALERT_DESK_ADDRESS", "the alert desk")] = "",
    identity: Identity = "",
) -> None:
    """Show the state of every service, the lag of every reader, and the day's findings.

    A service that does not answer is marked unavailable, with the reason; everything else is
    still shown. The lag of a reader is its unread messages, and the age of the oldest of them.

    Findings are those of the gaming day of the last event, or of its day in UTC if accounting is
    unavailable. Tables in quarantine are listed. Without --address, the servers and services of
    the local stack are shown. With --address, only that archive is shown, and the services named
    by --accounting, --gateway and --desk.

    \b
    Exit status:
      0  everything is available
      2  a service is unavailable though the local stack runs, or there is no local stack
      3  a part of the local stack is not running, or not ready
    """
    from pitctl.accounting.status import find_accounting
    from pitctl.archive.client import is_local
    from pitctl.archive.status import show_status
    from pitctl.errors import RequestRejected, ServiceUnavailable
    from pitctl.stack.service_status import finders

    local = is_local(address, stack)
    with report_errors(ServiceUnavailable, RequestRejected):
        code = show_status(
            lambda: _place(address, identity, stack),
            lambda: find_accounting(accounting, identity, stack) if accounting or local else None,
            finders(
                {
                    "table_gateway": gateway,
                    "round_archive": address,
                    "alert_desk": desk,
                    "accounting": accounting,
                },
                identity=identity,
                stack=stack,
                local=local,
            ),
            stack=stack,
            local=local,
            as_json=json,
        )
    raise typer.Exit(code)


@app.command(short_help="Rebuild the archive's index from the log.", rich_help_panel=FLOOR)
def rebuild(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """Empty the archive's index and rebuild it from settled rounds.

    \b
    Exit status:
      0  the index is complete again
      2  the service is unavailable
    """
    from pitctl.archive.dead_letters import rebuild as rebuild_index
    from pitctl.errors import RequestRejected, ServiceUnavailable

    with report_errors(ServiceUnavailable, RequestRejected):
        rebuild_index(_place(address, identity, stack), as_json=json)


@app.command(
    name="dead-letters", short_help="List rejected messages; retry one.", rich_help_panel=FLOOR
)
def dead_letters(
    offset: Annotated[
        int,
        typer.Argument(metavar="OFFSET", show_default=False, help="Show one, with its bytes."),
    ] = -1,
    table: Annotated[str, text("--table", "TABLE", "Only this table.")] = "",
    reason: Annotated[str, text("--reason", "WORDS", "Only reasons that start with WORDS.")] = "",
    retry: Annotated[
        bool, typer.Option("--retry", help="Process the one at OFFSET again.")
    ] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="Maximum number to show.")
    ] = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
    gateway: Annotated[str, address("TABLE_GATEWAY_ADDRESS", "the gateway", ", for --retry")] = "",
    accounting: Annotated[str, address("ACCOUNTING_ADDRESS", "accounting", ", for --retry")] = "",
) -> None:
    """List dead letters: messages that were malformed or rejected, newest first.

    --retry sends an event of a table to the gateway again, and an entry to accounting in the
    name of your certificate. Nothing is recorded twice.

    \b
    Exit status:
      0  dead letters are listed, or there are none; with --retry, the message is accepted
      1  with --retry, the message is rejected again; the reason is printed
      2  no dead letter at OFFSET, invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl dead-letters --table T012
      pitctl dead-letters 17
      pitctl dead-letters 17 --retry
      pitctl dead-letters --json
    """
    from casino.settlement.v1.service_pb2 import FindDeadLettersRequest
    from pitctl.archive.dead_letters import show_dead_letters
    from pitctl.errors import RequestRejected, ServiceUnavailable

    if retry:
        from pitctl.archive.dead_letter_retry import retry as retry_dead_letter
        from pitctl.errors import InvalidArgument
        from pitctl.output.exit import report_rejections

        with report_rejections(ServiceUnavailable, as_json=json):
            if offset < 0:
                raise InvalidArgument("--retry needs an OFFSET")
            retry_dead_letter(
                _place(address, identity, stack), offset, gateway=gateway, accounting=accounting,
                identity=identity, stack=stack, as_json=json,
            )  # fmt: skip
        return
    with report_errors(ServiceUnavailable, RequestRejected):
        show_dead_letters(
            _place(address, identity, stack),
            FindDeadLettersRequest(table_id=table, reason=reason),
            offset=offset,
            limit=limit,
            as_json=json,
        )


def _place(address: str, identity: str, stack: str) -> Endpoint:
    from pitctl.archive.client import find_archive

    return find_archive(address, identity, stack)
