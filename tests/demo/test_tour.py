"""The tour leads to what was planted, and says for whom each stop is."""

from __future__ import annotations

from alerting.alert import Alert, AlertState
from blackjack.findings import Kind, Level
from console.people.roles import Role
from deploy.demo.tour import coupons_of, tour_of
from table_simulator.domain.truth import Truth


def alert(id: str, kind: str, level: Level, round: str = "") -> Alert:
    return Alert(
        id=id, kind=kind, level=level, state=AlertState.STANDING, sentence="", rule="",
        raised_at=0, changed_at=0, round=round, revision=1, table="T1",
    )  # fmt: skip


def test_each_family_of_alerts_has_a_stop_at_its_most_urgent() -> None:
    alerts = [
        alert("a1", "payout.overpaid", Level.P3, "R-1"),
        alert("a2", "payout.took_winner", Level.P2, "R-2"),
        alert("a3", "coupon.void", Level.P2),
        alert("a4", "log.gap", Level.P1),
    ]
    disputed = Truth("took winner", "T1", (Kind.TOOK_WINNER,), "R-2", cents=-50_00)
    stops = tour_of(alerts, disputed, day="2026-03-01", coupons=["C-1", "C-2"])
    paths = [each.path for each in stops]
    assert paths[0] == "/floor"
    assert [each for each in paths if each.startswith("/alerts/")] == ["/alerts/a2", "/alerts/a3"]
    assert "/hands/T1/R-2" in paths
    assert "/promotions?serial=C-1" in paths
    assert "/day?day=2026-03-01" in paths
    assert {each.who for each in stops} <= {*map(str, Role), "anybody"}


def test_a_coupon_is_known_by_the_pattern_that_misused_it() -> None:
    truths = [
        Truth("coupon void", "T1", (), "R-1", pattern="coupon void", wager="C-9"),
        Truth("drop short", "T1", (), pattern="drop short"),
    ]
    assert coupons_of(truths) == ["C-9"]
