"""`pitctl alerts show`: one alert with its evidence, its activity and the hand replayed."""

from __future__ import annotations

import sys
from typing import Final

from rich.text import Text

from alerting.display_names import alert_name
from blackjack.display_names import wager_name
from blackjack.money import format_cents
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_WITHDRAWN, Alert, Evidence
from casino.surveillance.v1.service_pb2 import GetAlertRequest
from casino.surveillance.v1.work_pb2 import JournalEntry, Work, WorkedAlert
from pitctl.alert_desk.client import ALERT_DESK
from pitctl.alert_desk.labels import amount_words, level_of, state_words
from pitctl.connection.channel import Endpoint
from pitctl.output.exit import OK
from pitctl.output.json_out import print_fields
from pitctl.output.replay_page import ReplayPage
from pitctl.output.round_page import LEVEL_STYLES
from pitctl.output.text import Page, count_noun, escape, format_clock, format_moment
from wire.replay import read_replay
from wire.vocabulary import read_time

HALF_A_DAY_US: Final = 43_200_000_000
_EVIDENCE: Final = ("time", "round", "seat", "wager", "due patron", "paid patron", "evidence")


def run(endpoint: Endpoint, request: GetAlertRequest, *, every: bool, as_json: bool) -> int:
    answer = ALERT_DESK.call(endpoint, lambda stub: stub.GetAlert(request))
    if as_json:
        print_fields(answer, indent=2)
        return OK
    page = Page(sys.stdout)
    print_alert(page, answer.alert)
    print_activity(page, list(answer.journal))
    if answer.HasField("replay"):
        page.blank()
        replayed = ReplayPage(page, read_replay(answer.replay))
        if every:
            replayed.print_every()
        else:
            replayed.print_story()
    elif answer.without_replay:
        page.blank()
        page.line((f"No replay: {escape(answer.without_replay)}", "yellow"), hang=2)
    return OK


def print_alert(page: Page, worked: WorkedAlert) -> None:
    alert = worked.alert
    level = level_of(worked)
    title = Text.assemble(
        (f" {level.name} ", LEVEL_STYLES[level]), " ", (escape(alert_name(alert.kind)), "bold"),
        (f"  {escape(alert.id)}  revision {alert.revision}", "dim"),
    )  # fmt: skip
    if alert.label:
        title.append(f"  {escape(alert.label)}", "bold cyan")
    page.rule(title)
    page.line((escape(alert.sentence), "bold"), indent=2, hang=2)
    if alert.state == ALERT_STATE_WITHDRAWN:
        reason = alert.withdrawn_because or "disproved by later facts"
        page.line((f"withdrawn: {reason}", "yellow"), indent=2)
    for name, value in _facts(alert):
        page.line((f"{name:<10}", "dim"), value, indent=2, hang=10)
    _print_work(page, worked.work, worked)
    _print_evidence(page, alert)


def _facts(alert: Alert) -> list[tuple[str, str]]:
    raised, changed = read_time(alert.raised_at), read_time(alert.changed_at)
    when = format_moment(raised)
    if changed > raised:
        is_long = changed - raised > HALF_A_DAY_US
        when += f", until {format_moment(changed) if is_long else format_clock(changed)}"
    seat = f"{alert.seat}" if alert.seat else ""
    found = [
        ("when", when), ("table", alert.table_id), ("round", alert.round), ("seat", seat),
        ("dealer", alert.dealer), ("patron", alert.patron), ("coupon", alert.coupon),
        ("amount", amount_words(alert)), ("detail", alert.detail), ("rule", alert.rule),
        ("chance", _chance(alert)),
    ]  # fmt: skip
    return [(name, escape(value)) for name, value in found if value]


def _chance(alert: Alert) -> str:
    if not alert.HasField("statistics"):
        return ""
    proof = alert.statistics
    seen = f" after {count_noun(proof.observations, 'observation')}" if proof.observations else ""
    return (
        f"e-value {proof.e_value:,.3g}{seen}; an honest game raises this alert with a probability"
        f" of at most {proof.false_alarm_bound:.2g}"
    )


def _print_work(page: Page, work: Work, worked: WorkedAlert) -> None:
    words = state_words(worked)
    if work.changed_by:
        words += f", by {escape(work.changed_by)} at {format_moment(read_time(work.changed_at))}"
    if work.reason:
        words += f": {escape(work.reason)}"
    page.line((f"{'status':<10}", "dim"), words, indent=2, hang=10)
    if work.assignee:
        page.line((f"{'assignee':<10}", "dim"), escape(work.assignee), indent=2)
    if work.cases:
        page.line((f"{'cases':<10}", "dim"), ", ".join(map(str, work.cases)), indent=2)
    kept = f"until {format_moment(read_time(work.video_until))}" + (
        ", held" if work.is_held else ""
    )
    page.line((f"{'video':<10}", "dim"), kept, indent=2)


def _print_evidence(page: Page, alert: Alert) -> None:
    if not alert.evidence:
        return
    page.blank()
    total = max(alert.evidence_count, len(alert.evidence))
    heading = count_noun(total, "piece of evidence", "pieces of evidence")
    if total > len(alert.evidence):
        heading += f", of which {len(alert.evidence)} are shown"
    page.line((heading, "dim"), indent=2)
    page.table(_EVIDENCE, [_evidence(evidence) for evidence in alert.evidence], align="llrlrrl")
    for mark in alert.bookmarks:
        begins, ends = read_time(getattr(mark, "from")), read_time(mark.until)
        words = f"video {escape(mark.table_id)}  {format_moment(begins)} to {format_clock(ends)}"
        page.line((words, "dim"), indent=2)


def _evidence(evidence: Evidence) -> tuple[str, ...]:
    return (
        format_clock(read_time(evidence.at)),
        evidence.round or evidence.table_id,
        str(evidence.seat) if evidence.seat else "",
        wager_name(evidence.wager) if evidence.wager else "",
        _cents(evidence, "owed_cents"),
        _cents(evidence, "paid_cents"),
        evidence.words or alert_name(evidence.kind),
    )


def _cents(evidence: Evidence, field: str) -> str:
    if not evidence.HasField(field):  # type: ignore[arg-type]
        return ""
    return format_cents(getattr(evidence, field), currency=False)


def print_activity(page: Page, entries: list[JournalEntry]) -> None:
    if not entries:
        return
    page.blank()
    page.line(("activity", "dim"), indent=2)
    for entry in entries:
        page.line(*activity_parts(entry), indent=2, hang=22)


def activity_parts(entry: JournalEntry) -> list[tuple[str, str] | str]:
    text = f": {escape(entry.text)}" if entry.text else ""
    about = f" {escape(entry.alert_id[:8])}" if entry.alert_id and entry.case_number else ""
    return [
        (f"{format_moment(read_time(entry.at)).removesuffix(' UTC')}  ", "dim"),
        (escape(entry.author), "bold"),
        f" {escape(entry.action)}{about}{text}",
    ]
