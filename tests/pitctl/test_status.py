"""`pitctl status` in words: tables in quarantine, and the day that findings are told of."""

from __future__ import annotations

from datetime import date, time
from io import StringIO
from zoneinfo import ZoneInfo

from casino.settlement.v1.finding_pb2 import LEVEL_P2
from casino.settlement.v1.service_pb2 import GetStatusResponse, KindCount, QuarantinedTable
from pitctl.archive.status import NAMED_MAX, floor_day, print_status, quarantine_words
from pitctl.output.text import Page
from property_calendar.gaming_day import Calendar
from wire.vocabulary import write_time

CALENDAR = Calendar(ZoneInfo("America/Los_Angeles"), time(6))
TODAY = date(2026, 11, 18)
AT = 1_772_416_800_000_000  # 2026-03-02 02:00 UTC: the evening of March 1 at the property


def tables(count: int) -> list[QuarantinedTable]:
    return [
        QuarantinedTable(table_id=f"BJ-{number:02d}", since=write_time(AT))
        for number in range(1, count + 1)
    ]


def printed(status: GetStatusResponse) -> str:
    out = StringIO()
    print_status(Page(out), status, on_day="on gaming day 2026-03-01")
    return out.getvalue()


def test_findings_are_those_of_the_gaming_day_of_the_last_event() -> None:
    last = GetStatusResponse(last_event_at=write_time(AT))
    assert floor_day(CALENDAR, last, TODAY) == date(2026, 3, 1)
    assert floor_day(CALENDAR, GetStatusResponse(), TODAY) == TODAY


def test_the_day_is_said_whether_or_not_something_was_found() -> None:
    assert "no findings on gaming day 2026-03-01" in printed(GetStatusResponse())
    found = GetStatusResponse(findings=[KindCount(kind="payout.overpaid", level=LEVEL_P2, count=3)])
    assert "findings on gaming day 2026-03-01" in printed(found)


def test_a_few_tables_in_quarantine_are_named_and_the_others_counted() -> None:
    assert "quarantine" not in printed(GetStatusResponse())
    few = quarantine_words(tables(2))
    assert few.startswith("BJ-01 since 2026-03-02 02:00:00 UTC, BJ-02 since")
    assert few.endswith("dead-letters --table BJ-01")
    many = quarantine_words(tables(NAMED_MAX + 3))
    assert f"BJ-{NAMED_MAX:02d}" in many
    assert f"BJ-{NAMED_MAX + 1:02d}" not in many
    assert " and 3 more; why: " in many
    assert "quarantine" in printed(GetStatusResponse(quarantined=tables(1)))
