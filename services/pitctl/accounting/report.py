"""`pitctl report` and `balances`: figures."""

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
from pitctl.accounting.arguments import TODAY, YESTERDAY, read_day
from pitctl.accounting.client import ACCOUNTING, DONE, NOT_DONE
from pitctl.accounting.report_files import check_not_a_terminal, writing
from pitctl.accounting.report_json import as_object
from pitctl.accounting.report_table import print_report
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields, write_json
from pitctl.output.text import Page, counted, plain
from report_forms.cells import check, standing
from report_forms.spreadsheet import as_csv

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


async def day_of(books: AccountingServiceAsyncStub, text: str) -> str:
    """The gaming day that is meant; the one that is now where nothing is said."""
    if text and text not in (TODAY, YESTERDAY):
        return read_day(text)
    status = await books.GetStatus(GetStatusRequest())
    return read_day(text or TODAY, status.gaming_day)


# Reports ---------------------------------------------------------------------------------


def show_report(
    place: Place,
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

    report = ACCOUNTING.ask(place, get)
    check(report)
    write_report(report, form=form, output=output)
    return DONE


def write_report(report: Report, *, form: str, output: str) -> None:
    """Into the file, or to standard output."""
    if form == "table" and not output:
        print_report(Page(sys.stdout), report)
        return
    with writing(output) as file:
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
        for said in filter(None, (standing(report), *report.notes)):
            print(plain(said), file=sys.stderr)


def list_reports(place: Place, *, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> Sequence[ReportKind]:
        return (await books.ListReports(ListReportsRequest())).reports

    reports = ACCOUNTING.ask(place, get)
    if as_json:
        write_json(sys.stdout.buffer, [as_fields(each) for each in reports])
        return DONE
    page = Page(sys.stdout)
    rows = [(each.name, each.words or each.title) for each in reports]
    page.table(("report", "what it shows"), rows, indent=0)
    return DONE


# Balances --------------------------------------------------------------------------------

_CREDITORS: Final = (
    AccountClass.ACCOUNT_CLASS_LIABILITY,
    AccountClass.ACCOUNT_CLASS_INCOME,
    AccountClass.ACCOUNT_CLASS_EQUITY,
)


def show_balances(place: Place, *, day: str, until: str, account: str, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> Sequence[Balance]:
        request = GetBalancesRequest(
            from_day=await day_of(books, day) if day else "",
            until_day=await day_of(books, until) if until else "",
            account=account,
        )
        return (await books.GetBalances(request)).balances

    balances = ACCOUNTING.ask(place, get)
    if as_json:
        write_json(sys.stdout.buffer, [as_fields(each) for each in balances])
    else:
        print_balances(Page(sys.stdout), balances, is_whole=not account)
    return DONE if balances else NOT_DONE


def print_balances(page: Page, balances: Sequence[Balance], *, is_whole: bool) -> None:
    """A balance stands on the side where such an account usually has it."""
    if not balances:
        page.line(("no such account has an entry", "yellow"))
        return
    rows = [
        (
            format_cents(each.debit_cents, currency=False),
            format_cents(each.credit_cents, currency=False),
            format_cents(balance_of(each), currency=False),
            AccountClass.Name(each.account_class).removeprefix("ACCOUNT_CLASS_").lower(),
            each.account,
        )
        for each in balances
    ]
    debits = sum(each.debit_cents for each in balances)
    credits = sum(each.credit_cents for each in balances)
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
        said = "debits and credits are even" if even else "debits and credits are not even"
        page.line((said, "green" if even else "bold red"))
    page.line((counted(len(balances), "account"), "dim"))


def balance_of(balance: Balance) -> int:
    """Debits less credits for what the house has or spends, else credits less debits."""
    cents = balance.debit_cents - balance.credit_cents
    return -cents if balance.account_class in _CREDITORS else cents
