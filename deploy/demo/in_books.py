"""Planted patterns that no table's log decides, and the evidence for them in the books."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.accounting.v1.report_pb2 import ReportRow
from casino.accounting.v1.service_pb2 import (
    GetCouponRequest,
    GetCouponResponse,
    GetReportRequest,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import Endpoint
from pitctl.output.text import count_noun
from table_simulator.domain.truth import Truth

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

COUPONS: Final = {
    "coupon used twice": "Redeemed 2 times",
    "coupon unknown": "Never issued",
    "coupon void": "Voided",
    "other patron's coupon": "issued to",
}
"""Words that the books' problems with the coupon must contain."""
SLIPS: Final = {"slip gap": "missing", "signer missing": "unsigned"}
"""The column of the slip sequence that must count something."""
CASH: Final = frozenset({"cash over the line", "anonymous cash over the line"})
DECIDED: Final = frozenset({*COUPONS, *SLIPS, *CASH})


@dataclass(frozen=True, slots=True)
class BooksStatement:
    """How the books show a planted fault; `words` is empty where they do not show it."""

    fault: str
    about: str
    words: str


def query_books(
    accounting: Endpoint, truths: Iterable[Truth], days: Iterable[str]
) -> list[BooksStatement]:
    decided = [truth for truth in truths if truth.fault in DECIDED]
    wanted = sorted(days)

    async def rows(
        books: AccountingServiceAsyncStub, name: str, table: str
    ) -> list[dict[str, str | int]]:
        request = GetReportRequest(
            name=name, from_day=wanted[0], until_day=wanted[-1], table_id=table
        )
        report = (await books.GetReport(request)).report
        keys = [column.key for column in report.columns]
        return [_named(keys, row) for row in report.rows]

    async def query(books: AccountingServiceAsyncStub) -> list[BooksStatement]:
        statements = []
        for truth in decided:
            if truth.fault in COUPONS:
                answer = await books.GetCoupon(GetCouponRequest(serial=truth.wager))
                statements.append(
                    BooksStatement(truth.fault, truth.wager, _of_coupon(truth, answer))
                )
            elif truth.fault in SLIPS:
                found = await rows(books, "slip_sequence", truth.table)
                statements.append(BooksStatement(truth.fault, truth.table, _of_slips(truth, found)))
            else:
                found = await rows(books, "cash_log", truth.table)
                about = truth.patron or truth.table
                statements.append(BooksStatement(truth.fault, about, _of_cash(truth, found)))
        return statements

    return ACCOUNTING.call(accounting, query)


def _named(keys: Sequence[str], row: ReportRow) -> dict[str, str | int]:
    return {
        key: cell.number if cell.HasField("number") else cell.text
        for key, cell in zip(keys, row.cells, strict=True)
    }


def _of_coupon(truth: Truth, coupon: GetCouponResponse) -> str:
    issued = [step.patron for step in coupon.steps if step.what == "issued"]
    others = [
        f"issued to {to}, redeemed by {step.patron}"
        for to in issued
        for step in coupon.steps
        if step.what == "redeemed" and step.patron not in ("", to)
    ]
    problems = [*coupon.problems, *others]
    wanted = COUPONS[truth.fault]
    return next((problem for problem in problems if wanted in problem), "")


def _of_slips(truth: Truth, rows: Sequence[dict[str, str | int]]) -> str:
    """Of fills and credits only: an opener signed twice by one person is a fault of its own."""
    column = SLIPS[truth.fault]
    what: Callable[[int], str] = {
        "missing": lambda count: f"{count_noun(count, 'number')} missing",
        "unsigned": lambda count: (
            f"{count_noun(count, 'half', 'halves')} of a slip not signed by all"
        ),
    }[column]
    return ", ".join(
        f"{row['series']}: {what(int(row[column]))}"
        for row in rows
        if row["kind"] in ("fill", "credit") and row[column] and truth.table in str(row["series"])
    )


def _of_cash(truth: Truth, rows: Sequence[dict[str, str | int]]) -> str:
    """By patron, or by description for an unknown patron; the rows are of the truth's table."""
    seat = f", seat {truth.seat},"
    flags = [
        str(row["flag"])
        for row in rows
        if row["flag"]
        and (row["patron"] == truth.patron if truth.patron else seat in str(row["description"]))
    ]
    return f"to be reported: {', '.join(flags)}" if flags else ""
