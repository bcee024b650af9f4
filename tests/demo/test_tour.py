"""The tour leads to the planted faults, and names the role of each stop."""

from __future__ import annotations

from alerting.alert import Alert, AlertState
from blackjack.findings import Kind, Level
from console.users.roles import Role
from deploy.demo.tour import tour_of
from table_simulator.domain.truth import Truth


def alert(id: str, kind: str, level: Level, round: str = "", *, coupon: str = "") -> Alert:
    return Alert(
        id=id, kind=kind, level=level, state=AlertState.STANDING, sentence="", rule="",
        raised_at=0, changed_at=0, round=round, revision=1, table="T1", coupon=coupon,
    )  # fmt: skip


def test_each_family_of_alerts_has_a_stop_at_its_most_urgent() -> None:
    alerts = [
        alert("a1", "payout.overpaid", Level.P3, "R-1"),
        alert("a2", "payout.took_winner", Level.P2, "R-2"),
        alert("a3", "coupon.unknown", Level.P2, coupon="A-FORGERY"),
        alert("a5", "coupon.void", Level.P2, coupon="C-1"),
        alert("a4", "log.gap", Level.P1),
    ]
    disputed = Truth("took winner", "T1", (Kind.TOOK_WINNER,), "R-2", cents=-50_00)
    stops = tour_of(alerts, disputed, day="2026-03-01")
    paths = [stop.path for stop in stops]
    assert paths[0] == "/floor"
    assert [path for path in paths if path.startswith("/alerts/")] == ["/alerts/a2", "/alerts/a3"]
    assert "/hands/T1/R-2" in paths
    assert "/promotions?serial=C-1#coupon" in paths
    assert "/day?day=2026-03-01" in paths
    assert {stop.who for stop in stops} <= {*map(str, Role), "any role"}


def test_a_coupon_that_was_never_issued_is_in_no_books() -> None:
    forged = [alert("a1", "coupon.unknown", Level.P1, coupon="A-FORGERY")]
    stops = tour_of(forged, None, day="2026-03-01")
    assert not any(stop.path.startswith("/promotions") for stop in stops)
