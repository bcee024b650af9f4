"""The day's reconciliation of a floor's tables, compared with the planted losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from blackjack.money import format_cents
from casino.accounting.v1.report_pb2 import Report, ReportCell, ReportRow
from casino.accounting.v1.service_pb2 import GetReportRequest
from deploy.demo.money import Loss, Place
from pitctl.accounting.client import ACCOUNTING
from pitctl.connection.channel import Endpoint as Address
from report_forms.cells import CENTS

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

RECONCILIATION: Final = "reconciliation"
EXCEPTIONS: Final = "payout_exceptions"
VARIANCES: Final = {Place.TRAY: "tray_variance", Place.DROP: "drop_variance"}
UNEXPLAINED: Final = {Place.TRAY: "unexplained_tray", Place.DROP: "unexplained_drop"}
STATED: Final = ("found", "no_wager")
"""Causes of a tray variance that findings explain to the cent."""
ODDS_SECONDS_MAX: Final = 300.0
"""Enough for a busy machine; an idle one takes a few seconds."""


@dataclass(frozen=True, slots=True)
class Books:
    """Accounting's reports of a floor's tables, for the days on which they played."""

    reconciliation: Report
    exceptions: Report

    def tables(self) -> list[str]:
        at = _place(self.reconciliation, "table")
        return sorted({row.cells[at].text for row in self.reconciliation.rows})

    def cents(self, table: str, *keys: str) -> int:
        """The sum of these columns over all days of a table; an empty cell adds nothing."""
        places = [_place(self.reconciliation, key) for key in keys]
        return sum(
            row.cells[place].number
            for row in _of_table(self.reconciliation, table)
            for place in places
        )

    def mispaid(self) -> dict[tuple[str, str], int]:
        """Overpayments by table and round; underpayments are negative."""
        report = self.exceptions
        table, round_, difference = (
            _place(report, key) for key in ("table", "round", "difference")
        )
        sums: dict[tuple[str, str], int] = {}
        for row in report.rows:
            key = row.cells[table].text, row.cells[round_].text
            sums[key] = sums.get(key, 0) - row.cells[difference].number
        return {key: cents for key, cents in sums.items() if cents}


@dataclass(frozen=True, slots=True)
class Explanation:
    """How the books show a loss; `problem` describes a difference from the plan."""

    loss: Loss
    words: str
    problem: str = ""
    is_explained: bool = True


@dataclass(slots=True)
class BooksComparison:
    """Every planted loss as the books show it, and every unplanned difference."""

    explanations: list[Explanation] = field(default_factory=list)
    surplus: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not self.surplus and not any(
            explanation.problem for explanation in self.explanations
        )


def fetch(
    accounting: Address, tables: Sequence[str], days: Iterable[str], report: Callable[[int], None]
) -> Books:
    """Fetch table by table, because the ledger may have other floors of the same day.

    `report` gets the number of tables fetched. The first request for a rule set waits while its
    odds are computed.
    """
    wanted = sorted(days)

    async def query(books: AccountingServiceAsyncStub) -> Books:
        found: dict[str, list[Report]] = {RECONCILIATION: [], EXCEPTIONS: []}
        for number, table in enumerate(tables, 1):
            for name, reports in found.items():
                request = GetReportRequest(
                    name=name, from_day=wanted[0], until_day=wanted[-1], table_id=table
                )
                answer = await books.GetReport(request, timeout=ODDS_SECONDS_MAX)
                reports.append(answer.report)
            report(number)
        return Books(together(found[RECONCILIATION]), together(found[EXCEPTIONS]))

    return ACCOUNTING.call(accounting, query)


def together(reports: Sequence[Report]) -> Report:
    """Join one report of several tables: all rows, with amounts added up."""
    whole = Report()
    whole.CopyFrom(reports[0])
    for report in reports[1:]:
        whole.rows.extend(report.rows)
        whole.notes.extend(note for note in report.notes if note not in whole.notes)
    whole.ClearField("totals")
    for place, column in enumerate(whole.columns):
        cell = ReportCell()
        numbers = [
            row.cells[place].number for row in whole.rows if row.cells[place].HasField("number")
        ]
        if column.kind == CENTS and numbers:
            cell.number = sum(numbers)
        whole.totals.cells.append(cell)
    return whole


def compare_books(books: Books, losses: Sequence[Loss]) -> BooksComparison:
    """Check that every loss is in its place, to the cent, and that there is no other."""
    reconciled = BooksComparison()
    _hold_payouts(books, losses, reconciled)
    for table in books.tables():
        for place in VARIANCES:
            here = [loss for loss in losses if (loss.table, loss.place) == (table, place)]
            problem = _problem(books, table, place, here)
            if problem and not here:
                reconciled.surplus.append(f"{table}: {problem}")
            reconciled.explanations += [_explanation(books, loss, problem) for loss in here]
    missing = [loss for loss in losses if loss.table not in books.tables()]
    reconciled.explanations += [
        Explanation(loss, loss.place, "the table is not in the report") for loss in missing
    ]
    return reconciled


def _hold_payouts(books: Books, losses: Sequence[Loss], reconciled: BooksComparison) -> None:
    """Compare payout errors by round, and the sums by table."""
    planted = [loss for loss in losses if loss.place is Place.PAYOUTS]
    found = books.mispaid()
    for loss in planted:
        cents = found.pop((loss.table, loss.round), 0)
        problem = (
            "" if cents == loss.cents else f"the books show {format_cents(cents)} in that round"
        )
        words = f"{loss.place}, by the wager in its round"
        reconciled.explanations.append(Explanation(loss, words, problem))
    reconciled.surplus += [
        f"{table}, {name}: payout error {format_cents(cents)}"
        for (table, name), cents in sorted(found.items())
    ]
    for table in books.tables():
        expected = sum(loss.cents for loss in planted if loss.table == table)
        shown = -books.cents(table, "overpaid", "underpaid")
        if shown != expected:
            reconciled.surplus.append(
                f"{table}: payout errors total {format_cents(shown)}, expected "
                f"{format_cents(expected)}"
            )


def _problem(books: Books, table: str, place: Place, losses: Sequence[Loss]) -> str:
    """The difference of a variance from the plan, in words; empty if there is none."""
    stated = sum(loss.cents for loss in losses if loss.is_proved)
    left = sum(loss.cents for loss in losses if not loss.is_proved)
    variance = -books.cents(table, VARIANCES[place])
    unexplained = -books.cents(table, UNEXPLAINED[place])
    if variance != stated + left:
        return f"{place} {format_cents(-variance)}, expected {format_cents(-stated - left)}"
    if place is Place.TRAY and not left and -books.cents(table, *STATED) != stated:
        found = format_cents(books.cents(table, *STATED))
        return f"findings explain {found} of {format_cents(-stated)}"
    # Unobserved payments may be explained as such, or remain unexplained.
    if unexplained not in ({left, 0} if place is Place.TRAY else {left}):
        return f"{format_cents(-unexplained)} unexplained, expected {format_cents(-left)}"
    return ""


def _explanation(books: Books, loss: Loss, problem: str) -> Explanation:
    if loss.is_proved:
        words = "no settled wager" if loss.round else "found by settlement"
        return Explanation(loss, f"{loss.place}, {words}", problem)
    is_open = bool(books.cents(loss.table, UNEXPLAINED[loss.place]))
    words = "unexplained" if is_open else "payments not seen"
    return Explanation(loss, f"{loss.place}, {words}", problem, is_explained=not is_open)


def _place(report: Report, key: str) -> int:
    return [column.key for column in report.columns].index(key)


def _of_table(report: Report, table: str) -> list[ReportRow]:
    at = _place(report, "table")
    return [row for row in report.rows if row.cells[at].text == table]
