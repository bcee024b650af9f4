"""`pitctl explain`: from an amount of a report to its parts, down to facts and rounds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from blackjack.display_names import finding_name
from casino.accounting.v1.report_pb2 import Report, ReportCell, ReportColumn
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    ExplainResponse,
    FigurePart,
    GetReportRequest,
)
from pitctl.accounting.client import ACCOUNTING
from pitctl.accounting.report import day_of
from pitctl.connection.channel import Endpoint
from pitctl.errors import InvalidArgument
from pitctl.output.exit import NEGATIVE, OK, command_name
from pitctl.output.json_out import fields_of, write_json
from pitctl.output.text import Page, escape, format_moment
from report_forms.cells import check, for_people, is_number
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub

PAGE_PARTS_MAX: Final = 1_000
PARTS_MAX: Final = 1_000_000


class FigureQuery(Struct, frozen=True):
    """An amount of a report: by its `drill` key, or by report, column and words of its row."""

    figure: str
    column: str = ""
    row: tuple[str, ...] = ()
    day: str = ""
    until: str = ""
    table: str = ""
    preset: str = ""
    parts: tuple[int, ...] = ()
    """The numbers of the parts to follow, one level each."""


def explain(place: Endpoint, query: FigureQuery, *, limit: int, as_json: bool) -> int:
    async def get(books: AccountingServiceAsyncStub) -> tuple[ExplainResponse, bool]:
        drill = await _drill(books, query) if query.column else query.figure
        for number in query.parts:
            answer, _ = await _parts(books, drill, number)
            if number > len(answer.parts):
                raise InvalidArgument(
                    f"Invalid --part {number}: there are {len(answer.parts)} parts."
                )
            drill = answer.parts[number - 1].figure.drill
            if not drill:
                words = escape(answer.parts[number - 1].words)
                raise InvalidArgument(f"Invalid --part {number}: {words!r} has no parts.")
        return await _parts(books, drill, limit)

    answer, more = ACCOUNTING.call(place, get)
    if as_json:
        fields = fields_of(answer)
        del fields["next_page_token"]
        write_json(sys.stdout.buffer, {**fields, "is_complete": not more})
    else:
        print_parts(Page(sys.stdout), answer, more=more)
    return OK if answer.parts else NEGATIVE


async def _parts(
    books: AccountingServiceAsyncStub, drill: str, limit: int
) -> tuple[ExplainResponse, bool]:
    """The first parts, and whether there are more."""
    found = ExplainResponse()
    request = ExplainRequest(drill=drill)
    while True:
        request.page_size = min(limit - len(found.parts), PAGE_PARTS_MAX)
        answer = await books.Explain(request)
        so_far = list(found.parts)
        without = found.without_rounds or answer.without_rounds
        token = answer.next_page_token
        found.CopyFrom(answer)
        del found.parts[:]
        found.parts.extend([*so_far, *answer.parts])
        found.without_rounds = without
        request.page_token = token
        if not token or len(found.parts) >= limit:
            return found, bool(token)


async def _drill(books: AccountingServiceAsyncStub, query: FigureQuery) -> str:
    request = GetReportRequest(
        name=query.figure.replace("-", "_"),
        from_day=await day_of(books, query.day),
        until_day=await day_of(books, query.until) if query.until else "",
        table_id=query.table,
        preset=query.preset,
    )
    report = (await books.GetReport(request)).report
    check(report)
    return find_cell(report, query.column, query.row).drill


def find_cell(report: Report, column: str, row: Sequence[str]) -> ReportCell:
    """The cell of a column in the row with all of these words; without words, in the totals."""
    keys = [title.key for title in report.columns]
    known = [title.key for title in report.columns if is_number(title)]
    if column not in known:
        raise InvalidArgument(f'Invalid column "{column}": {report.name} has {", ".join(known)}.')
    place = keys.index(column)
    if not row:
        cells = [report.totals] if report.HasField("totals") else []
    else:
        cells = [
            candidate
            for candidate in report.rows
            if set(row) <= set(map(for_people, candidate.cells, report.columns))
        ]
    if len(cells) != 1:
        words = " ".join(row) or "a total"
        raise InvalidArgument(
            f'Invalid row "{words}": it matches {len(cells)} rows of {report.name}; name one row.'
        )
    cell = cells[0].cells[place]
    if not cell.drill:
        raise InvalidArgument(f"{column} of {' '.join(row) or 'the totals'} is empty")
    return cell


def print_parts(page: Page, answer: ExplainResponse, *, more: bool) -> None:
    """A line for each part, with the round to replay, and their sum."""
    if not answer.parts:
        page.line(("No parts.", "yellow"))
        return
    rows = [_row(number, each) for number, each in enumerate(answer.parts, start=1)]
    titles = ("", "at (UTC)", "table", "round", "value", "description")
    filled = [place for place in range(len(titles)) if any(row[place] for row in rows)]
    page.table(
        [titles[place] for place in filled],
        [[row[place] for place in filled] for row in rows],
        indent=0,
        align="".join("rlllrl"[place] for place in filled),
    )
    page.blank()
    kind = ReportColumn(kind=answer.kind)
    total = answer.figure.number
    shown = sum(part.figure.number for part in answer.parts)
    if more and not answer.formula:
        here, rest = (for_people(ReportCell(number=n), kind) for n in (shown, total - shown))
        page.line((f"{here} shown, {rest} in parts beyond --limit", "yellow"))
    if answer.formula:
        page.line((escape(answer.formula), "dim"))
    amount = for_people(answer.figure, kind)
    page.line((f"{amount}" if answer.formula else f"total {amount}", "bold"))
    if not more and not answer.formula and shown != total:
        added = for_people(ReportCell(number=shown), kind)
        page.line((f"the parts add up to {added}: the ledger has changed, try again", "red"))
    if answer.without_rounds:
        page.line((escape(answer.without_rounds), "yellow"), hang=2)
    if any(part.figure.drill for part in answer.parts):
        page.line(("--part N    shows the parts of part N", "dim"))
    rounds = [part.entry.round for part in answer.parts if part.entry.round]
    if rounds:
        page.line(
            (f"{command_name()} replay {escape(rounds[0])}    shows a round as it happened", "dim")
        )


def _row(number: int, part: FigurePart) -> tuple[str, ...]:
    entry = part.entry
    version = f" v{entry.version}" if entry.version > 1 else ""
    words = part.words or entry.kind.replace("_", " ")
    return (
        str(number) if part.figure.drill else "",
        format_moment(read_time(entry.at)).removesuffix(" UTC") if entry.HasField("at") else "",
        entry.table_id,
        f"{entry.round}{version}" if entry.round else "",
        for_people(part.figure, ReportColumn(kind=part.kind)),
        f"{words}{', adjusting' if entry.adjusting else ''}{_of_round(part)}",
    )


def _of_round(part: FigurePart) -> str:
    """The dealer and the findings of the round, where settlement answered."""
    if not part.HasField("round"):
        return ""
    known = [
        part.round.dealer and f"dealer {part.round.dealer}",
        *map(finding_name, part.round.finding_kinds),
    ]
    words = ", ".join(word for word in known if word)
    return f" ({words})" if words else ""
