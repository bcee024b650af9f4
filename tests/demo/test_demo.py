"""What the demonstration prints, chooses and names."""

from __future__ import annotations

import io
import socket
from datetime import date, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from blackjack.findings import Finding, Kind
from deploy.demo.disputes import most_disputed
from deploy.demo.page import print_verdict
from deploy.demo.runs import HOUR_US, PLAN, next_run, start_at
from pitctl.output.text import Page
from pitctl.stack.simulate_live import SendingFailed, send_over
from property_calendar.gaming_day import Calendar
from runtime.addresses import Address
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from table_simulator.days.feed import AS_FAST_AS_POSSIBLE
from table_simulator.domain.truth import Truth, planted_vs_found
from table_simulator.grpc.floor_sender import FloorConnection


def finding(kind: Kind, round: str) -> Finding:
    return Finding(f"{round} {kind}", kind, kind.level, "T1", 1, 0, "so it is", "", round=round)


MISTAKES = {"took winner": 2, "underpaid": 2, "unpaid": 2}
EVERY_KIND = [Truth(kind.value, "T1", (kind,), f"R-{kind}") for kind in Kind]
GARBAGE = Truth("garbage", "T1", rejected_as="malformed")


@pytest.mark.parametrize("columns", [80, 120])
def test_every_kind_has_a_line_that_fits(columns: int) -> None:
    found = [finding(kind, f"R-{kind}") for kind in Kind]
    printed = io.StringIO()
    verdict = planted_vs_found([*EVERY_KIND, GARBAGE], found, [("T1", "malformed")])
    print_verdict(Page(printed, columns=columns), verdict)
    lines = printed.getvalue().splitlines()
    assert max(map(len, lines)) <= columns
    assert sum(line.count("      1     1") for line in lines) == len(Kind) + 1
    assert f"Planted {len(Kind) + 1}, found {len(Kind) + 1}; 0 unplanned" in printed.getvalue()


def test_differences_from_the_plan_are_named() -> None:
    printed = io.StringIO()
    truths = [Truth("overpaid", "T1", (Kind.OVERPAID,), "R-1"), GARBAGE]
    verdict = planted_vs_found(truths, [finding(Kind.PINCH, "R-2")], [("T1", "foreign")])
    print_verdict(Page(printed, columns=120), verdict)
    text = printed.getvalue()
    assert "Planted 2, found 0; 2 unplanned findings" in text
    for words in (
        "missed: payout.overpaid",
        "unplanned: bet.pinch",
        "accepted: 'garbage'",
        "rejected: foreign",
    ):
        assert words in text


def test_the_hand_that_cost_a_patron_most_is_chosen() -> None:
    truths = [
        Truth("underpaid", "T1", (Kind.UNDERPAID,), "R-1", cents=-5_00),
        Truth("took winner", "T1", (Kind.TOOK_WINNER,), "R-2", cents=-50_00),
        Truth("unpaid", "T1", (Kind.UNPAID,), "R-3", cents=-70_00),
        Truth("overpaid", "T1", (Kind.OVERPAID,), "R-4", cents=900_00),
    ]
    found = [finding(truth.kinds[0], truth.round) for truth in truths if truth.round != "R-3"]
    assert most_disputed(truths, found) == truths[1]
    assert most_disputed(truths, []) is None


def test_a_hand_of_blackjack_is_chosen_before_a_costlier_bonus() -> None:
    """Of every day: the hand comes from a main wager, if a mistake was made with one."""
    for seed in range(3):
        day = simulate(seed=seed, tables=12, rounds=40, plan=Plan(per_day=MISTAKES))
        found = [
            Finding(
                f"{truth.round} {kind}", kind, kind.level, truth.table, 1, 0, "", "", truth.round
            )
            for truth in day.truths
            for kind in truth.kinds
        ]
        chosen = most_disputed(day.truths, found, day.controllers)
        mains = [truth for truth in day.truths if truth.fault in MISTAKES and truth.wager == "main"]
        assert mains
        assert chosen in mains
        assert 2 * abs(chosen.cents) >= max(abs(main.cents) for main in mains) // 2


def test_each_run_of_a_stack_has_a_floor_of_its_own(tmp_path: Path) -> None:
    first, second = next_run(tmp_path), next_run(tmp_path)
    assert (first.floor_name, second.floor_name) == ("D1-", "D2-")
    assert first.seed != second.seed
    assert next_run(tmp_path).number == 3


@pytest.mark.parametrize(
    ("zone", "roll_over", "day"),
    [
        ("America/Los_Angeles", time(6), date(2026, 3, 8)),
        ("America/Los_Angeles", time(6), date(2026, 11, 1)),
        ("Asia/Kolkata", time(23, 45), date(2026, 3, 2)),
    ],
)
def test_a_day_lies_within_the_gaming_day_that_ended_last(
    zone: str, roll_over: time, day: date
) -> None:
    """From the first promotion to the last box that is counted, through changes of the clock."""
    calendar = Calendar(ZoneInfo(zone), roll_over)
    begins = start_at(calendar.begins_at(day))
    assert begins % HOUR_US == 0
    played = simulate(seed=7, tables=12, rounds=40, plan=PLAN, start_at=begins)
    times = [entry.event.at for entries in played.controllers.values() for entry in entries]
    times += [note.at for note in (*played.cage, *played.desk)]
    yesterday = day - timedelta(days=1)
    assert {calendar.day_of(at) for at in (min(times), max(times))} == {yesterday}


def test_an_unreachable_gateway_is_reported_after_a_limited_wait(tmp_path: Path) -> None:
    day = simulate(seed=1, tables=2, rounds=1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        unreachable = Address("127.0.0.1", taken.getsockname()[1])
        line = FloorConnection(
            unreachable, tmp_path / "certificates", tmp_path / "journals", tmp_path / "authority"
        )
        with pytest.raises(
            SendingFailed, match=f"{unreachable} has acknowledged nothing .* pitctl status"
        ):
            send_over(day, line, AS_FAST_AS_POSSIBLE, stalled_seconds_max=0.5)
