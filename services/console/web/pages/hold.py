"""The hold of one table over time, with the thresholds of the chosen rule."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from casino.accounting.v1.report_pb2 import Report
from casino.accounting.v1.service_pb2 import GetReportRequest
from console.users.roles import SEE_BOOKS
from console.web.form_fields import read_day
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page

DAYS: Final = 30
PRESETS: Final = ("kansas", "ohio", "maryland")
MILLIONTHS_A_POINT: Final = 10_000
Values = dict[str, str | int | None]


@dataclass(frozen=True, slots=True)
class DailyHold:
    """The hold of one gaming day."""

    day: str
    points: float
    """Percentage points."""
    is_outside: bool


async def hold_page(request: Request) -> Response:
    prop = await services_of(request).property_status.current(user_of(request))
    last = _day(request, "until") or _current(prop.gaming_day)
    first = _day(request, "from") or last - timedelta(days=DAYS - 1)
    filters = {
        name: request.query_params.get(name, "").strip()[:80] for name in ("table", "preset")
    }
    preset = filters["preset"] if filters["preset"] in PRESETS else PRESETS[0]
    days = {"from_day": first.isoformat(), "until_day": last.isoformat()}
    games, variance = await asyncio.gather(
        _rows(request, GetReportRequest(name="master_games", **days)),
        _rows(request, GetReportRequest(name="hold_variance", preset=preset, **days)),
    )
    tables = sorted({str(row["table"]) for row in games})
    table = filters["table"] or (tables[0] if tables else "")
    line = next((row for row in variance if row["table"] == table), {})
    base, threshold = _points(line.get("base")), _points(line.get("threshold"))
    return await render_page(
        request,
        "hold.html",
        first=first.isoformat(),
        last=last.isoformat(),
        table=table,
        tables=tables,
        preset=preset,
        presets=PRESETS,
        base=base,
        threshold=threshold,
        base_is=line.get("base_is") or "",
        days=[
            held for row in games if (held := _daily_hold(row, table, base, threshold)) is not None
        ],
    )


def _daily_hold(
    row: Values, table: str, base: float | None, threshold: float | None
) -> DailyHold | None:
    points = _points(row.get("hold"))
    if row["table"] != table or points is None:
        return None
    outside = base is not None and threshold is not None and abs(points - base) >= threshold
    return DailyHold(str(row["day"]), points, outside)


async def _rows(request: Request, report: GetReportRequest) -> list[Values]:
    services = services_of(request)
    answer = await services.clients.books.GetReport(
        report, metadata=services.clients.metadata_for(user_of(request))
    )
    return [_values(answer.report, at) for at in range(len(answer.report.rows))]


def _values(report: Report, at: int) -> Values:
    found: Values = {}
    for column, cell in zip(report.columns, report.rows[at].cells, strict=True):
        held = cell.WhichOneof("value")
        found[column.key] = None if held is None else cell.number if held == "number" else cell.text
    return found


def _points(share: str | int | None) -> float | None:
    return share / MILLIONTHS_A_POINT if isinstance(share, int) else None


def _current(day: str) -> date:
    return date.fromisoformat(day) if day else date.today()


def _day(request: Request, field: str) -> date | None:
    text = read_day(field, request.query_params.get(field, ""))
    return date.fromisoformat(text) if text else None


ROUTES: Final = (read_route(SEE_BOOKS, "/hold", hold_page),)
