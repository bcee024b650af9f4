"""`pitctl rounds`: search rounds, one line each."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from blackjack.display_names import finding_name, game_name
from blackjack.findings import Level
from blackjack.money import format_cents, format_result
from casino.settlement.v1.service_pb2 import FindRoundsRequest, RoundSummary
from casino.settlement.v1.settled_round_pb2 import RoundStatus
from pitctl.archive.client import query_archive
from pitctl.connection.channel import Endpoint
from pitctl.connection.pages import collect_pages, print_count, print_items
from pitctl.output.exit import command_name
from pitctl.output.text import Page, format_moment
from wire.vocabulary import LEVELS, read_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

_HEADINGS: Final = ("opened (UTC)", "round", "game", "dealer", "stakes", "difference")
_STYLES: Final = {Level.P1: "bold red", Level.P2: "red", Level.P3: "yellow", Level.P4: ""}


def run(place: Endpoint, request: FindRoundsRequest, *, limit: int, as_json: bool) -> int:
    """Search and print; return the exit status."""

    async def search(archive: SettlementServiceAsyncStub) -> tuple[list[RoundSummary], bool]:
        return await collect_pages(
            archive.FindRounds, request, lambda answer: answer.rounds, limit=limit
        )

    rounds, more = query_archive(place, search)
    return print_items(
        rounds, lambda: print_rounds(Page(sys.stdout), rounds, more=more), as_json=as_json
    )


def print_rounds(page: Page, rounds: Sequence[RoundSummary], *, more: bool) -> None:
    if not rounds:
        page.line(("No matching rounds.", "yellow"))
        return
    page.table(
        _HEADINGS,
        [_row(summary) for summary in rounds],
        indent=0,
        align="llllrr",
        styles=[_style(summary) for summary in rounds],
        notes=[_remarks(summary) for summary in rounds],
    )
    print_count(page, len(rounds), "round", more=more)
    page.line((f"{command_name()} replay {_to_replay(rounds[0])}", "dim"))


def _row(each: RoundSummary) -> tuple[str, ...]:
    return (
        format_moment(read_time(each.opened_at)).removesuffix(" UTC"),
        _name(each),
        game_name(each.game) if each.game else "unknown",
        each.dealer,
        format_cents(each.stake_cents, currency=False),
        format_result(-each.difference_cents, currency=False).text if each.difference_cents else "",
    )


def _remarks(each: RoundSummary) -> str:
    """The status of the round where it is unusual, and its findings."""
    unusual = each.status != RoundStatus.ROUND_STATUS_SETTLED
    return ", ".join(
        [*([_status(each.status)] if unusual else []), *map(finding_name, each.finding_kinds)]
    )


def _name(each: RoundSummary) -> str:
    """The round with its table, unless the id begins with the table, as ids mostly do."""
    name = each.round if each.round.startswith(each.table_id) else f"{each.table_id} {each.round}"
    return f"{name} v{each.version}" if each.version > 1 else name


def _to_replay(each: RoundSummary) -> str:
    """The arguments that replay it: with the table, where the id does not begin with it."""
    words = [each.round]
    if not each.round.startswith(each.table_id):
        words += ["--table", each.table_id]
    return shlex.join(words)


def _status(number: RoundStatus.ValueType) -> str:
    return RoundStatus.Name(number).removeprefix("ROUND_STATUS_").lower()


def _style(each: RoundSummary) -> str:
    return _STYLES[LEVELS[each.level]] if each.level in LEVELS else ""
