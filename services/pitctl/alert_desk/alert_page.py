"""`pitctl alerts show`: one alert, what proves it, what was done, and the hand that shows it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from rich.text import Text

from blackjack.money import format_cents
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_WITHDRAWN, Alert, Evidence
from casino.surveillance.v1.service_pb2 import GetAlertRequest, GetAlertResponse
from casino.surveillance.v1.work_pb2 import JournalEntry, Work, WorkedAlert
from pitctl.alert_desk.client import ask
from pitctl.alert_desk.labels import amount_words, level_of, state_words
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.replay_page import ReplayPage
from pitctl.output.round_page import LEVEL_STYLES
from pitctl.output.text import Page, clock, counted, moment, plain
from wire.replay import read_replay
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

SHOWN: Final = 0
HALF_A_DAY_US: Final = 43_200_000_000
_EVIDENCE: Final = ("time", "round", "seat", "wager", "due patron", "paid patron", "what")


def run(place: Place, request: GetAlertRequest, *, every: bool, as_json: bool) -> int:
    async def asked(desk: SurveillanceServiceAsyncStub) -> GetAlertResponse:
        return await desk.GetAlert(request)

    answer = ask(place, asked)
    if as_json:
        print(json.dumps(as_fields(answer), ensure_ascii=False, indent=2))
        return SHOWN
    page = Page(sys.stdout)
    print_alert(page, answer.alert)
    print_journal(page, list(answer.journal))
    if answer.HasField("replay"):
        page.blank()
        replayed = ReplayPage(page, read_replay(answer.replay))
        if every:
            replayed.print_every()
        else:
            replayed.print_story()
    elif answer.without_replay:
        page.blank()
        page.line((f"no replay: {plain(answer.without_replay)}", "yellow"), hang=2)
    return SHOWN


def print_alert(page: Page, worked: WorkedAlert) -> None:
    alert = worked.alert
    level = level_of(worked)
    title = Text.assemble(
        (f" {level.name} ", LEVEL_STYLES[level]), " ", (plain(alert.kind), "bold"),
        (f"  {plain(alert.id)}  revision {alert.revision}", "dim"),
    )  # fmt: skip
    if alert.label:
        title.append(f"  {plain(alert.label)}", "bold cyan")
    page.rule(title)
    page.line((plain(alert.sentence), "bold"), indent=2, hang=2)
    if alert.state == ALERT_STATE_WITHDRAWN:
        reason = alert.withdrawn_because or "later facts have disproved it"
        page.line((f"withdrawn: {reason}", "yellow"), indent=2)
    for name, value in _facts(alert):
        page.line((f"{name:<10}", "dim"), value, indent=2, hang=10)
    _print_work(page, worked.work, worked)
    _print_evidence(page, alert)


def _facts(alert: Alert) -> list[tuple[str, str]]:
    raised, changed = read_time(alert.raised_at), read_time(alert.changed_at)
    when = moment(raised)
    if changed > raised:
        is_long = changed - raised > HALF_A_DAY_US
        when += f", until {moment(changed) if is_long else clock(changed)}"
    seat = f"{alert.seat}" if alert.seat else ""
    found = [
        ("when", when), ("table", alert.table_id), ("round", alert.round), ("seat", seat),
        ("dealer", alert.dealer), ("patron", alert.patron), ("coupon", alert.coupon),
        ("amount", amount_words(alert)), ("detail", alert.detail), ("rule", alert.rule),
        ("chance", _chance(alert)),
    ]  # fmt: skip
    return [(name, plain(value)) for name, value in found if value]


def _chance(alert: Alert) -> str:
    if not alert.HasField("statistics"):
        return ""
    proof = alert.statistics
    seen = f" after {counted(proof.observations, 'observation')}" if proof.observations else ""
    return (
        f"e-value {proof.e_value:,.3g}{seen}; where nothing is wrong, at most"
        f" {proof.false_alarm_bound:.2g} of all streams ever raise it"
    )


def _print_work(page: Page, work: Work, worked: WorkedAlert) -> None:
    said = state_words(worked)
    if work.changed_by:
        said += f", by {plain(work.changed_by)} at {moment(read_time(work.changed_at))}"
    if work.reason:
        said += f": {plain(work.reason)}"
    page.line((f"{'state':<10}", "dim"), said, indent=2, hang=10)
    if work.assignee:
        page.line((f"{'assignee':<10}", "dim"), plain(work.assignee), indent=2)
    if work.cases:
        page.line((f"{'cases':<10}", "dim"), ", ".join(map(str, work.cases)), indent=2)
    kept = f"until {moment(read_time(work.video_until))}" + (", held" if work.is_held else "")
    page.line((f"{'video':<10}", "dim"), kept, indent=2)


def _print_evidence(page: Page, alert: Alert) -> None:
    if not alert.evidence:
        return
    page.blank()
    total = max(alert.evidence_count, len(alert.evidence))
    heading = counted(total, "piece of evidence", "pieces of evidence")
    if total > len(alert.evidence):
        heading += f", of which {len(alert.evidence)} are shown"
    page.line((heading, "dim"), indent=2)
    page.table(_EVIDENCE, [_evidence(each) for each in alert.evidence], align="llrlrrl")
    for mark in alert.bookmarks:
        begins, ends = read_time(getattr(mark, "from")), read_time(mark.until)
        said = f"video {plain(mark.table_id)}  {moment(begins)} to {clock(ends)}"
        page.line((said, "dim"), indent=2)


def _evidence(each: Evidence) -> tuple[str, ...]:
    return (
        clock(read_time(each.at)),
        each.round or each.table_id,
        str(each.seat) if each.seat else "",
        each.wager,
        format_cents(each.owed_cents, currency=False) if each.HasField("owed_cents") else "",
        format_cents(each.paid_cents, currency=False) if each.HasField("paid_cents") else "",
        each.words or each.kind,
    )


def print_journal(page: Page, entries: list[JournalEntry]) -> None:
    if not entries:
        return
    page.blank()
    page.line(("what was done", "dim"), indent=2)
    for entry in entries:
        page.line(*entry_parts(entry), indent=2, hang=22)


def entry_parts(entry: JournalEntry) -> list[tuple[str, str] | str]:
    said = f": {plain(entry.text)}" if entry.text else ""
    about = f" {plain(entry.alert_id[:8])}" if entry.alert_id and entry.case_number else ""
    return [
        (f"{moment(read_time(entry.at)).removesuffix(' UTC')}  ", "dim"),
        (plain(entry.author), "bold"),
        f" {plain(entry.action)}{about}{said}",
    ]
