"""`pitctl tail`: rounds and findings as they come, one line each, for as long as it is wanted."""

from __future__ import annotations

import json
import sys

from rich.text import Text

from blackjack.findings import Finding
from blackjack.money import format_cents, format_result
from blackjack.outcomes import SettledRound
from casino.settlement.v1.service_pb2 import WatchRequest, WatchResponse
from pitctl.archive.client import ARCHIVE, Place
from pitctl.connection.watch import Asides, follow
from pitctl.output.json_out import as_fields
from pitctl.output.round_page import LEVEL_STYLES
from pitctl.output.text import Page, clock, counted, plain, styled
from wire.errors import NotARecord
from wire.settlement import read_finding, read_round, read_withdrawal


def run(place: Place, request: WatchRequest, *, as_json: bool) -> int:
    """Watch until Ctrl-C, or until nobody reads any more; the exit status."""
    asides = Asides()
    return follow(ARCHIVE, place, request, _Teller(asides, as_json=as_json), asides)


class _Teller:
    """Prints what comes, one line each."""

    def __init__(self, asides: Asides, *, as_json: bool) -> None:
        self._as_json = as_json
        self._page = Page(sys.stdout)
        self._asides = asides

    def tell(self, answer: WatchResponse) -> None:
        what = answer.WhichOneof("what")
        if what is None:
            return
        if self._as_json:
            print(json.dumps(as_fields(answer), ensure_ascii=False), flush=True)
            return
        if what == "caught_up":
            self._asides.say("all that was there has been told; what follows is live")
            return
        try:
            line = line_of(answer)
        except NotARecord as error:
            line = Text(f"something of a later contract: {plain(error.reason)}", "yellow")
        self._page.line(line, hang=10)
        self._page.flush()


def line_of(answer: WatchResponse) -> Text:
    """A round, a finding or a withdrawal in one line."""
    match answer.WhichOneof("what"):
        case "round":
            return _round(read_round(answer.round))
        case "finding":
            return _finding(read_finding(answer.finding), masked=answer.masked)
        case _:
            withdrawn = read_withdrawal(answer.withdrawal)
            where = withdrawn.round or withdrawn.table
            said = f"finding {withdrawn.id[:8]} withdrawn: {withdrawn.reason}"
            return Text.assemble(
                ("--:--:--", "dim"), "  ", ("ok", "green"), f"  {plain(where)}  {plain(said)}"
            )


def _round(settled: SettledRound) -> Text:
    off = sum(each.difference_cents for each in settled.outcomes)
    stakes = sum(each.stake_cents for each in settled.outcomes)
    name = settled.round if settled.version == 1 else f"{settled.round} v{settled.version}"
    said = (
        f"{counted(len(settled.outcomes), 'wager')}, {format_cents(stakes)} staked, "
        f"{format_cents(sum(each.net_owed for each in settled.outcomes))} due to patrons"
    )
    text = Text.assemble(
        (clock(settled.closed_at), "dim"),
        "      ",
        f"{plain(name)}  ",
        (f"{plain(settled.game or 'rules not known')}  ", "dim"),
        said,
    )
    if off:
        text.append(", difference ").append_text(styled(format_result(-off)))
    if settled.status.value != "settled":
        text.append(f"  {settled.status.value}", "yellow")
    return text


def _finding(found: Finding, *, masked: bool) -> Text:
    where = found.round or found.table
    text = Text.assemble(
        (clock(found.at), "dim"),
        " ",
        (f" {found.level.name} ", LEVEL_STYLES[found.level]),
        f" {plain(where)}  ",
        (found.kind.value, "bold"),
    )
    text.append("  hidden until the hole card is shown" if masked else f"  {plain(found.text)}")
    return text
