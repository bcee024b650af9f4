"""Findings that belong together are one alert that grows and shrinks."""

from __future__ import annotations

from msgspec.structs import replace

from alerting.alert import AlertState
from blackjack.findings import Finding, Kind, Level, Withdrawal
from surveillance.domain.alert_kinds import FAMILIES
from tests.surveillance.domain.watcher import Watcher, placed

MINUTE = 60_000_000
NOON = 1_772_416_800_000_000


def finding(
    name: str,
    minute: float,
    kind: Kind = Kind.OVERPAID,
    *,
    level: Level = Level.P3,
    seat: int = 3,
    dealer: str = "D-1",
) -> Finding:
    return Finding(
        id=name,
        kind=kind,
        level=level,
        table="T-1",
        seq=int(minute * 10) + 1,
        at=NOON + int(minute * MINUTE),
        text=f"text of {name}",
        rule="clause 7",
        round=name,
        seat=seat,
        dealer=dealer,
        cents=5_00,
    )


def withdrawn(name: str) -> Withdrawal:
    return Withdrawal(name, "T-1", 99, "corrected")


def watched(*facts: Finding | Withdrawal) -> Watcher:
    return Watcher().see_all(placed("findings/0", facts))


def test_every_kind_of_finding_belongs_to_one_family() -> None:
    listed = [each for family in FAMILIES for each in family.findings]
    assert sorted(listed) == sorted(Kind)


def test_one_dealer_and_one_seat_are_one_story() -> None:
    watcher = watched(finding("a", 0), finding("b", 10), finding("c", 35, Kind.UNDERPAID))
    (alert,) = watcher.standing()
    assert [each.finding_id for each in alert.evidence] == ["a", "b", "c"]
    assert (alert.kind, alert.revision, alert.cents) == ("payout.mismatch", 3, 15_00)
    assert len(watcher.alerts) == 1


def test_another_seat_dealer_or_family_is_another_story() -> None:
    watcher = watched(
        finding("a", 0),
        finding("b", 1, seat=4),
        finding("c", 2, dealer="D-2"),
        finding("d", 3, Kind.PAST_POST),
    )
    assert len(watcher.standing()) == 4


def test_after_half_an_hour_a_new_story_begins() -> None:
    watcher = watched(finding("a", 0), finding("b", 30), finding("c", 60.1))
    assert [each.evidence_count for each in watcher.standing()] == [2, 1]


def test_a_story_is_as_urgent_as_its_most_urgent_finding() -> None:
    watcher = watched(finding("a", 0), finding("b", 1, level=Level.P2), finding("c", 2))
    assert [each.level for each in watcher.standing()] == [Level.P2]


def test_a_withdrawn_finding_shrinks_its_story_which_keeps_its_name() -> None:
    watcher = watched(finding("a", 0), finding("b", 1), withdrawn("a"))
    (alert,) = watcher.standing()
    assert [each.finding_id for each in alert.evidence] == ["b"]
    assert (len(watcher.alerts), alert.revision) == (1, 3)


def test_a_story_of_which_nothing_is_left_is_withdrawn_and_may_come_again() -> None:
    watcher = watched(finding("a", 0), withdrawn("a"))
    (alert,) = watcher.alerts.values()
    assert (alert.state, alert.revision, alert.evidence) == (AlertState.WITHDRAWN, 2, ())
    watcher = watched(finding("a", 0), withdrawn("a"), finding("a", 0))
    (alert,) = watcher.alerts.values()
    assert (alert.state, alert.revision) == (AlertState.STANDING, 3)


def test_a_finding_that_bridges_two_stories_makes_them_one() -> None:
    watcher = watched(finding("a", 0), finding("c", 50), finding("b", 25))
    assert [each.evidence_count for each in watcher.standing()] == [3]
    assert sorted(each.state for each in watcher.alerts.values()) == ["standing", "withdrawn"]


def test_what_was_seen_is_not_seen_again() -> None:
    all_placed = placed("findings/0", [finding("a", 0), finding("b", 1), withdrawn("a")])
    watcher = Watcher().see_all(all_placed)
    told = list(watcher.told)
    assert watcher.see_all(all_placed).told == told


def test_the_headline_is_that_of_the_finding_with_the_table() -> None:
    named = replace(finding("a", 0, seat=1), text="Overpaid $5.00: main bet on seat 1")
    other = replace(finding("b", 60, seat=0), text="Events 3 to 5 of T-1 are missing")
    first, second = (alert.sentence for alert in watched(named, other).standing())
    assert first == "Overpaid $5.00: main bet on seat 1, table T-1"
    assert second == "Events 3 to 5 of T-1 are missing"


def test_the_headline_of_several_findings_has_their_number_and_total() -> None:
    (alert,) = watched(finding("a", 0), finding("b", 1)).standing()
    assert alert.sentence == "Mispay 2 times: table T-1, seat 3, -$10.00 in all"
    assert alert.detail == "Last: text of b"


def test_a_clock_is_no_secret_though_the_event_of_a_hidden_card_proves_it() -> None:
    card = replace(finding("a", 0, Kind.IMPOSSIBLE_CARD), tells_hole_card=True)
    clock = replace(finding("b", 0, Kind.CLOCK_SKEW), tells_hole_card=True)
    hidden = {each.kind: each.tells_hole_card for each in watched(card, clock).standing()}
    assert hidden["log.clock_skew"] is False
    assert [each for kind, each in hidden.items() if kind != "log.clock_skew"] == [True]
