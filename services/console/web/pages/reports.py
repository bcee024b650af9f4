"""Reports: pages with drill-down, CSV and PDF."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from blackjack.display_names import words_of
from blackjack.money import format_cents
from casino.accounting.v1.ledger_pb2 import Entry
from casino.accounting.v1.report_pb2 import ColumnKind, Report, ReportCell, ReportColumn
from casino.accounting.v1.service_pb2 import (
    ExplainRequest,
    FigurePart,
    GetReportRequest,
    ListReportsRequest,
    ReportKind,
)  # fmt: skip
from console.users.roles import SEE_BOOKS
from console.web.display.addresses import hand_address
from console.web.display.labels import capital
from console.web.display.reports import explain_address, lay_out_report
from console.web.display.waterfall import draw_waterfall
from console.web.errors import PageNotFound
from console.web.form_fields import read_day
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page
from report_forms.cells import for_people
from report_forms.spreadsheet import as_csv

PARTS_SHOWN: Final = 100
PRESETS: Final = {"hold_variance": ("kansas", "ohio", "maryland")}
RECONCILIATION: Final = "reconciliation"


@dataclass(frozen=True, slots=True)
class FigurePartRow:
    """An entry behind an amount, or an amount with entries of its own."""

    entry: Entry
    title: str
    value: str
    drill: str
    hand: str
    """The address of the round; empty if there is none."""


async def report_page(request: Request) -> Response:
    name = request.path_params["name"]
    query = await _query(request, name)
    kinds, report = await asyncio.gather(_kinds(request), _report(request, query))
    return await render_page(
        request,
        "report.html",
        filters=query,
        kinds=kinds,
        description=next((kind.words for kind in kinds if kind.name == name), ""),
        presets=PRESETS.get(name, ()),
        shown=lay_out_report(report),
        picture=draw_waterfall(report) if name == RECONCILIATION else None,
        query=request.url.query,
    )


async def reports_page(request: Request) -> Response:
    prop = await services_of(request).property_status.current(user_of(request))
    day = read_day("day", request.query_params.get("day", "")) or prop.gaming_day
    return await render_page(request, "reports.html", kinds=await _kinds(request), day=day)


async def csv_file(request: Request) -> Response:
    query = await _query(request, request.path_params["name"])
    report = await _report(request, query)
    return _file(as_csv(report), "text/csv; charset=utf-8", query, "csv")


async def pdf_file(request: Request) -> Response:
    from report_forms.paper_form import as_pdf  # slow to load, and rarely used

    query = await _query(request, request.path_params["name"])
    report = await _report(request, query)
    return _file(await asyncio.to_thread(as_pdf, report), "application/pdf", query, "pdf")


async def explain_page(request: Request) -> Response:
    services = services_of(request)
    drill, title = (request.query_params.get(name, "")[:8000] for name in ("drill", "title"))
    if not drill:
        raise PageNotFound("amount to explain: open it from a report")
    answer = await services.clients.books.Explain(
        ExplainRequest(
            drill=drill,
            page_size=PARTS_SHOWN,
            page_token=request.query_params.get("page", ""),
        ),
        metadata=services.clients.metadata_for(user_of(request)),
    )
    return await render_page(
        request,
        "explain.html",
        title=title or "Amount",
        drill=drill,
        answer=answer,
        figure=_value(answer.figure, answer.kind, answer.total_cents),
        parts=[_part(part) for part in answer.parts],
    )


def _part(part: FigurePart) -> FigurePartRow:
    entry = part.entry
    title = capital(part.words) or words_of(entry.kind)
    return FigurePartRow(
        entry=entry,
        title=title,
        value=_value(part.figure, part.kind, part.cents),
        drill=explain_address(part.figure.drill, title) if part.figure.drill else "",
        hand=hand_address(entry.table_id, entry.round) if entry.round else "",
    )


def _value(figure: ReportCell, kind: ColumnKind.ValueType, cents: int) -> str:
    if kind and figure.WhichOneof("value") is not None:
        return for_people(figure, ReportColumn(kind=kind))
    return format_cents(cents)


async def _query(request: Request, name: str) -> GetReportRequest:
    params = request.query_params
    prop = await services_of(request).property_status.current(user_of(request))
    first = read_day("from", params.get("from", "")) or prop.gaming_day
    return GetReportRequest(
        name=name,
        from_day=first,
        until_day=read_day("until", params.get("until", "")) or first,
        table_id=params.get("table", "").strip()[:80],
        preset=params.get("preset", "")[:20],
    )


async def _report(request: Request, query: GetReportRequest) -> Report:
    services = services_of(request)
    answer = await services.clients.books.GetReport(
        query, metadata=services.clients.metadata_for(user_of(request))
    )
    return answer.report


async def _kinds(request: Request) -> list[ReportKind]:
    services = services_of(request)
    answer = await services.clients.books.ListReports(
        ListReportsRequest(), metadata=services.clients.metadata_for(user_of(request))
    )
    return list(answer.reports)


def _file(content: bytes, kind: str, query: GetReportRequest, ending: str) -> Response:
    days = (
        query.from_day
        if query.until_day == query.from_day
        else f"{query.from_day}_{query.until_day}"
    )
    name = f"{query.name}_{days}.{ending}"
    return Response(
        content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'}
    )


ROUTES: Final = (
    read_route(SEE_BOOKS, "/reports", reports_page),
    read_route(SEE_BOOKS, "/reports/{name}.csv", csv_file),
    read_route(SEE_BOOKS, "/reports/{name}.pdf", pdf_file),
    read_route(SEE_BOOKS, "/reports/{name}", report_page),
    read_route(SEE_BOOKS, "/explain", explain_page),
)
