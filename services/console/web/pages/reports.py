"""Reports: every one as a page whose figures lead to what they are made of, as CSV and as PDF."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

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
from console.web.display.labels import spoken
from console.web.display.reports import explain_address, lay_out_report
from console.web.display.waterfall import waterfall
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
    """A part of a figure: a fact, or a figure that is made of parts itself."""

    entry: Entry
    words: str
    value: str
    drill: str
    hand: str
    """Where the round behind it is shown; empty where there is none."""


async def report_page(request: Request) -> Response:
    name = request.path_params["name"]
    asked = await _asked(request, name)
    kinds, report = await asyncio.gather(_kinds(request), _report(request, asked))
    return await render_page(
        request,
        "report.html",
        asked=asked,
        kinds=kinds,
        words=next((each.words for each in kinds if each.name == name), ""),
        presets=PRESETS.get(name, ()),
        shown=lay_out_report(report),
        picture=waterfall(report) if name == RECONCILIATION else None,
        query=request.url.query,
    )


async def reports_page(request: Request) -> Response:
    prop = await services_of(request).property_status.current(user_of(request))
    day = read_day("day", request.query_params.get("day", "")) or prop.gaming_day
    return await render_page(request, "reports.html", kinds=await _kinds(request), day=day)


async def csv_file(request: Request) -> Response:
    asked = await _asked(request, request.path_params["name"])
    report = await _report(request, asked)
    return _file(as_csv(report), "text/csv; charset=utf-8", asked, "csv")


async def pdf_file(request: Request) -> Response:
    from report_forms.paper_form import as_pdf  # takes its time to load, and few want it

    asked = await _asked(request, request.path_params["name"])
    report = await _report(request, asked)
    return _file(await asyncio.to_thread(as_pdf, report), "application/pdf", asked, "pdf")


async def explain_page(request: Request) -> Response:
    services = services_of(request)
    drill, title = (request.query_params.get(each, "")[:8000] for each in ("drill", "title"))
    if not drill:
        raise PageNotFound("figure to explain: come here from a report")
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
        title=title or "A figure",
        drill=drill,
        answer=answer,
        figure=_value(answer.figure, answer.kind, answer.total_cents),
        parts=[_part(each) for each in answer.parts],
    )


def _part(part: FigurePart) -> FigurePartRow:
    entry = part.entry
    words = part.words or spoken(entry.kind)
    return FigurePartRow(
        entry=entry,
        words=words,
        value=_value(part.figure, part.kind, part.cents),
        drill=explain_address(part.figure.drill, words) if part.figure.drill else "",
        hand=hand_address(entry.table_id, entry.round) if entry.round else "",
    )


def _value(figure: ReportCell, kind: ColumnKind.ValueType, cents: int) -> str:
    if kind and figure.WhichOneof("value") is not None:
        return for_people(figure, ReportColumn(kind=kind))
    return format_cents(cents)


async def _asked(request: Request, name: str) -> GetReportRequest:
    asked = request.query_params
    prop = await services_of(request).property_status.current(user_of(request))
    first = read_day("from", asked.get("from", "")) or prop.gaming_day
    return GetReportRequest(
        name=name,
        from_day=first,
        until_day=read_day("until", asked.get("until", "")) or first,
        table_id=asked.get("table", "").strip()[:80],
        preset=asked.get("preset", "")[:20],
    )


async def _report(request: Request, asked: GetReportRequest) -> Report:
    services = services_of(request)
    answer = await services.clients.books.GetReport(
        asked, metadata=services.clients.metadata_for(user_of(request))
    )
    return answer.report


async def _kinds(request: Request) -> list[ReportKind]:
    services = services_of(request)
    answer = await services.clients.books.ListReports(
        ListReportsRequest(), metadata=services.clients.metadata_for(user_of(request))
    )
    return list(answer.reports)


def _file(content: bytes, kind: str, asked: GetReportRequest, ending: str) -> Response:
    days = (
        asked.from_day
        if asked.until_day == asked.from_day
        else f"{asked.from_day}_{asked.until_day}"
    )
    name = f"{asked.name}_{days}.{ending}"
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
