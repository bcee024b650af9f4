"""Status and lag of the services, dead letters and rejected postings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

import grpc
from starlette.requests import Request
from starlette.responses import Response

from casino.accounting.v1.service_pb2 import (
    FindRefusalsRequest,
    FindRefusalsResponse,
)
from casino.accounting.v1.service_pb2 import GetStatusRequest as BooksStatusRequest
from casino.accounting.v1.service_pb2 import (
    GetStatusResponse as BooksStatus,
)
from casino.settlement.v1.service_pb2 import (
    FindDeadLettersRequest,
    FindDeadLettersResponse,
    GetStatusRequest,
    GetStatusResponse,
    RetryWay,
)
from casino.surveillance.v1.service_pb2 import GetStatusRequest as AlertsStatusRequest
from casino.surveillance.v1.service_pb2 import GetStatusResponse as AlertsStatus
from console.grpc.lag import list_readers, sort_by_lag
from console.users.roles import MANAGE_BOOKS, SEE_SYSTEM, WORK_ALERTS
from console.web.display.labels import plural
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page

PAGE_SIZE: Final = 30
RETRIES: Final = {
    RetryWay.RETRY_WAY_TABLE_GATEWAY: (WORK_ALERTS, "surveillance can retry"),
    RetryWay.RETRY_WAY_ACCOUNTING: (MANAGE_BOOKS, "accounting can enter it again"),
}
"""Roles that may retry, and the hint for other roles."""
SECONDS_MAX: Final = 5.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One service with its status."""

    name: str
    purpose: str
    state: str
    """good, wait or bad"""
    summary: str
    lag: int | None = None


async def system_page(request: Request) -> Response:
    return await system(request)


async def system(
    request: Request, *, message: str = "", wrong: str = "", status: int = 200
) -> Response:
    services, user = services_of(request), user_of(request)
    metadata = services.clients.metadata_for(user)
    rounds, books, alerts = services.clients.rounds, services.clients.books, services.clients.alerts
    page, rejected_page = (request.query_params.get(name, "") for name in ("page", "rejections"))
    archive, ledger, worked, dead_letters, rejections, (readers, unknown) = await asyncio.gather(
        _response_of(rounds.GetStatus(GetStatusRequest(), metadata=metadata, timeout=SECONDS_MAX)),
        _response_of(books.GetStatus(BooksStatusRequest(), metadata=metadata, timeout=SECONDS_MAX)),
        _response_of(
            alerts.GetStatus(AlertsStatusRequest(), metadata=metadata, timeout=SECONDS_MAX)
        ),
        _response_of(
            rounds.FindDeadLetters(
                FindDeadLettersRequest(page_size=PAGE_SIZE, page_token=page),
                metadata=metadata,
                timeout=SECONDS_MAX,
            )
        ),
        _response_of(
            books.FindRefusals(
                FindRefusalsRequest(page_size=PAGE_SIZE, page_token=rejected_page),
                metadata=metadata,
                timeout=SECONDS_MAX,
            )
        ),
        list_readers(services.clients),
    )
    return await render_page(
        request,
        "system.html",
        status=status,
        service_statuses=service_statuses(archive, ledger, worked),
        readers=sort_by_lag(readers),
        readers_unknown=unknown,
        archive=archive,
        last_event_at=_last_event_at(archive),
        dead_letters=dead_letters if isinstance(dead_letters, FindDeadLettersResponse) else None,
        rejections=rejections if isinstance(rejections, FindRefusalsResponse) else None,
        retry_hints={number: hint for number, (_, hint) in RETRIES.items()},
        may_retry={number: user.may(roles) for number, (roles, _) in RETRIES.items()},
        message=message,
        wrong=wrong,
    )


def service_statuses(
    archive: GetStatusResponse | None, ledger: BooksStatus | None, worked: AlertsStatus | None
) -> list[ServiceStatus]:
    """List the services in the order in which a fact passes through them."""
    unknown = "Unknown: the round archive is unavailable"
    settles, keeps = "Settles rounds and reports findings", "Searches and replays rounds"
    if archive is None:
        first = [
            ServiceStatus("Settlement", settles, "wait", unknown),
            ServiceStatus("Round archive", keeps, "bad", "Unavailable"),
        ]
    else:
        index = "Rebuilding" if archive.rebuilding else _behind(archive.index_lag)
        first = [
            ServiceStatus(
                "Settlement", settles, _state(archive.settlement_lag),
                _behind(archive.settlement_lag), archive.settlement_lag,
            ),
            ServiceStatus(
                "Round archive", keeps, "wait" if archive.rebuilding else _state(archive.index_lag),
                index, archive.index_lag,
            ),
        ]  # fmt: skip
    return [
        *first,
        _service_status("Alert desk", "Alerts, cases and settings", worked),
        _service_status("Accounting", "Ledger, gaming day and reports", ledger),
    ]


def _service_status(
    name: str, purpose: str, status: BooksStatus | AlertsStatus | None
) -> ServiceStatus:
    if status is None:
        return ServiceStatus(name, purpose, "bad", "Unavailable")
    return ServiceStatus(name, purpose, _state(status.lag), _behind(status.lag), status.lag)


def _state(lag: int) -> str:
    return "wait" if lag else "good"


def _behind(lag: int) -> str:
    return f"{plural(lag, 'message')} behind" if lag else "Up to date"


def _last_event_at(archive: GetStatusResponse | None) -> datetime | None:
    known = archive is not None and archive.HasField("last_event_at")
    return archive.last_event_at.ToDatetime(UTC) if archive is not None and known else None


async def _response_of(call: Awaitable[T]) -> T | None:
    """The response, or None if the service is unavailable, which this page reports."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            return None
        raise


ROUTES: Final = (read_route(SEE_SYSTEM, "/system", system_page),)
