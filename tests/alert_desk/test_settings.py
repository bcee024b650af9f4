"""What people set: exclusions, thresholds, levels, suppressions; who, when, why, from when on."""

from __future__ import annotations

import pytest

from casino.settlement.v1.finding_pb2 import LEVEL_P1, LEVEL_P3, LEVEL_UNSPECIFIED
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.settings_pb2 import (
    EXCLUSION_BASIS_SELF,
    AlertsSuppressed,
    ExclusionLifted,
    LevelSet,
    PatronExcluded,
    SettingChange,
    SuppressionLifted,
    ThresholdSet,
)
from tests.alert_desk.house import MINUTE, House, now
from wire import topics
from wire.vocabulary import write_time

GAP = "story_gap_seconds"
KIND = "payout.mismatch"
DAY = 24 * 60 * MINUTE


def change(house: House, **fields: object) -> SettingChange:
    fields.setdefault("reason", "because")
    said = SettingChange(**fields)  # type: ignore[arg-type]
    found: SettingChange = house.call(pb.ChangeSettingRequest(change=said)).change
    return found


def refused(house: House, **fields: object) -> str:
    fields.setdefault("reason", "because")
    return house.refused(pb.ChangeSettingRequest(change=SettingChange(**fields)))  # type: ignore[arg-type]


def excluded(patron: str, until: int = 0) -> PatronExcluded:
    return PatronExcluded(patron=patron, basis=EXCLUSION_BASIS_SELF, until=write_time(until))


def threshold(house: House, name: str = GAP) -> pb.Threshold:
    answer: pb.ListSettingsResponse = house.call(pb.ListSettingsRequest())
    return next(each for each in answer.thresholds if each.name == name)


def test_a_change_is_in_the_log_with_who_when_and_why(shared: House, name: str) -> None:
    made = change(shared, patron_excluded=excluded(name), reason="asked for it")
    assert (made.author, made.reason) == ("ada", "asked for it")
    assert made.recorded_at == made.valid_from
    messages = shared.broker.read(shared.topic(topics.SURVEILLANCE_SETTINGS))
    assert SettingChange.FromString(messages[-1].value() or b"") == made
    (listed,) = shared.call(pb.ListSettingChangesRequest(about=name), "auditor").changes
    assert listed == made


def test_an_excluded_patron_is_listed_until_it_is_lifted(shared: House, name: str) -> None:
    first = change(shared, patron_excluded=excluded(name))
    (found,) = shared.call(pb.ListExclusionsRequest(patron=name), "pit").exclusions
    assert (found.change, found.HasField("ends_at")) == (first, False)
    lifted = change(shared, exclusion_lifted=ExclusionLifted(patron=name), reason="term is over")
    assert not shared.call(pb.ListExclusionsRequest(patron=name)).exclusions
    ended = pb.ListExclusionsRequest(patron=name, with_ended=True)
    (found,) = shared.call(ended, "cage").exclusions
    assert found.ended_by == lifted
    assert found.ends_at == lifted.valid_from
    again = refused(shared, exclusion_lifted=ExclusionLifted(patron=name))
    assert again == f"FAILED_PRECONDITION: patron {name}: not excluded at that time"


def test_an_exclusion_with_an_end_ends_by_itself(shared: House, name: str) -> None:
    until = now() + 2_000_000
    change(shared, patron_excluded=excluded(name, until))
    (found,) = shared.call(pb.ListExclusionsRequest(patron=name)).exclusions
    assert found.ends_at == write_time(until)
    while now() <= until:
        pass
    assert not shared.call(pb.ListExclusionsRequest(patron=name)).exclusions


def test_a_threshold_is_set_and_set_back(shared: House) -> None:
    own = threshold(shared)
    assert own.value == own.default_value
    made = change(shared, threshold_set=ThresholdSet(name=GAP, value=600))
    found = threshold(shared)
    assert (found.value, found.default_value) == (600, own.default_value)
    assert found.change == made
    change(shared, threshold_set=ThresholdSet(name=GAP, is_default=True))
    assert threshold(shared) == own
    history = shared.call(pb.ListSettingChangesRequest(about=GAP)).changes
    assert [each.threshold_set.value for each in history] == [0, 600]


def test_settings_are_asked_for_as_they_were(shared: House) -> None:
    name = "walking_seconds"
    before = now()
    change(shared, threshold_set=ThresholdSet(name=name, value=90))
    change(
        shared,
        threshold_set=ThresholdSet(name=name, value=120),
        valid_from=write_time(now() + DAY),
    )

    def at(when: int) -> int:
        asked = pb.ListSettingsRequest(at=write_time(when))
        answer: pb.ListSettingsResponse = shared.call(asked)
        return next(each.value for each in answer.thresholds if each.name == name)

    assert (at(before), at(now()), at(now() + 2 * DAY)) == (60, 90, 120)


def test_a_level_is_set_and_set_back(shared: House) -> None:
    def level() -> int:
        answer: pb.ListSettingsResponse = shared.call(pb.ListSettingsRequest())
        found = next(each for each in answer.kinds if each.kind == KIND)
        assert found.default_level == LEVEL_P3
        return found.level

    assert level() == LEVEL_P3
    change(shared, level_set=LevelSet(kind=KIND, level=LEVEL_P1))
    assert level() == LEVEL_P1
    change(shared, level_set=LevelSet(kind=KIND, level=LEVEL_UNSPECIFIED))
    assert level() == LEVEL_P3


def test_a_suppression_ends_by_itself_or_is_lifted(shared: House, name: str) -> None:
    what = AlertsSuppressed(kind=KIND, table_id=name, until=write_time(now() + DAY))
    made = change(shared, alerts_suppressed=what)
    listed = shared.call(pb.ListSettingsRequest()).suppressions
    assert made in list(listed)
    later = shared.call(pb.ListSettingsRequest(at=write_time(now() + 2 * DAY))).suppressions
    assert made not in list(later)
    lifting = SuppressionLifted(suppression=made.change_id)
    change(shared, suppression_lifted=lifting)
    assert made not in list(shared.call(pb.ListSettingsRequest()).suppressions)
    assert "already ended" in refused(shared, suppression_lifted=lifting)


def test_the_same_change_twice_counts_once(shared: House, name: str) -> None:
    said = {"change_id": f"id-{name}", "patron_excluded": excluded(name)}
    assert change(shared, **said) == change(shared, **said)
    assert len(shared.call(pb.ListSettingChangesRequest(about=name)).changes) == 1


def test_what_is_over_is_changed_only_by_who_says_that_a_rebuild_is_needed(
    shared: House, name: str
) -> None:
    past = write_time(now() - DAY)
    said = refused(shared, patron_excluded=excluded(name), valid_from=past)
    assert said.startswith("INVALID_ARGUMENT: change.valid_from: must not be in the past")
    asked = SettingChange(
        reason="found late", patron_excluded=excluded(name), valid_from=past, needs_rebuild=True
    )
    answer = shared.call(pb.ChangeSettingRequest(change=asked))
    assert answer.change.valid_from == past
    assert answer.remarks == ["alerts since then change when surveillance is rebuilt"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "change: set one of its kinds of change"),
        ({"reason": " ", "exclusion_lifted": ExclusionLifted(patron="P")}, "change.reason"),
        ({"patron_excluded": PatronExcluded(patron="P")}, "change.patron_excluded.basis: missing"),
        (
            {"patron_excluded": excluded("P", until=MINUTE)},
            "change.patron_excluded.until: must be after",
        ),
        (
            {"threshold_set": ThresholdSet(name="x", value=1)},
            'change.threshold_set.name: "x" not found',
        ),
        (
            {"threshold_set": ThresholdSet(name=GAP, value=1)},
            "change.threshold_set.value: 1: story",
        ),
        ({"level_set": LevelSet(kind="x")}, 'change.level_set.kind: "x" not found'),
        (
            {"alerts_suppressed": AlertsSuppressed(kind=KIND)},
            "change.alerts_suppressed.until: must be set: a suppression has an end",
        ),
        (
            {"alerts_suppressed": AlertsSuppressed(kind=KIND, until=write_time(now() + 40 * DAY))},
            "change.alerts_suppressed.until: must be after valid_from, and within 30 days of it",
        ),
        ({"valid_from": write_time(now()), "change_id": "x" * 300}, "change.change_id: a text of"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_field(
    shared: House, fields: dict[str, object], reason: str
) -> None:
    assert refused(shared, **fields).startswith(f"INVALID_ARGUMENT: {reason}")


def test_settings_are_paged_the_newest_first(shared: House, name: str) -> None:
    made = [change(shared, patron_excluded=excluded(name)).change_id for _ in range(5)]
    request = pb.ListSettingChangesRequest(about=name, page_size=2)
    found: list[str] = []
    while True:
        page = shared.call(request)
        found += [each.change_id for each in page.changes]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert found == made[::-1]
    (last,) = shared.call(pb.ListExclusionsRequest(patron=name)).exclusions
    assert last.change.change_id == made[-1]
