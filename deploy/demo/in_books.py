"""Patterns that no table's log decides, held against what the books say of them."""

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
    "coupon used twice": "redeemed 2 times",
    "coupon unknown": "never issued",
    "coupon void": "voided",
    "other patron's coupon": "issued to",
}
"""What the books must say of the coupon, among other things."""
SLIPS: Final = {"slip gap": "missing", "signer missing": "unsigned"}
"""The column of the slip sequence that must count something."""
CASH: Final = frozenset({"cash over the line", "anonymous cash over the line"})
DECIDED: Final = frozenset({*COUPONS, *SLIPS, *CASH})


@dataclass(frozen=True, slots=True)
class Said:
    """What the books say of something planted; nothing where they do not know it."""

    fault: str
    about: str
    words: str


def ask_books(accounting: Endpoint, truths: Iterable[Truth], days: Iterable[str]) -> list[Said]:
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

    async def ask(books: AccountingServiceAsyncStub) -> list[Said]:
        said = []
        for truth in decided:
            if truth.fault in COUPONS:
                answer = await books.GetCoupon(GetCouponRequest(serial=truth.wager))
                said.append(Said(truth.fault, truth.wager, _of_coupon(truth, answer)))
            elif truth.fault in SLIPS:
                found = await rows(books, "slip_sequence", truth.table)
                said.append(Said(truth.fault, truth.table, _of_slips(truth, found)))
            else:
                found = await rows(books, "cash_log", truth.table)
                about = truth.patron or truth.table
                said.append(Said(truth.fault, about, _of_cash(truth, found)))
        return said

    return ACCOUNTING.call(accounting, ask)


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
    """Of fills and credits: an opener that is signed twice by one is another matter."""
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
    """By patron, or by description where nobody is known: the rows are of the truth's table."""
    seat = f", seat {truth.seat},"
    flags = [
        str(row["flag"])
        for row in rows
        if row["flag"]
        and (row["patron"] == truth.patron if truth.patron else seat in str(row["description"]))
    ]
    return f"to be reported: {', '.join(flags)}" if flags else ""
