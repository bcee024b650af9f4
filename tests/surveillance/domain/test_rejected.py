"""Dead letters of messages that are no table's: one story a topic, each message once."""

from __future__ import annotations

from alerting.alert import Alert, AlertState
from alerting.office_facts import DeadLetter
from alerting.settings import DEFAULTS
from surveillance.domain.detection import SubjectState, watch
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting

AT = 1_772_416_800_000_000


def letter(number: int, topic: str, origin: str, *, code: str = "unreadable") -> DeadLetter:
    return DeadLetter(AT, code, "no record", id=f"0/{number}", topic=topic, origin=origin)


def alerts(*letters: DeadLetter) -> dict[str, Alert]:
    state: SubjectState | None = None
    told: dict[str, Alert] = {}
    for number, each in enumerate(letters):
        (seen,) = sort(each, day_of=lambda _: "2026-03-01")
        state, said = watch(state, SourcedSighting("dead-letters/0", number, 0, seen), DEFAULTS)
        told |= {alert.id: alert for alert in said}
    return told


def test_each_topic_is_a_story_of_its_own() -> None:
    told = alerts(letter(0, "findings", "findings/1/7"), letter(1, "alerts", "alerts/0/7"))
    assert sorted(alert.sentence for alert in told.values()) == [
        "1 message rejected in topic alerts: call the service operator",
        "1 message rejected in topic findings: call the service operator",
    ]
    assert {each.state for each in told.values()} == {AlertState.STANDING}


def test_two_letters_of_one_message_count_once() -> None:
    told = alerts(
        letter(0, "findings", "findings/1/7"),
        letter(1, "findings", "findings/1/7"),
        letter(2, "findings", "findings/1/8"),
    )
    (alert,) = told.values()
    assert alert.evidence_count == 2
    assert alert.sentence == "2 messages rejected in topic findings: call the service operator"
