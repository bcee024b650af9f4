"""`pitctl report`, `explain` and `balances`: figures, and what they are made of."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

from casino.accounting.v1.ledger_pb2 import AccountClass, Balance
from casino.accounting.v1.report_pb2 import Report
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    ExplainResponse,
    FigurePart,
    GetBalancesRequest,
    GetReportRequest,
    GetStatusRequest,
    ListReportsRequest,
    ReportKind,
)
from pitctl.books.asking import ACCOUNTING, DONE, NOT_DONE
from pitctl.books.cells import check, standing
from pitctl.books.output import check_not_a_terminal, writing
from pitctl.books.report_csv import as_csv
from pitctl.books.report_json import as_object
from pitctl.books.report_table import print_report
from pitctl.books.typed import TODAY, YESTERDAY, read_day
from pitctl.connecting import Place
from pitctl.ending import called
from pitctl.json_out import as_fields, write_json
from pitctl.text import Page, amount, counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

PAGE_PARTS_MAX: Final = 1_000


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
            from pitctl.books.report_pdf import as_pdf

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


# What a figure is made of ----------------------------------------------------------------


def explain(place: Place, drill: str, *, limit: int, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> tuple[ExplainResponse, bool]:
        found = ExplainResponse()
        request = ExplainRequest(drill=drill)
        while True:
            request.page_size = min(limit - len(found.parts), PAGE_PARTS_MAX)
            answer = await books.Explain(request)
            found.parts.extend(answer.parts)
            found.total_cents = answer.total_cents
            found.without_rounds = found.without_rounds or answer.without_rounds
            request.page_token = answer.next_page_token
            if not request.page_token or len(found.parts) >= limit:
                return found, bool(request.page_token)

    answer, more = ACCOUNTING.ask(place, get)
    if as_json:
        said = as_fields(answer)
        del said["next_page_token"]
        write_json(sys.stdout.buffer, {**said, "is_complete": not more})
    else:
        print_parts(Page(sys.stdout), answer, more=more)
    return DONE if answer.parts else NOT_DONE


def print_parts(page: Page, answer: ExplainResponse, *, more: bool) -> None:
    """A line for each part, with the round to replay; their sum is the figure."""
    if not answer.parts:
        page.line(("nothing makes it up", "yellow"))
        return
    rows = [_part(each) for each in answer.parts]
    page.table(("at (UTC)", "table", "round", "amount", "for"), rows, indent=0, align="lllrl")
    page.blank()
    shown = sum(each.cents for each in answer.parts)
    if more:
        rest = amount(answer.total_cents - shown)
        page.line((f"{amount(shown)} here, {rest} in parts that are not shown: --limit", "yellow"))
    page.line((f"total {amount(answer.total_cents)}", "bold"))
    if not more and shown != answer.total_cents:
        page.line((f"the parts add up to {amount(shown)}: the ledger moved on, ask again", "red"))
    if answer.without_rounds:
        page.line((plain(answer.without_rounds), "yellow"), hang=2)
    rounds = [each.entry.round for each in answer.parts if each.entry.round]
    if rounds:
        page.line((f"{called()} replay {plain(rounds[0])}    shows a round as it happened", "dim"))


def _part(part: FigurePart) -> tuple[str, ...]:
    entry = part.entry
    version = f" v{entry.version}" if entry.version > 1 else ""
    words = part.words or entry.kind.replace("_", " ")
    return (
        moment(read_time(entry.at)).removesuffix(" UTC"),
        entry.table_id,
        f"{entry.round}{version}" if entry.round else "",
        amount(part.cents),
        f"{words}{', adjusting' if entry.adjusting else ''}{_of_round(part)}",
    )


def _of_round(part: FigurePart) -> str:
    """What settlement says of the round, where it answered."""
    if not part.HasField("round"):
        return ""
    known = [part.round.dealer and f"dealer {part.round.dealer}", *part.round.finding_kinds]
    said = ", ".join(each for each in known if each)
    return f" ({said})" if said else ""


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
            amount(each.debit_cents),
            amount(each.credit_cents),
            amount(balance_of(each)),
            AccountClass.Name(each.account_class).removeprefix("ACCOUNT_CLASS_").lower(),
            each.account,
        )
        for each in balances
    ]
    debits = sum(each.debit_cents for each in balances)
    credits = sum(each.credit_cents for each in balances)
    rows.append((amount(debits), amount(credits), "", "", "total"))
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
