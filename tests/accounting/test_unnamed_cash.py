"""The multiple-transaction log: cash from $3,000 on of patrons whom nobody knows."""

from __future__ import annotations

import re

import pytest

from accounting.domain.checks import cash_out_remarks
from casino.accounting.v1.cage_event_pb2 import CageEvent
from casino.table.v1.facts_money_pb2 import ChipsRedeemed
from table_simulator.days.day import simulate
from table_simulator.days.fault_plan import Plan
from tests.accounting.asked import DAY, report, value
from tests.accounting.behind import check_behind
from tests.accounting.books import Books, Log
from tests.accounting.facts import at
from wire import topics

LINE = "anonymous cash over the line"
TIME = re.compile(r", \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC")


def redeemed(cents: int, note: str = "", table: str = "") -> bytes:
    fact = ChipsRedeemed(cents=cents, seat=4 if table else 0, note=note)
    return CageEvent(
        event_id=f"r-{cents}",
        gaming_day=DAY,
        at=at(),
        recorded_at=at(),
        table_id=table,
        chips_redeemed=fact,
    ).SerializeToString()


def test_cash_without_a_patron_is_logged_by_description(books: Books) -> None:
    day = simulate(seed=11, tables=4, rounds=12, plan=Plan(per_day={LINE: 1}))
    (truth,) = day.truths
    log = Log()
    log.play(day)
    log.append(topics.CAGE_EVENTS, redeemed(2_999_99))
    log.append(topics.CAGE_EVENTS, redeemed(3_000_00, "gray coat", truth.table))
    log.append(topics.CAGE_EVENTS, redeemed(10_000_00, "cane"))
    log.append(topics.CAGE_EVENTS, redeemed(10_000_01))
    books.take(log.messages(), batch=5_000)
    shown = report(books, "cash_log")
    described = [row for row in shown.rows if value(row["description"])]
    assert {value(row["patron"]) for row in described} == {"unknown"}
    assert all(TIME.search(value(row["description"])) for row in described)
    assert sorted(
        (
            TIME.sub("", value(row["description"])),
            value(row["cash_in"]),
            value(row["cash_out"]),
            value(row["flag"]),
        )
        for row in described
    ) == sorted(
        [
            (
                f"table {truth.table}, seat {truth.seat}, man in his forties, red cap",
                truth.cents,
                0,
                "cash in",
            ),
            (f"table {truth.table}, seat 4, gray coat", 0, 3_000_00, ""),
            ("cage, cane", 0, 10_000_00, ""),
            ("cage", 0, 10_000_01, "cash out"),
        ]
    )
    (rest,) = (
        row
        for row in shown.rows
        if value(row["patron"]) == "unknown" and not value(row["description"])
    )
    assert (value(rest["cash_out"]), value(rest["large"])) == (2_999_99, 0)
    check_behind(books, [shown])


@pytest.mark.parametrize(
    ("cents", "patron", "note", "asked_for"),
    [
        (2_999_99, "", "", []),
        (3_000_00, "", "", ["describe"]),
        (3_000_00, "", "gray coat", []),
        (10_000_00, "", "gray coat", []),
        (10_000_01, "", "gray coat", ["identify"]),
        (10_000_01, "", " ", ["identify", "describe"]),
        (10_000_01, "P-1", "", []),
    ],
)
def test_the_cage_is_asked_who_it_paid(
    cents: int, patron: str, note: str, asked_for: list[str]
) -> None:
    remarks = list(cash_out_remarks(cents=cents, patron=patron, note=note))
    assert [word for remark in remarks for word in ("identify", "describe") if word in remark] == (
        asked_for
    )
