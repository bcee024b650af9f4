"""The commands that ask the archive: replay, rounds, tail, status, rebuild, dead-letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.connection.options import Identity, Json, Stack, address, text
from pitctl.output.exit import ending_quietly, refusing
from pitctl.output.help_sections import FLOOR, ROUNDS

if TYPE_CHECKING:
    from pitctl.archive.client import Place

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Address = Annotated[str, address("ROUND_ARCHIVE_ADDRESS", "the archive")]
Level = Annotated[
    str,
    typer.Option(metavar="LEVEL", show_default=False, help="P1 to P4: this urgent or more so."),
]


@app.command(short_help="One round as it happened, owed against paid.", rich_help_panel=ROUNDS)
def replay(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="The id of a round.")],
    log: Annotated[str, text("--log", "FILE", "From a log file, with no broker.")] = "",
    table: Annotated[str, text("--table", "TABLE", "Where several tables have the id.")] = "",
    first_seq: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            show_default=False,
            help="The number it began with, where a table has used the id again.",
        ),
    ] = 0,
    version: Annotated[
        int, typer.Option(min=0, show_default=False, help="An earlier version; the latest if 0.")
    ] = 0,
    step: Annotated[
        int,
        typer.Option(min=0, metavar="N", show_default=False, help="Only the table after step N."),
    ] = 0,
    brief: Annotated[bool, typer.Option("--brief", help="Only the end and the reckoning.")] = False,
    every: Annotated[bool, typer.Option("--every", help="Every fact, with the felt.")] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Rebuild a round from the log, fact by fact, and compare it with what was said of it.

    Shows the felt at the key moments, every wager owed against paid with its clause and its
    arithmetic, what was found, and whether the log gives the bytes that were emitted.

    \b
    Exit status:
      0  the log gives what was said, byte for byte
      1  it gives something else: the differences are named
      2  there is no such round, or nobody to ask

    \b
    Examples:
      pitctl replay T012-00039
      pitctl replay T012-00039 --log day.log --brief
      pitctl replay T012-00039 --step 12
      pitctl replay T012-00039 --json
    """
    from pitctl.archive.replay_command import NotInTheFile, Telling, from_file, show

    if log:
        with refusing(*NotInTheFile):
            answer = from_file(log, round, table=table, first_seq=first_seq, version=version)
    else:
        from pitctl.archive.client import NoArchive, Refused
        from pitctl.archive.replay import from_archive
        from wire.errors import NotARecord

        with refusing(NoArchive, Refused, NotARecord):
            place = _place(address, identity, stack)
            answer = from_archive(place, round, table=table, first_seq=first_seq, version=version)
    with ending_quietly():
        telling = Telling.EVERY if every else Telling.BRIEF if brief else Telling.STORY
        status = show(answer, telling=telling, step=step, as_json=json)
    raise typer.Exit(status)


@app.command(short_help="Find rounds by what somebody remembers of them.", rich_help_panel=ROUNDS)
def rounds(
    round: Annotated[
        str,
        typer.Argument(metavar="ROUND", show_default=False, help="Its id, or how that begins."),
    ] = "",
    table: Annotated[str, text("--table", "TABLE", "The table.")] = "",
    around: Annotated[str, text("--around", "TIME", "22:40, or 2026-03-02 22:40; UTC.")] = "",
    within: Annotated[str, text("--within", "SPAN", "How far from that: 20m, 2h.")] = "",
    since: Annotated[str, text("--from", "TIME", "Not opened before.")] = "",
    until: Annotated[str, text("--until", "TIME", "Opened before.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Who had a wager or a seat.")] = "",
    dealer: Annotated[str, text("--dealer", "LICENCE", "Who dealt.")] = "",
    seat: Annotated[
        int, typer.Option(min=0, show_default=False, help="A seat that had a wager.")
    ] = 0,
    cards: Annotated[str, text("--cards", "CARDS", "Of one hand: 'A♠ K♠' or AS,KS.")] = "",
    dealer_cards: Annotated[str, text("--dealer-cards", "CARDS", "Of the dealer.")] = "",
    wager: Annotated[str, text("--wager", "WAGER", "Which wager --bet is about.")] = "",
    bet: Annotated[str, text("--bet", "AMOUNT", "A stake: 50, or 25..100.")] = "",
    finding: Annotated[str, text("--finding", "KIND", "Such as payout, or bet.pinch.")] = "",
    level: Level = "",
    game: Annotated[str, text("--game", "GAME", "The filed game.")] = "",
    status: Annotated[
        str, text("--status", "STATUS", "settled, void, incomplete or unresolved.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Find rounds, the newest first: everything that is said must hold.

    `off by` is what players have too much, or with a minus too little.

    \b
    Exit status:
      0  some were found
      1  none is like that
      2  the question makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl rounds --table T012 --around 22:40 --within 20m
      pitctl rounds --patron T005-p002 --cards "A♠ K♠" --bet 25..100
      pitctl rounds --finding payout --level P2 --json | jq -r .round
    """
    from datetime import UTC, datetime

    from pitctl.archive.client import NoArchive, Refused
    from pitctl.archive.round_query import NotAQuestion, question
    from pitctl.archive.rounds import run

    with refusing(NotAQuestion, NoArchive, Refused):
        request = question(
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


@app.command(short_help="Watch rounds and findings as they come.", rich_help_panel=ROUNDS)
def tail(
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", show_default=False, help="Only this; may be repeated."),
    ] = None,
    findings_only: Annotated[bool, typer.Option("--findings-only", help="No rounds.")] = False,
    level: Level = "",
    from_beginning: Annotated[
        bool, typer.Option("--from-beginning", help="All that the log has, then what comes.")
    ] = False,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Watch what settlement says, one line each, until Ctrl-C.

    A connection that is lost is made again, and nothing is missed or told twice. What would
    give away a hole card is hidden until it is shown.

    \b
    Exit status:
      0  ended by Ctrl-C
      2  nobody is there to ask

    \b
    Examples:
      pitctl tail --findings-only --level P2
      pitctl tail --table T012 --from-beginning --json
    """
    from casino.settlement.v1.service_pb2 import WatchRequest
    from pitctl.archive.client import NoArchive, Refused
    from pitctl.archive.round_query import NotAQuestion, read_level
    from pitctl.archive.tail import run

    with refusing(NotAQuestion, NoArchive, Refused):
        request = WatchRequest(
            tables=table or (),
            rounds=not findings_only,
            findings=True,
            level=read_level(level),
            from_beginning=from_beginning,
        )
        status = run(_place(address, identity, stack), request, as_json=json)
    raise typer.Exit(status)


@app.command(
    short_help="Services, how far they are, and what was found today.", rich_help_panel=FLOOR
)
def status(
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    accounting: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            envvar="ACCOUNTING_ADDRESS",
            show_default=False,
            help="Where accounting answers, if not the one of the stack.",
        ),
    ] = "",
    gateway: Annotated[str, address("TABLE_GATEWAY_ADDRESS", "the table gateway")] = "",
    desk: Annotated[str, address("ALERT_DESK_ADDRESS", "the alert desk")] = "",
    identity: Identity = "",
) -> None:
    """Show the state of every service, how far each reader is behind, and today's findings.

    A service that does not answer is marked unavailable, with the reason; everything else is
    still shown. For each reader: unread messages, and how long the oldest of them has waited.

    Today is the gaming day that the floor is in, that of its last event; where accounting cannot
    be asked, the day in UTC. Tables in quarantine are named.
    Servers and services are those of the local stack, where this is a clone that has one; with
    --address, of somewhere else, only the archive there is asked, and others that are named:
    --accounting, --gateway, --desk.

    \b
    Exit status:
      0  all is well
      2  a service is unavailable, though all of the stack runs, or it is not ours
      3  something of the stack does not run, or is not ready
    """
    from pitctl.accounting.status import find_books
    from pitctl.archive.client import NoArchive, Refused, is_local
    from pitctl.archive.status import show_status
    from pitctl.stack.service_status import finders

    local = is_local(address, stack)
    with refusing(NoArchive, Refused):
        code = show_status(
            lambda: _place(address, identity, stack),
            lambda: find_books(accounting, identity, stack) if accounting or local else None,
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


@app.command(short_help="Make the archive's index anew from the log.", rich_help_panel=FLOOR)
def rebuild(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """Empty the archive's index and make it anew from what settlement said; nothing is lost.

    \b
    Exit status:
      0  the index is whole again
      2  nobody is there to ask
    """
    from pitctl.archive.client import NoArchive, Refused
    from pitctl.archive.upkeep import rebuild as make_anew

    with refusing(NoArchive, Refused):
        make_anew(_place(address, identity, stack), as_json=json)


@app.command(name="dead-letters", short_help="What was set aside, and why.", rich_help_panel=FLOOR)
def dead_letters(
    offset: Annotated[
        int,
        typer.Argument(metavar="OFFSET", show_default=False, help="Only this, with its bytes."),
    ] = -1,
    table: Annotated[str, text("--table", "TABLE", "In whose stream it came.")] = "",
    reason: Annotated[str, text("--reason", "WORDS", "How the reason begins.")] = "",
    retry: Annotated[
        bool, typer.Option("--retry", help="Have the one at OFFSET judged, or entered, again.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
    gateway: Annotated[
        str,
        typer.Option(
            "--gateway",
            envvar="TABLE_GATEWAY_ADDRESS",
            metavar="HOST:PORT",
            show_default=False,
            help="Where the gateway answers, for --retry.",
        ),
    ] = "",
    accounting: Annotated[
        str,
        typer.Option(
            "--accounting",
            envvar="ACCOUNTING_ADDRESS",
            metavar="HOST:PORT",
            show_default=False,
            help="Where accounting answers, for --retry.",
        ),
    ] = "",
) -> None:
    """List messages that no codec accepted or that were refused, the newest first.

    With --retry, what a table sent is judged again by the gateway's rules, and what somebody
    wanted to enter is entered again in the name of your certificate. Nothing counts twice.

    \b
    Exit status:
      0  they are listed, or there are none; the one that was retried is taken
      1  the one that was retried is not taken, and why
      2  there is none at that offset, or nobody to ask

    \b
    Examples:
      pitctl dead-letters --table T012
      pitctl dead-letters 17
      pitctl dead-letters 17 --retry
      pitctl dead-letters --json
    """
    from casino.settlement.v1.service_pb2 import FindDeadLettersRequest
    from pitctl.archive.client import NoArchive, Refused
    from pitctl.archive.upkeep import show_dead_letters

    if retry:
        from pitctl.accounting.client import NotTyped, answering
        from pitctl.archive.dead_letter_retry import retry as take_again

        with answering(NoArchive, as_json=json):
            if offset < 0:
                raise NotTyped("--retry needs the OFFSET of one")
            take_again(
                _place(address, identity, stack), offset, gateway=gateway, accounting=accounting,
                identity=identity, stack=stack, as_json=json,
            )  # fmt: skip
        return
    with refusing(NoArchive, Refused):
        show_dead_letters(
            _place(address, identity, stack),
            FindDeadLettersRequest(table_id=table, reason=reason),
            offset=offset,
            limit=limit,
            as_json=json,
        )


def _place(address: str, identity: str, stack: str) -> Place:
    from pitctl.archive.client import find_archive

    return find_archive(address, identity, stack)
