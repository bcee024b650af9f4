"""What people do about alerts: the steps, who may take them, and that nothing is lost."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P3
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.work_pb2 import (
    DECISION_ADVANTAGE_PLAY,
    DECISION_CONFIRMED,
    DECISION_ERROR,
    DECISION_FALSE_ALARM,
    DECISION_UNSPECIFIED,
    WORK_STATE_ACKNOWLEDGED,
    WORK_STATE_CLOSED,
    WORK_STATE_IN_REVIEW,
    WORK_STATE_NEW,
    JournalEntry,
    Work,
    WorkedAlert,
)
from tests.alert_desk.house import DONE_BY_PEOPLE, House, an_alert


def get(house: House, name: str) -> WorkedAlert:
    found: WorkedAlert = house.call(pb.GetAlertRequest(alert_id=name)).alert
    return found


def work(house: House, name: str) -> Work:
    return get(house, name).work


def journal(house: House, name: str) -> list[JournalEntry]:
    return list(house.call(pb.GetAlertRequest(alert_id=name)).journal)


def decide(name: str, decision: int = DECISION_ERROR, **fields: object) -> pb.DecideRequest:
    return pb.DecideRequest(alert_id=name, decision=decision, reason="miscounted", **fields)  # type: ignore[arg-type]


# Steps --------------------------------------------------------------------------------


def test_an_alert_goes_from_new_to_closed_and_the_journal_says_who_did_it(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    assert work(shared, name).state == WORK_STATE_NEW
    seen = shared.call(pb.AcknowledgeRequest(alert_id=name)).alert.work
    assert (seen.state, seen.changed_by) == (WORK_STATE_ACKNOWLEDGED, "ada")
    taken = shared.call(pb.ReviewRequest(alert_id=name, note="on it"), by="bob").alert.work
    assert (taken.state, taken.assignee) == (WORK_STATE_IN_REVIEW, "bob")
    closed = shared.call(decide(name), by="bob").alert.work
    assert (closed.state, closed.decision) == (WORK_STATE_CLOSED, DECISION_ERROR)
    assert (closed.reason, closed.changed_by) == ("miscounted", "bob")
    assert [(e.author, e.action, e.text, e.state) for e in journal(shared, name)] == [
        ("ada", "acknowledged", "", WORK_STATE_ACKNOWLEDGED),
        ("bob", "taken into review", "on it", WORK_STATE_IN_REVIEW),
        ("bob", "decided", "miscounted", WORK_STATE_CLOSED),
    ]


def test_what_was_acknowledged_is_not_acknowledged_again_by_another(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    shared.call(pb.AcknowledgeRequest(alert_id=name), by="ada")
    said = shared.refused(pb.AcknowledgeRequest(alert_id=name), by="bob")
    assert said == f"FAILED_PRECONDITION: alert {name}: already acknowledged, by ada"


def test_what_is_closed_is_decided_again_only_when_it_was_opened_again(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    shared.call(decide(name))
    assert "closed as error by ada" in shared.refused(decide(name, DECISION_CONFIRMED))
    again = shared.call(pb.ReopenRequest(alert_id=name, reason="the tape says otherwise"))
    assert again.alert.work.state == WORK_STATE_NEW
    assert again.alert.work.decision == DECISION_UNSPECIFIED
    assert again.alert.work.reopened == 1
    confirmed = shared.call(decide(name, DECISION_CONFIRMED))
    assert confirmed.alert.work.decision == DECISION_CONFIRMED


def test_a_closed_alert_that_grows_is_new_again_and_says_why(shared: House, name: str) -> None:
    shared.tell(an_alert(name, evidence=2))
    shared.call(decide(name))
    shared.tell(an_alert(name, revision=2, evidence=3))
    found = work(shared, name)
    assert (found.state, found.reopened) == (WORK_STATE_NEW, 1)
    last = journal(shared, name)[-1]
    assert (last.author, last.action, last.revision) == ("service/alert_desk", "grew", 2)
    assert last.text == "evidence grew from 2 to 3 after ada closed it as error"


def test_a_closed_alert_that_becomes_more_urgent_is_new_again(shared: House, name: str) -> None:
    shared.tell(an_alert(name, level=LEVEL_P3))
    shared.call(decide(name))
    shared.tell(an_alert(name, revision=2, level=LEVEL_P1))
    assert work(shared, name).state == WORK_STATE_NEW
    assert "priority rose from P3 to P1" in journal(shared, name)[-1].text


def test_a_closed_alert_that_shrinks_or_is_said_again_stays_closed(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name, evidence=3))
    shared.call(decide(name))
    shared.tell(an_alert(name, evidence=3), an_alert(name, revision=2, evidence=2))
    assert work(shared, name).state == WORK_STATE_CLOSED
    shared.tell(an_alert(name, revision=3, withdrawn=True))
    assert work(shared, name).state == WORK_STATE_CLOSED


def test_that_an_alert_was_withdrawn_is_in_the_journal_with_the_reason_once(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    gone = an_alert(name, revision=2, withdrawn=True, withdrawn_because="not told again")
    shared.tell(gone, gone)
    (entry,) = journal(shared, name)
    assert (entry.action, entry.text, entry.revision) == ("withdrawn", "not told again", 2)
    assert entry.author == "service/alert_desk"
    shared.tell(an_alert(name, generation=1), an_alert(name, generation=1, revision=2))
    assert len(journal(shared, name)) == 1


def test_an_alert_that_was_withdrawn_is_not_decided(shared: House, name: str) -> None:
    shared.tell(an_alert(name), an_alert(name, revision=2, withdrawn=True))
    assert "surveillance has withdrawn it" in shared.refused(decide(name))


def test_advantage_play_is_legal_and_never_confirmed_as_something_else(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name, kind="statistics.count", label="advantage"))
    for wrong in (DECISION_CONFIRMED, DECISION_ERROR):
        assert "advantage play is legal" in shared.refused(decide(name, wrong))
    assert shared.call(decide(name, DECISION_ADVANTAGE_PLAY)).alert.work.state == WORK_STATE_CLOSED


def test_nobody_decides_on_what_has_changed_since_they_looked(shared: House, name: str) -> None:
    shared.tell(an_alert(name), an_alert(name, revision=2, evidence=2))
    said = shared.refused(decide(name, revision=1))
    assert said == f"ABORTED: alert {name} has changed from revision 1 to 2: review it again"
    assert shared.call(decide(name, revision=2)).alert.work.state == WORK_STATE_CLOSED


def test_an_alert_is_given_to_somebody_and_found_by_it(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    shared.call(pb.AssignRequest(alert_id=name, assignee=f"cy-{name}"))
    (found,) = shared.call(pb.ListAlertsRequest(assignee=f"cy-{name}")).alerts
    assert found.alert.id == name
    shared.call(pb.AssignRequest(alert_id=name))
    assert not shared.call(pb.ListAlertsRequest(assignee=f"cy-{name}")).alerts


def test_the_same_command_twice_is_done_once(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    command = pb.AcknowledgeRequest(alert_id=name, command_id=f"c-{name}")
    first = shared.call(command)
    assert shared.call(command) == first
    note = pb.AddNoteRequest(alert_id=name, text="look at 14:02", command_id=f"n-{name}")
    assert shared.call(note) == shared.call(note)
    assert [each.action for each in journal(shared, name)] == ["acknowledged", "noted"]


def test_an_alert_is_named_by_how_its_id_begins_where_that_is_enough(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(f"{name}-aa"), an_alert(f"{name}-ab"))
    assert get(shared, f"{name}-aa").alert.id == f"{name}-aa"
    said = shared.refused(pb.AcknowledgeRequest(alert_id=f"{name}-a"))
    assert said.startswith("FAILED_PRECONDITION: alert_id")
    assert shared.call(pb.GetAlertRequest(alert_id=f"{name}-ab"[:-1] + "b"))
    assert "NOT_FOUND" in shared.refused(pb.AcknowledgeRequest(alert_id="nobody-knows"))


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.DecideRequest(decision=DECISION_ERROR), "reason: must not be empty"),
        (pb.DecideRequest(reason="x"), "decision: missing"),
        (pb.DecideRequest(reason="x", decision=9), "decision: 9 is unknown"),  # type: ignore[arg-type]
        (pb.ReopenRequest(reason="  "), "reason: must not be empty"),
        (pb.AddNoteRequest(text=""), "text: must not be empty"),
        (pb.AddNoteRequest(text="x" * 10_001), "text: a text of 10001 characters: at most 10000"),
        (pb.ReviewRequest(note="a\0b"), "note: a text has no zero byte"),
        (pb.AssignRequest(assignee="x" * 201), "assignee: a text of 201 characters: at most 200"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_field(
    shared: House,
    request_: pb.DecideRequest | pb.ReopenRequest | pb.AddNoteRequest | pb.ReviewRequest,
    reason: str,
) -> None:
    request_.alert_id = "abcdef"
    assert shared.refused(request_) == f"INVALID_ARGUMENT: {reason}"


# Rights -------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["auditor", "administrator", "accounting", "pit", "cage"])
def test_only_surveillance_does_something_about_alerts(shared: House, name: str, role: str) -> None:
    shared.tell(an_alert(name))
    for request in (
        pb.AcknowledgeRequest(alert_id=name),
        decide(name),
        pb.OpenCaseRequest(title="x"),
        pb.AddNoteRequest(alert_id=name, text="x"),
        pb.ChangeSettingRequest(),
        pb.SetWebhookRequest(),
    ):
        assert shared.refused(request, role).startswith("PERMISSION_DENIED")
    assert not journal(shared, name)


def test_the_pit_sees_alerts_without_what_people_write_about_them(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    shared.call(pb.AddNoteRequest(alert_id=name, text="watch the dealer"))
    answer = shared.call(pb.GetAlertRequest(alert_id=name), "pit")
    assert answer.alert.alert.id == name
    assert not answer.journal
    assert shared.refused(pb.ListCasesRequest(), "pit").startswith("PERMISSION_DENIED")


def test_what_tells_a_hole_card_is_masked_for_the_pit_until_the_round_is_over(
    shared: House, name: str
) -> None:
    secret = "the dealer peeked at a ten"
    fields: dict[str, Any] = {"sentence": secret, "cents": 700, "round": name, "dealer": "D-1"}
    shared.tell(an_alert(name, tells_hole_card=True, **fields))
    for role in ("pit", "accounting"):
        hidden = shared.call(pb.GetAlertRequest(alert_id=name, with_replay=True), role)
        assert hidden.alert.masked
        assert secret not in str(hidden)
        assert (hidden.alert.alert.cents, len(hidden.alert.alert.evidence)) == (0, 0)
        assert (hidden.alert.alert.kind, hidden.alert.alert.table_id) == ("hidden", "T1")
        assert hidden.without_replay == "the round is not over"
        # Nor is it found by what it says.
        for telling in (
            pb.ListAlertsRequest(text=f"{name} peeked"),
            pb.ListAlertsRequest(kind="payout", round=name),
            pb.ListAlertsRequest(dealer="D-1", round=name),
        ):
            assert not shared.call(telling, role).alerts
        assert len(shared.call(pb.ListAlertsRequest(round=name), role).alerts) == 1
    for role in ("surveillance", "auditor", "administrator"):
        known = shared.call(pb.GetAlertRequest(alert_id=name), role).alert.alert
        assert (known.cents, known.kind) == (700, "payout.mismatch")
    shared.tell(an_alert(name, revision=2, **fields))
    told = shared.call(pb.GetAlertRequest(alert_id=name), "pit").alert
    assert (told.masked, told.alert.sentence, told.alert.cents) == (False, secret, 700)


def test_an_operator_is_trusted_but_not_a_person_that_an_operator_names(
    shared: House, name: str
) -> None:
    shared.tell(an_alert(name))
    seen = shared.call(pb.AcknowledgeRequest(alert_id=name), peer="operator/local")
    assert seen.alert.work.changed_by == "operator/local"


def test_other_services_read_and_do_nothing(shared: House, name: str) -> None:
    shared.tell(an_alert(name))
    assert shared.call(pb.GetAlertRequest(alert_id=name), peer="service/accounting").alert.alert.id
    said = shared.refused(pb.AcknowledgeRequest(alert_id=name), peer="service/accounting")
    assert said.startswith("PERMISSION_DENIED")


@pytest.mark.parametrize("table", [each for each in DONE_BY_PEOPLE if each != "work"])
@pytest.mark.parametrize("verb", ["UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_application_may_neither_change_nor_take_out_what_people_did(
    shared: House, table: str, verb: str
) -> None:
    with shared.as_application() as connection:
        row = connection.execute(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = %s AND NOT is_identity = 'YES' LIMIT 1",
            [table],
        ).fetchone()
        assert row is not None
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(verb.format(table, row[0], row[0]).encode())


def test_the_work_is_what_the_journal_comes_to(shared: House, name: str) -> None:
    for number in range(3):
        shared.tell(an_alert(f"{name}-{number}"))
    shared.call(pb.AcknowledgeRequest(alert_id=f"{name}-0"))
    shared.call(decide(f"{name}-1", DECISION_FALSE_ALARM))
    shared.call(decide(f"{name}-2"))
    shared.call(pb.ReopenRequest(alert_id=f"{name}-2", reason="x"))
    folded: dict[str, tuple[int, int]] = {}
    with shared.as_application() as connection:
        for alert_id, state, decision in connection.execute(
            "SELECT alert_id, state, decision FROM journal WHERE alert_id <> '' AND state > 0"
            " ORDER BY number"
        ):
            folded[alert_id] = (state, decision)
        kept = {
            row[0]: (row[1], row[2])
            for row in connection.execute("SELECT alert_id, state, decision FROM work")
        }
    assert {key: value for key, value in kept.items() if key in folded} == folded
    assert all(value == (WORK_STATE_NEW, 0) for key, value in kept.items() if key not in folded)
