"""What reports say of slips, causes, cash and theory: the rules, without a database."""

from __future__ import annotations

from math import sqrt

import pytest

from accounting.domain.reports import REPORTS
from accounting.domain.reports.cash_log import NO_PATRON, OVER_DAY, OVER_SALE, passed_limits
from accounting.domain.reports.composition import Component, Period, ReportCell, total_of
from accounting.domain.reports.expected_win import theory_of, without_theory
from accounting.domain.reports.explained_differences import Cause, explain, tray_causes
from accounting.domain.reports.inputs import (
    DebitSale,
    ErrorSlip,
    LargeTransaction,
    ManualEntryLine,
    PatronDay,
    ReportInputs,
    RuleSetSummary,
    SlipRecord,
    TableDay,
    TrayFinding,
    UnobservedRound,
    WagerExpectation,
    WagerTotals,
)
from accounting.domain.reports.leaves import Leaf
from accounting.domain.reports.report import Report, ReportQuery, capped
from accounting.domain.reports.slip_series import all_series, halves, unsigned

DAY = "2026-03-01"
QUESTION = ReportQuery(Period(DAY, DAY))
FOUR = ("C-1", "G-1", "D-1", "S-1")


def made(
    name: str, inputs: ReportInputs, preset: str = ""
) -> tuple[Report, list[dict[str, object]]]:
    report = REPORTS[name].build(inputs, ReportQuery(Period(DAY, DAY), preset=preset))
    keys = [column.key for column in report.columns]
    return report, [
        {key: cell.value for key, cell in zip(keys, row, strict=True)} for row in report.rows
    ]


def slip(name: str, kind: str = "fill_received", **more: object) -> SlipRecord:
    side = "table" if kind in ("fill_received", "credit_sent", "opener", "closer") else "cage"
    fields: dict[str, object] = {
        "day": DAY, "side": side, "kind": kind, "table": "T1", "name": name, "cents": 100,
        "signers": FOUR, **more,
    }  # fmt: skip
    return SlipRecord(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variance", "effects", "unexplained"),
    [
        (-300, [-300], 0),
        (-300, [-500], 0),
        (-300, [-100, -100], -100),
        (-300, [200], -300),
        (-300, [200, -500], 0),
        (0, [-500], 0),
        (250, [-50, 100, 400], 0),
    ],
)
def test_nothing_is_explained_twice_nor_beyond_the_variance(
    variance: int, effects: list[int], unexplained: int
) -> None:
    causes = [
        Cause(str(at), (Component("said", ReportCell(cents)),)) for at, cents in enumerate(effects)
    ]
    found = explain(variance, causes)
    explained = [total_of(parts) for parts in found.by_cause.values()]
    assert found.unexplained == unexplained
    assert sum(explained) + found.unexplained == variance
    assert all(0 <= explanation / variance <= 1 for explanation in explained)


def test_what_says_its_amount_comes_before_what_only_leaves_room() -> None:
    inputs = ReportInputs(
        findings=[TrayFinding(DAY, "T1", "", 5, 0, "tray.changed", -200, "it went down")],
        by_hand=[ManualEntryLine(DAY, "T1", "tray", -50, "ada", "under the felt", 0, "E-5")],
        error_slips=[ErrorSlip(DAY, "T1", "E-1", 30, "miscounted", 0, "E-6")],
        unseen=[UnobservedRound(DAY, "T1", "R-1", 1, 0, "incomplete", 0, 40, 0, 70)],
    )
    found = explain(-400, tray_causes(inputs, DAY, "T1"))
    assert {key: total_of(parts) for key, parts in found.by_cause.items()} == {
        "found": -200, "by_hand": -50, "error_slip": -30, "unobserved": -40, "incomplete": -70,
    }  # fmt: skip
    assert found.unexplained == -10
    assert any("R-1" in line for line in found.lines)
    assert explain(-400, tray_causes(inputs, DAY, "T2")).unexplained == -400


def test_a_gap_is_what_is_neither_used_nor_void_nor_explained() -> None:
    slips = [
        slip("F-1"), slip("F-2"), slip("F-5"), slip("F-9"),
        slip("F-4", "slip_voided"),
        slip("F-", "slips_explained", first=7, last=8, reason="torn"),
    ]  # fmt: skip
    (series,) = all_series(slips)
    assert series.missing == ((3, 3), (6, 6))
    assert (series.explained, series.voids, series.used) == (((7, 8),), (4,), (1, 2, 5, 9))


def test_a_series_goes_on_where_it_stood_before_these_days() -> None:
    before = slip("F-41", "fill_issued", is_before=True)
    (series,) = all_series([before, slip("F-44")])
    assert series.missing == ((42, 43),)
    assert all_series([slip("F-44")])[0].missing == ()
    assert all_series([slip("F-2")])[0].missing == ((1, 1),)


def test_a_slip_needs_both_halves_and_one_number() -> None:
    twin = slip("F-1")
    slips = [
        slip("F-1"), twin, slip("F-1", "fill_issued"), slip("F-2"),
        slip("F-3", "fill_issued"), slip("F-4"), slip("F-4", "fill_issued", cents=90),
        slip("B-1", "drop_counted"),
    ]  # fmt: skip
    assert {(half.name, words) for half, words in halves(slips)} == {
        ("F-1", "number used before"),
        ("F-2", "no half in the cage"),
        ("F-3", "no half at the table"),
        ("F-4", "different amount in the cage"),
        ("B-1", "counted but not removed"),
    }


def test_a_fill_is_signed_by_four_and_a_closer_by_two() -> None:
    slips = [
        slip("F-1"),
        slip("F-2", signers=FOUR[:3]),
        slip("C-1", "closer", signers=("D-1", "D-1")),
        slip("C-2", "closer", signers=("D-1", "S-1")),
        slip("F-3", signers=(*FOUR[:3], "")),
    ]
    assert [(half.name, words) for half, words in unsigned(slips)] == [
        ("F-2", "3 of 4 signatures"),
        ("C-1", "signed twice by one person"),
        ("F-3", "3 of 4 signatures"),
    ]


def test_cash_in_and_cash_out_pass_the_line_each_by_itself() -> None:
    def patron(name: str, cash: int, out: int) -> PatronDay:
        sums = {Leaf.SOLD_CASH: cash, Leaf.SOLD_DEBIT: 0, Leaf.CHIPS_REDEEMED: out}
        return PatronDay(DAY, name, sums)

    inputs = ReportInputs(
        patrons=[
            patron("", 20_000_00, 0),
            patron("a", 10_000_00, 10_000_01),
            patron("b", 10_000_01, 9_000_00),
        ],
        large=[LargeTransaction(DAY, "b", "T1", "bought chips for", 5_000_00)],
    )
    _, rows = made("cash_log", inputs)
    assert [row["flag"] for row in rows] == ["", "cash out", "cash in"]
    assert [row["large"] for row in rows] == [0, 0, 1]


@pytest.mark.parametrize(
    ("cents", "flag"), [(3_000_00, ""), (10_000_00, ""), (10_000_01, "cash in")]
)
def test_an_item_without_a_patron_is_a_line_by_description(cents: int, flag: str) -> None:
    sums = {Leaf.SOLD_CASH: cents, Leaf.SOLD_DEBIT: 0, Leaf.CHIPS_REDEEMED: 0}
    rest = {**sums, Leaf.SOLD_CASH: 12_000_00}
    at = 1_772_405_000_000_000
    when = "2026-03-01 22:43:20 UTC"
    item = LargeTransaction(
        DAY, "", "T1", "bought chips for", cents, at, "T1/7", when, 2, "red cap"
    )
    inputs = ReportInputs(
        patrons=[PatronDay(DAY, "", sums, "T1/7"), PatronDay(DAY, "", rest)], large=[item]
    )
    report, rows = made("cash_log", inputs)
    assert [(row["cash_in"], row["large"], row["flag"]) for row in rows] == [
        (12_000_00, 0, ""),
        (cents, 1, flag),
    ]
    assert [row["description"] for row in rows] == [
        "",
        "table T1, seat 2, 2026-03-01 22:43:20 UTC, red cap",
    ]
    assert report.names == ((DAY, "unknown"), (DAY, "unknown", "T1/7"))


def test_the_variance_of_a_round_counts_its_seats_together() -> None:
    rules = {
        "r": RuleSetSummary("g", "G", 6, {}, {
            "main": WagerExpectation(0.01, 1.3, 0.5), "side": WagerExpectation(0.05, 9.0, 2.0),
        })
    }  # fmt: skip
    plays = [
        WagerTotals(
            DAY, "T1", "g", "r", "main", 1, {}, 300, 50, squares=5_0000.0, crosses=4_0000.0
        ),
        WagerTotals(DAY, "T1", "g", "r", "main", 1, {}, 100, -100, squares=1_0000.0, crosses=0.0),
        WagerTotals(DAY, "T1", "g", "r", "side", 1, {}, 10, 10, squares=100.0, crosses=0.0),
        WagerTotals(DAY, "T1", "g", "?", "main", 1, {}, 70, 70, squares=4900.0, crosses=0.0),
    ]
    found = theory_of(plays, rules)
    assert found is not None
    assert found.win == -40
    assert found.expected == pytest.approx(400 * 0.01 + 10 * 0.05)
    main = 6_0000 * 1.3 + 4_0000 * 0.5
    assert found.deviation == pytest.approx(sqrt(main) + sqrt(900.0))
    assert without_theory(plays, rules) == {"main": 70}
    assert theory_of(plays[3:], rules) is None


def test_hold_is_held_against_the_month_and_else_against_theory() -> None:
    def day(when: str, drop: int, win: int) -> TableDay:
        sums = {
            Leaf.OPENER: 1_000_00, Leaf.CLOSER: 1_000_00 + win - drop, Leaf.DROP_CURRENCY: drop
        }  # fmt: skip
        return TableDay(when, "T1", sums, openers=1, closers=1, counts=1)

    rules = {"r": RuleSetSummary("g", "G", 6, {}, {"main": WagerExpectation(0.01, 1.0, 0.0)})}
    play = WagerTotals(DAY, "T1", "g", "r", "main", 9, {}, 20_000, 0, squares=40_000.0)
    inputs = ReportInputs(tables=[day(DAY, 10_000, 550)], play=[play], rules=rules)
    _, (row,) = made("hold_variance", inputs)
    assert (row["hold"], row["base"], row["base_is"]) == (55_000, 20_000, "theory")
    assert (row["points"], row["case"]) == (35_000, "investigate")
    assert made("hold_variance", inputs, "ohio")[1][0]["case"] == ""
    # Two standard deviations of 200 cents would be 4 points of the drop.
    (maryland,) = made("hold_variance", inputs, "maryland")[1]
    assert maryland["threshold"] == pytest.approx(39_199, abs=1)
    assert maryland["case"] == ""
    month = [day("2026-02-27", 10_000, 300), day("2026-02-28", 10_000, 500)]
    _, (row,) = made("hold_variance", ReportInputs(tables=inputs.tables, month=month))
    assert (row["month"], row["base"], row["base_is"]) == (40_000, 40_000, "month to date")
    assert row["points"] == 15_000


def test_long_lists_are_cut_and_say_so() -> None:
    lines = capped([str(number) for number in range(53)])
    assert len(lines) == 51
    assert lines[-1] == "and 3 more"


def test_debit_sales_have_a_limit_each_and_a_patron_one_for_24_hours_at_all_tables() -> None:
    hour = 60 * 60 * 1_000_000

    def sale(patron: str, at: int, cents: int, *, table: str = "T1", day: str = DAY) -> DebitSale:
        return DebitSale(day, patron, table, at * hour, cents, is_in_range=day == DAY)

    sales = [
        sale("", 1, 500_01),
        sale("a", 0, 500_00, day="2026-02-28"),
        *(sale("a", at, 500_00, table=f"T{at}") for at in range(20, 24)),
        sale("a", 23, 1),
        sale("a", 24, 1),
        sale("b", 1, 500_01, day="2026-02-28"),
        sale("b", 2, 500_00),
    ]
    passed = passed_limits(sales)
    assert {at: [words for words, _ in found] for at, found in passed.items()} == {
        (DAY, ""): [OVER_SALE, NO_PATRON],
        (DAY, "a"): [OVER_DAY],
    }
    ((_, line),) = passed[DAY, "a"]
    assert "$2,500.01 by debit within 24 hours at T1" in line
