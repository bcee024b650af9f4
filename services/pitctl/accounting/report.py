"""`pitctl report` and `pitctl balances`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

from blackjack.money import format_cents
from casino.accounting.v1.ledger_pb2 import AccountClass, Balance
from casino.accounting.v1.report_pb2 import Report
from casino.accounting.v1.service_pb2 import (
    GetBalancesRequest,
    GetReportRequest,
    GetStatusRequest,
    ListReportsRequest,
    ReportKind,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.report_json import as_object
from pitctl.accounting.report_table import print_report
from pitctl.arguments import TODAY, YESTERDAY, read_day
from pitctl.connection.channel import Endpoint
from pitctl.output.exit import NEGATIVE, OK
from pitctl.output.files import check_not_a_terminal, open_output
from pitctl.output.json_out import fields_of, write_json
from pitctl.output.text import Page, count_noun, escape
from report_forms.cells import check, draft_notice
from report_forms.spreadsheet import as_csv

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


async def day_of(books: AccountingServiceAsyncStub, text: str) -> str:
    """The gaming day of an argument; the current one where it is empty."""
    if text and text not in (TODAY, YESTERDAY):
        return read_day(text)
    status = await books.GetStatus(GetStatusRequest())
    return read_day(text or TODAY, status.gaming_day)


# Reports ---------------------------------------------------------------------------------


def show_report(
    place: Endpoint,
    name: str,
    *,
    day: str,
    until: str,
    table: str,
    preset: str,
    form: str,
    output: str,
) -> int:
    if form == "pdf":
        check_not_a_terminal(output, "PDF")

    async def get(books: AccountingServiceAsyncStub) -> Report:
        request = GetReportRequest(
            name=name.replace("-", "_"),
            from_day=await day_of(books, day),
            until_day=await day_of(books, until) if until else "",
            table_id=table,
            preset=preset,
        )
        return (await books.GetReport(request)).report

    report = ACCOUNTING.call(place, get)
    check(report)
    write_report(report, form=form, output=output)
    return OK


def write_report(report: Report, *, form: str, output: str) -> None:
    """Write to the file, or to standard output."""
    if form == "table" and not output:
        print_report(Page(sys.stdout), report)
        return
    with open_output(output) as file:
        if form == "csv":
            file.write(as_csv(report))
        elif form == "json":
            write_json(file, as_object(report))
        elif form == "pdf":
            from report_forms.paper_form import as_pdf

            file.write(as_pdf(report))
        else:
            text = TextIOWrapper(file, encoding="utf-8")
            print_report(Page(text), report)
            text.detach()
    if form == "csv":
        for note in filter(None, (draft_notice(report), *report.notes)):
            print(escape(note), file=sys.stderr)


def list_reports(place: Endpoint, *, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> Sequence[ReportKind]:
        return (await books.ListReports(ListReportsRequest())).reports

    reports = ACCOUNTING.call(place, get)
    if as_json:
        write_json(sys.stdout.buffer, [fields_of(kind) for kind in reports])
        return OK
    page = Page(sys.stdout)
    rows = [(kind.name, kind.words or kind.title) for kind in reports]
    page.table(("report", "description"), rows, indent=0)
    return OK


# Balances --------------------------------------------------------------------------------

_CREDITORS: Final = (
    AccountClass.ACCOUNT_CLASS_LIABILITY,
    AccountClass.ACCOUNT_CLASS_INCOME,
    AccountClass.ACCOUNT_CLASS_EQUITY,
)


def show_balances(place: Endpoint, *, day: str, until: str, account: str, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> Sequence[Balance]:
        request = GetBalancesRequest(
            from_day=await day_of(books, day) if day else "",
            until_day=await day_of(books, until) if until else "",
            account=account,
        )
        return (await books.GetBalances(request)).balances

    balances = ACCOUNTING.call(place, get)
    if as_json:
        write_json(sys.stdout.buffer, [fields_of(balance) for balance in balances])
    else:
        print_balances(Page(sys.stdout), balances, is_whole=not account)
    return OK if balances else NEGATIVE


def print_balances(page: Page, balances: Sequence[Balance], *, is_whole: bool) -> None:
    """A balance is positive on the usual side of its account."""
    if not balances:
        page.line(("No entries on such an account.", "yellow"))
        return
    rows = [
        (
            format_cents(balance.debit_cents, currency=False),
            format_cents(balance.credit_cents, currency=False),
            format_cents(balance_of(balance), currency=False),
            AccountClass.Name(balance.account_class).removeprefix("ACCOUNT_CLASS_").lower(),
            balance.account,
        )
        for balance in balances
    ]
    debits = sum(balance.debit_cents for balance in balances)
    credits = sum(balance.credit_cents for balance in balances)
    rows.append(
        (
            format_cents(debits, currency=False),
            format_cents(credits, currency=False),
            "",
            "",
            "total",
        )
    )
    styles = [*[""] * len(balances), "bold"]
    headings = ("debits", "credits", "balance", "class", "account")
    page.table(headings, rows, indent=0, align="rrrll", styles=styles)
    page.blank()
    if is_whole:
        even = debits == credits
        words = "debits equal credits" if even else "debits do not equal credits"
        page.line((words, "green" if even else "bold red"))
    page.line((count_noun(len(balances), "account"), "dim"))


def balance_of(balance: Balance) -> int:
    """Debits less credits for assets and expenses, else credits less debits."""
    cents = balance.debit_cents - balance.credit_cents
    return -cents if balance.account_class in _CREDITORS else cents
