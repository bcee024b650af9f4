"""`pitctl tail`: rounds and findings live, one line each."""

from __future__ import annotations

from rich.text import Text

from blackjack.display_names import finding_name, game_name
from blackjack.findings import Finding
from blackjack.money import format_cents, format_result
from blackjack.outcomes import SettledRound
from casino.settlement.v1.service_pb2 import WatchRequest, WatchResponse
from pitctl.archive.client import ARCHIVE
from pitctl.connection.channel import Endpoint
from pitctl.connection.watch import LineParts, WatchPrinter, watch
from pitctl.output.round_page import LEVEL_STYLES, finding_title
from pitctl.output.text import count_noun, escape, format_clock, styled
from wire.errors import NotARecord
from wire.settlement import read_finding, read_round, read_withdrawal


def run(place: Endpoint, request: WatchRequest, *, as_json: bool) -> int:
    """Watch until Ctrl-C, or until the output is closed; return the exit status."""
    return watch(ARCHIVE, place, request, WatchPrinter(_parts_of, hang=10, as_json=as_json))


def _parts_of(answer: WatchResponse) -> LineParts:
    try:
        return [line_of(answer)]
    except NotARecord as error:
        return [(f"message of a later contract: {escape(error.reason)}", "yellow")]


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
            words = f"finding {withdrawn.id[:8]} withdrawn: {withdrawn.reason}"
            return Text.assemble(
                ("--:--:--", "dim"), "  ", ("ok", "green"), f"  {escape(where)}  {escape(words)}"
            )


def _round(settled: SettledRound) -> Text:
    off = sum(outcome.difference_cents for outcome in settled.outcomes)
    stakes = sum(outcome.stake_cents for outcome in settled.outcomes)
    name = settled.round if settled.version == 1 else f"{settled.round} v{settled.version}"
    words = (
        f"{count_noun(len(settled.outcomes), 'wager')}, {format_cents(stakes)} staked, "
        f"{format_cents(sum(outcome.net_owed for outcome in settled.outcomes))} due to patrons"
    )
    text = Text.assemble(
        (format_clock(settled.closed_at), "dim"),
        "      ",
        f"{escape(name)}  ",
        (f"{escape(game_name(settled.game) if settled.game else 'rules unknown')}  ", "dim"),
        words,
    )
    if off:
        text.append(", difference ").append_text(styled(format_result(-off)))
    if settled.status.value != "settled":
        text.append(f"  {settled.status.value}", "yellow")
    return text


def _finding(found: Finding, *, masked: bool) -> Text:
    where = found.round or found.table
    text = Text.assemble(
        (format_clock(found.at), "dim"),
        " ",
        (f" {found.level.name} ", LEVEL_STYLES[found.level]),
        f" {escape(where)}  ",
    )
    if masked:
        text.append(finding_name(found.kind), "bold")
        return text.append("  masked until the hole card is shown")
    return text.append_text(finding_title(found))
