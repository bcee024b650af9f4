"""Cases: alerts, people, evidence that is held, deadlines that are counted down, and their end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.case_pb2 import (
    CASE_STATE_CLOSED,
    CASE_STATE_OPEN,
    DEADLINE_RULE_24_HOURS,
    DEADLINE_RULE_72_HOURS,
    DEADLINE_RULE_AT,
    DEADLINE_RULE_THREE_BUSINESS_DAYS,
    Case,
    CasePerson,
    DeadlineRule,
)
from casino.surveillance.v1.work_pb2 import DECISION_CONFIRMED, DECISION_ERROR
from tests.alert_desk.house import MINUTE, House, an_alert, now
from wire.vocabulary import read_time, write_time

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
DAY = timedelta(days=1)


def stamp(at: datetime) -> Timestamp:
    return Timestamp(seconds=int(at.timestamp()))


def local(*when: int) -> datetime:
    return datetime(*when, tzinfo=LOS_ANGELES)  # type: ignore[arg-type,misc]


def opened(house: House, title: str, *alerts: str, by: str = "ada") -> Case:
    found: Case = house.call(pb.OpenCaseRequest(title=title, alert_ids=alerts), by=by).case
    return found


def closing(case: Case, **fields: str) -> pb.CloseCaseRequest:
    return pb.CloseCaseRequest(
        number=case.summary.number, outcome=DECISION_CONFIRMED, conclusion="dismissed", **fields
    )


def test_a_case_has_alerts_people_notes_and_a_journal(shared: House, name: str) -> None:
    shared.tell(an_alert(f"{name}-a"), an_alert(f"{name}-b"))
    person = CasePerson(role="dealer", name="D-17", words="since March")
    opening = pb.OpenCaseRequest(
        title="overpaid seat 3", alert_ids=[f"{name}-a"], people=[person], note="see 14:02"
    )
    case = shared.call(opening).case
    number = case.summary.number
    more = pb.AddToCaseRequest(
        number=number, alert_ids=[f"{name}-b"], people=[CasePerson(role="patron", name="P-4")]
    )
    shared.call(more, by="bob")
    shared.call(pb.AddNoteRequest(case_number=number, text="the patron left"), by="bob")
    found = shared.call(pb.GetCaseRequest(number=number), "auditor").case
    assert [each.alert.id for each in found.alerts] == [f"{name}-a", f"{name}-b"]
    assert [list(each.work.cases) for each in found.alerts] == [[number], [number]]
    assert [(each.role, each.name) for each in found.people] == [
        ("dealer", "D-17"),
        ("patron", "P-4"),
    ]
    assert [(each.author, each.action) for each in found.journal] == [
        ("ada", "opened"), ("ada", "alert added"), ("ada", "held"), ("ada", "person added"),
        ("ada", "noted"),
        ("bob", "alert added"), ("bob", "held"), ("bob", "person added"), ("bob", "noted"),
    ]  # fmt: skip
    assert "the case has all of them already" in shared.refused(more)


def test_the_video_of_an_alert_is_held_as_soon_as_it_is_in_a_case(shared: House, name: str) -> None:
    at = now()
    shared.tell(an_alert(name, at=at, table_id="BJ-07"))
    before = shared.call(pb.GetAlertRequest(alert_id=name)).alert.work
    assert not before.is_held
    case = opened(shared, "x", name)
    (hold,) = case.holds
    assert (hold.table_id, hold.alert_id, hold.held_by) == ("BJ-07", name, "ada")
    assert read_time(getattr(hold, "from")) == at - 2 * MINUTE
    assert read_time(hold.until) == at + 2 * MINUTE
    assert hold.video_until == before.video_until
    assert not hold.too_late
    assert shared.call(pb.GetAlertRequest(alert_id=name)).alert.work.is_held
    release = pb.ReleaseEvidenceRequest(
        number=case.summary.number, hold=hold.number, reason="not needed"
    )
    released = shared.call(release, by="bob").case.holds[0]
    assert released.released_by == "bob"
    assert not shared.call(pb.GetAlertRequest(alert_id=name)).alert.work.is_held
    assert "is released already" in shared.refused(release)


def test_video_lives_seven_gaming_days_and_thirty_for_a_jackpot(shared: House, name: str) -> None:
    # 03:00 belongs to the gaming day before, which began on March 1 at 06:00. On March 8 clocks go
    # forward; both ends are 06:00 by the clock on the wall all the same.
    at = int(local(2026, 3, 2, 3).timestamp()) * 1_000_000
    shared.tell(
        an_alert(f"{name}-usual", at=at),
        an_alert(f"{name}-jackpot", at=at, kind="win.big", cents=3_000_00),
        an_alert(f"{name}-small", at=at, kind="win.big", cents=2_999_99),
    )
    until = {
        each: shared.call(pb.GetAlertRequest(alert_id=f"{name}-{each}")).alert.work.video_until
        for each in ("usual", "jackpot", "small")
    }
    assert until["usual"] == until["small"] == stamp(local(2026, 3, 9, 6))
    assert until["jackpot"] == stamp(local(2026, 4, 1, 6))


def test_what_is_held_too_late_says_so(shared: House, name: str) -> None:
    at = now() - 20 * 24 * 60 * MINUTE
    shared.tell(an_alert(name, at=at))
    case = opened(shared, "late", name)
    assert case.holds[0].too_late
    assert "too late: the video was gone" in case.journal[-1].text


@pytest.mark.parametrize(
    ("rule", "begins_at", "due_at"),
    [
        # Hours pass also where clocks are changed: on March 8 an hour is skipped.
        (DEADLINE_RULE_24_HOURS, local(2026, 3, 7, 14), local(2026, 3, 8, 15)),
        (DEADLINE_RULE_72_HOURS, local(2026, 10, 30, 9), local(2026, 11, 2, 8)),
        (DEADLINE_RULE_24_HOURS, local(2026, 3, 2, 14), local(2026, 3, 3, 14)),
        # Business days end at midnight: over a weekend, a change of clocks, Thanksgiving.
        (DEADLINE_RULE_THREE_BUSINESS_DAYS, local(2026, 3, 5, 14), local(2026, 3, 11)),
        (DEADLINE_RULE_THREE_BUSINESS_DAYS, local(2026, 11, 24, 23), local(2026, 12, 2)),
        (DEADLINE_RULE_THREE_BUSINESS_DAYS, local(2026, 12, 31, 9), local(2027, 1, 7)),
    ],
)
def test_deadlines_are_counted_as_their_rule_says(
    shared: House, rule: DeadlineRule.ValueType, begins_at: datetime, due_at: datetime
) -> None:
    case = opened(shared, "deadlines")
    request = pb.SetDeadlineRequest(
        number=case.summary.number, words="tell them", rule=rule, begins_at=stamp(begins_at)
    )
    (deadline,) = shared.call(request).case.deadlines
    assert deadline.due_at == stamp(due_at)
    left = due_at - datetime.now(UTC)
    assert abs(deadline.left_seconds - left.total_seconds()) < 60


def test_a_deadline_begins_with_the_first_alert_of_the_case(shared: House, name: str) -> None:
    at = now() - 60 * MINUTE
    shared.tell(an_alert(f"{name}-a", at=at + MINUTE), an_alert(f"{name}-b", at=at))
    case = opened(shared, "x", f"{name}-a", f"{name}-b")
    request = pb.SetDeadlineRequest(
        number=case.summary.number, words="tell them", rule=DEADLINE_RULE_24_HOURS
    )
    (deadline,) = shared.call(request).case.deadlines
    assert read_time(deadline.begins_at) == at
    assert 22 * 3600 < deadline.left_seconds <= 23 * 3600


def test_a_case_with_a_deadline_is_found_by_it_until_it_is_met(shared: House, name: str) -> None:
    case = opened(shared, f"due {name}")
    soon = datetime.now(UTC) + timedelta(hours=1)
    shared.call(
        pb.SetDeadlineRequest(
            number=case.summary.number, words="file", rule=DEADLINE_RULE_AT, due_at=stamp(soon)
        )
    )
    due = pb.ListCasesRequest(text=name, due_before=stamp(soon + timedelta(seconds=1)))
    (found,) = shared.call(due).cases
    assert found.next_deadline.words == "file"
    assert not shared.call(pb.ListCasesRequest(text=name, due_before=stamp(soon - DAY))).cases
    met = pb.MeetDeadlineRequest(
        number=case.summary.number, deadline=found.next_deadline.number, words="report 77"
    )
    (deadline,) = shared.call(met, by="bob").case.deadlines
    assert (deadline.met_by, deadline.met_words, deadline.left_seconds) == ("bob", "report 77", 0)
    assert not shared.call(due).cases
    assert "is met already" in shared.refused(met)


def test_nobody_closes_alone_what_they_opened(shared: House) -> None:
    case = opened(shared, "alone", by="ada")
    said = shared.refused(closing(case), by="ada")
    assert said.endswith("ada opened it: another person must close or countersign it")
    assert "closes it: name another person" in shared.refused(
        closing(case, countersigned_by="ada"), by="ada"
    )
    closed = shared.call(closing(case, countersigned_by="bob"), by="ada").case
    assert closed.summary.state == CASE_STATE_CLOSED
    assert closed.journal[-1].text == "confirmed: dismissed (countersigned by bob)"
    other = opened(shared, "by another", by="ada")
    assert shared.call(closing(other), by="bob").case.closed_by == "bob"


def test_a_case_is_closed_when_its_alerts_are_decided_and_its_deadlines_met(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    case = opened(shared, "x", name)
    number = case.summary.number
    shared.call(
        pb.SetDeadlineRequest(number=number, words="tell them", rule=DEADLINE_RULE_24_HOURS)
    )
    assert f"undecided alerts: {name}" in shared.refused(closing(case), by="bob")
    shared.call(pb.DecideRequest(alert_id=name, decision=DECISION_ERROR, reason="x"))
    assert "open deadlines: tell them" in shared.refused(closing(case), by="bob")
    deadline = shared.call(pb.GetCaseRequest(number=number)).case.deadlines[0].number
    shared.call(pb.MeetDeadlineRequest(number=number, deadline=deadline, words="told"))
    assert shared.call(closing(case), by="bob").case.summary.state == CASE_STATE_CLOSED


def test_a_closed_case_takes_notes_and_no_more(shared: House, name: str) -> None:
    case = opened(shared, f"done {name}")
    number = case.summary.number
    shared.call(closing(case), by="bob")
    shared.call(pb.AddNoteRequest(case_number=number, text="a letter came"))
    for change in (
        pb.AddToCaseRequest(number=number, people=[CasePerson(role="patron", name="P")]),
        pb.SetDeadlineRequest(number=number, words="x", rule=DEADLINE_RULE_24_HOURS),
        closing(case),
    ):
        assert "closed by bob" in shared.refused(change, by="cy")
    (found,) = shared.call(pb.ListCasesRequest(text=name, state=CASE_STATE_CLOSED)).cases
    assert found.number == number
    assert not shared.call(pb.ListCasesRequest(text=name, state=CASE_STATE_OPEN)).cases


def test_the_same_command_twice_opens_one_case(shared: House, name: str) -> None:
    request = pb.OpenCaseRequest(title=name, command_id=f"open-{name}")
    first = shared.call(request).case.summary.number
    assert shared.call(request).case.summary.number == first
    assert len(shared.call(pb.ListCasesRequest(text=name)).cases) == 1


def test_cases_are_paged_the_newest_first(shared: House, name: str) -> None:
    numbers = [opened(shared, f"{name} {each}").summary.number for each in range(5)]
    found: list[int] = []
    request = pb.ListCasesRequest(text=name, page_size=2)
    while True:
        page = shared.call(request)
        found += [each.number for each in page.cases]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert found == numbers[::-1]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda _: pb.OpenCaseRequest(title=" "), "title: must not be empty"),
        (lambda n: pb.AddToCaseRequest(number=n), "alert_ids: set alert_ids, people or both"),
        (
            lambda n: pb.AddToCaseRequest(number=n, people=[CasePerson(role="dealer")]),
            "people.name: must not be empty",
        ),
        (
            lambda n: pb.SetDeadlineRequest(number=n, words="x"),
            "rule: missing",
        ),
        (
            lambda n: pb.SetDeadlineRequest(number=n, words="x", rule=DEADLINE_RULE_AT),
            "due_at: set it with DEADLINE_RULE_AT",
        ),
        (
            lambda n: pb.HoldEvidenceRequest(
                number=n,
                table_id="T1",
                reason="x",
                until=write_time(MINUTE),
                **{"from": write_time(2 * MINUTE)},  # type: ignore[arg-type]
            ),
            "until: must be after from",
        ),
        (
            lambda n: pb.CloseCaseRequest(number=n, outcome=DECISION_ERROR),
            "conclusion: must not be empty",
        ),
        (lambda n: pb.CloseCaseRequest(number=n, conclusion="x"), "outcome: missing"),
        (
            lambda _: pb.GetCaseRequest(number=2**63),
            f"number: expected a number from 1, not {2**63}",
        ),
        (lambda _: pb.GetCaseRequest(), "number: expected a number from 1, not 0"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_field(
    shared: House, make: Callable[[int], pb.OpenCaseRequest], reason: str
) -> None:
    number = opened(shared, "bad input").summary.number
    assert shared.refused(make(number)).startswith(f"INVALID_ARGUMENT: {reason}")


def test_what_is_not_there_is_not_found(shared: House) -> None:
    number = opened(shared, "empty").summary.number
    for request in (
        pb.GetCaseRequest(number=10**9),
        pb.MeetDeadlineRequest(number=number, deadline=10**9, words="x"),
        pb.ReleaseEvidenceRequest(number=number, hold=10**9, reason="x"),
        pb.AddNoteRequest(case_number=10**9, text="x"),
        pb.OpenCaseRequest(title="x", alert_ids=["nobody-knows"]),
    ):
        assert shared.refused(request).startswith("NOT_FOUND")
