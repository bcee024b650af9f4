"""`pitctl rounds`: rounds by what a person remembers of them, one line each."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from blackjack.findings import Level
from blackjack.money import format_cents, format_result
from casino.settlement.v1.service_pb2 import FindRoundsRequest, RoundSummary
from casino.settlement.v1.settled_round_pb2 import RoundStatus
from pitctl.archive.client import Place, ask
from pitctl.output.exit import called
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment
from wire.vocabulary import LEVELS, read_time

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub

FOUND: Final = 0
NOTHING: Final = 1
PAGE_ROUNDS_MAX: Final = 500
_HEADINGS: Final = ("opened (UTC)", "round", "game", "dealer", "stakes", "difference")
_STYLES: Final = {Level.P1: "bold red", Level.P2: "red", Level.P3: "yellow", Level.P4: ""}


def run(place: Place, request: FindRoundsRequest, *, limit: int, as_json: bool) -> int:
    """Search, print; the exit status."""

    async def search(archive: SettlementServiceAsyncStub) -> tuple[list[RoundSummary], bool]:
        found: list[RoundSummary] = []
        while True:
            request.page_size = min(limit - len(found), PAGE_ROUNDS_MAX)
            answer = await archive.FindRounds(request)
            found += answer.rounds
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found, bool(request.page_token)

    rounds, more = ask(place, search)
    if as_json:
        for each in rounds:
            print(json.dumps(as_fields(each), ensure_ascii=False))
    else:
        print_rounds(Page(sys.stdout), rounds, more=more)
    return FOUND if rounds else NOTHING


def print_rounds(page: Page, rounds: Sequence[RoundSummary], *, more: bool) -> None:
    if not rounds:
        page.line(("no round is like that", "yellow"))
        return
    page.table(
        _HEADINGS,
        [_row(each) for each in rounds],
        indent=0,
        align="llllrr",
        styles=[_style(each) for each in rounds],
        notes=[_found(each) for each in rounds],
    )
    page.blank()
    said = counted(len(rounds), "round") + (", and there are more: --limit" if more else "")
    page.line((said, "dim"))
    page.line((f"{called()} replay {_to_replay(rounds[0])}", "dim"))


def _row(each: RoundSummary) -> tuple[str, ...]:
    return (
        moment(read_time(each.opened_at)).removesuffix(" UTC"),
        _name(each),
        each.game or "not known",
        each.dealer,
        format_cents(each.stake_cents, currency=False),
        format_result(-each.difference_cents, currency=False).text if each.difference_cents else "",
    )


def _found(each: RoundSummary) -> str:
    """What the round came to where that is unusual, and what was found in it."""
    unusual = each.status != RoundStatus.ROUND_STATUS_SETTLED
    return ", ".join([*([_status(each.status)] if unusual else []), *each.finding_kinds])


def _name(each: RoundSummary) -> str:
    """The id says the table where it begins with it, as ids mostly do."""
    name = each.round if each.round.startswith(each.table_id) else f"{each.table_id} {each.round}"
    return f"{name} v{each.version}" if each.version > 1 else name


def _to_replay(each: RoundSummary) -> str:
    """What a person types to see it: with the table, where the id does not say it."""
    words = [each.round]
    if not each.round.startswith(each.table_id):
        words += ["--table", each.table_id]
    return shlex.join(words)


def _status(number: RoundStatus.ValueType) -> str:
    return RoundStatus.Name(number).removeprefix("ROUND_STATUS_").lower()


def _style(each: RoundSummary) -> str:
    return _STYLES[LEVELS[each.level]] if each.level in LEVELS else ""
