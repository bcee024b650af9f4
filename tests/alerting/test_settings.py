"""What people set holds from a moment on; before it, what was in force then."""

from __future__ import annotations

from alerting.alert import EVIDENCE_MAX, Bookmark, Evidence, alert_id, bookmarks, capped
from alerting.settings import (
    DEFAULTS,
    AlertsSuppressed,
    LevelSet,
    Settings,
    SuppressionLifted,
    ThresholdSet,
)
from alerting.thresholds import THRESHOLDS
from blackjack.findings import Level

MINUTE = 60_000_000
NAME = "walking_seconds"
DEFAULT = THRESHOLDS[NAME].default


def test_a_threshold_holds_from_when_it_is_valid_until_another_does() -> None:
    settings = Settings((ThresholdSet(NAME, 90, 100), ThresholdSet(NAME, 120, 200)))
    found = [settings.threshold(NAME, at) for at in (99, 100, 199, 200)]
    assert found == [DEFAULT, 90, 90, 120]


def test_the_order_of_entry_decides_only_between_changes_of_the_same_moment() -> None:
    late_first = Settings((ThresholdSet(NAME, 120, 200), ThresholdSet(NAME, 90, 100)))
    assert late_first.threshold(NAME, 200) == 120
    corrected = Settings((ThresholdSet(NAME, 120, 200), ThresholdSet(NAME, 100, 200)))
    assert corrected.threshold(NAME, 200) == 100


def test_none_is_the_default_again() -> None:
    settings = DEFAULTS.with_change(ThresholdSet(NAME, 90, 100))
    settings = settings.with_change(ThresholdSet(NAME, None, 200))
    assert [settings.threshold(NAME, at) for at in (150, 250)] == [90, DEFAULT]


def test_a_level_that_was_set_comes_before_its_own() -> None:
    settings = Settings((LevelSet("win.big", Level.P1, 100), LevelSet("win.big", None, 200)))
    found = [settings.level("win.big", Level.P2, at) for at in (50, 150, 250)]
    assert found == [Level.P2, Level.P1, Level.P2]
    assert settings.level("bet.pinch", Level.P1, 150) is Level.P1


def suppressed(settings: Settings, at: int, kind: str = "win.big", table: str = "T-1") -> str:
    return settings.suppressed_by(kind, at, table=table, dealer="D-1", patron="")


def test_a_suppression_covers_what_it_names_while_it_lasts() -> None:
    settings = Settings((AlertsSuppressed("s1", "win.big", 100, 200, table="T-1"),))
    assert [suppressed(settings, at) for at in (99, 100, 199, 200)] == ["", "s1", "s1", ""]
    assert suppressed(settings, 150, table="T-2") == ""
    assert suppressed(settings, 150, kind="bet.pinch") == ""


def test_a_suppression_can_be_lifted_and_not_lengthened_by_it() -> None:
    settings = Settings((AlertsSuppressed("s1", "win.big", 100, 200), SuppressionLifted("s1", 150)))
    assert [suppressed(settings, at) for at in (149, 150)] == ["s1", ""]
    settings = Settings((AlertsSuppressed("s1", "win.big", 100, 200), SuppressionLifted("s1", 900)))
    assert suppressed(settings, 300) == ""


def test_an_id_is_made_of_its_parts_and_of_where_they_end() -> None:
    assert alert_id("ab", "c") == alert_id("ab", "c") != alert_id("a", "bc")


def test_video_is_looked_at_two_minutes_either_side_and_what_touches_is_one() -> None:
    proofs = [
        Evidence(at * MINUTE, "", table=table) for table, at in (("B", 9), ("A", 5), ("A", 9))
    ]
    assert bookmarks(proofs) == (
        Bookmark("A", 3 * MINUTE, 11 * MINUTE),
        Bookmark("B", 7 * MINUTE, 11 * MINUTE),
    )


def test_of_much_evidence_the_first_and_the_last_is_carried() -> None:
    proofs = [Evidence(at, "") for at in range(100)]
    kept = capped(proofs)
    assert len(kept) == EVIDENCE_MAX
    assert (kept[0], kept[-1]) == (proofs[0], proofs[-1])
