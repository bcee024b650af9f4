"""How the services stand: how far each is, and what was set aside, with its reason."""

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
from casino.accounting.v1.service_pb2 import GetStatusRequest as AskBooks
from casino.accounting.v1.service_pb2 import (
    GetStatusResponse as BooksStatus,
)
from casino.settlement.v1.finding_pb2 import Level as WireLevel
from casino.settlement.v1.service_pb2 import (
    FindDeadLettersRequest,
    FindDeadLettersResponse,
    GetStatusRequest,
    GetStatusResponse,
    RetryWay,
)
from casino.surveillance.v1.service_pb2 import GetStatusRequest as AskDesk
from casino.surveillance.v1.service_pb2 import GetStatusResponse as DeskStatus
from console.grpc.lag import furthest, list_readers
from console.users.roles import MANAGE_BOOKS, SEE_SYSTEM, WORK_ALERTS
from console.web.display.labels import counted
from console.web.guard import read_route, services_of, user_of
from console.web.page import render_page

SHOWN: Final = 30
WAYS: Final = {
    RetryWay.RETRY_WAY_TABLE_GATEWAY: (WORK_ALERTS, "surveillance can have it judged again"),
    RetryWay.RETRY_WAY_ACCOUNTING: (MANAGE_BOOKS, "accounting can enter it again"),
}
"""Who may ask for it, and what others are told."""
SECONDS_MAX: Final = 5.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One service, in a line."""

    name: str
    does: str
    state: str
    """good, wait or bad"""
    words: str
    lag: int | None = None


async def system_page(request: Request) -> Response:
    return await system(request)


async def system(
    request: Request, *, said: str = "", wrong: str = "", status: int = 200
) -> Response:
    services, user = services_of(request), user_of(request)
    metadata = services.clients.metadata_for(user)
    rounds, books, alerts = services.clients.rounds, services.clients.books, services.clients.alerts
    page, refused_page = (request.query_params.get(each, "") for each in ("page", "refusals"))
    archive, ledger, worked, letters, refusals, (readers, unknown) = await asyncio.gather(
        _answer(rounds.GetStatus(GetStatusRequest(), metadata=metadata, timeout=SECONDS_MAX)),
        _answer(books.GetStatus(AskBooks(), metadata=metadata, timeout=SECONDS_MAX)),
        _answer(alerts.GetStatus(AskDesk(), metadata=metadata, timeout=SECONDS_MAX)),
        _answer(
            rounds.FindDeadLetters(
                FindDeadLettersRequest(page_size=SHOWN, page_token=page),
                metadata=metadata,
                timeout=SECONDS_MAX,
            )
        ),
        _answer(
            books.FindRefusals(
                FindRefusalsRequest(page_size=SHOWN, page_token=refused_page),
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
        readers=furthest(readers),
        readers_unknown=unknown,
        archive=archive,
        last_event_at=_when(archive),
        kinds=_kinds(archive),
        letters=letters if isinstance(letters, FindDeadLettersResponse) else None,
        refusals=refusals if isinstance(refusals, FindRefusalsResponse) else None,
        ways={number: words for number, (roles, words) in WAYS.items()},
        may_retry={number: user.may(roles) for number, (roles, _) in WAYS.items()},
        said=said,
        wrong=wrong,
    )


def service_statuses(
    archive: GetStatusResponse | None, ledger: BooksStatus | None, worked: DeskStatus | None
) -> list[ServiceStatus]:
    """In the order in which a fact passes through them."""
    unknown = "not known while the archive does not answer"
    settles, keeps = "rounds and findings from the log", "answers about rounds"
    if archive is None:
        first = [
            ServiceStatus("settlement", settles, "wait", unknown),
            ServiceStatus("round archive", keeps, "bad", "does not answer"),
        ]
    else:
        index = "is being made anew" if archive.rebuilding else _behind(archive.index_lag)
        first = [
            ServiceStatus(
                "settlement", settles, _state(archive.settlement_lag),
                _behind(archive.settlement_lag), archive.settlement_lag,
            ),
            ServiceStatus(
                "round archive", keeps, "wait" if archive.rebuilding else _state(archive.index_lag),
                index, archive.index_lag,
            ),
        ]  # fmt: skip
    return [
        *first,
        _service_status("alert desk", "alerts, cases and settings", worked),
        _service_status("accounting", "the ledger and the gaming day", ledger),
    ]


def _service_status(name: str, does: str, status: BooksStatus | DeskStatus | None) -> ServiceStatus:
    if status is None:
        return ServiceStatus(name, does, "bad", "does not answer")
    return ServiceStatus(name, does, _state(status.lag), _behind(status.lag), status.lag)


def _state(lag: int) -> str:
    return "wait" if lag else "good"


def _behind(lag: int) -> str:
    return f"{counted(lag, 'message')} behind" if lag else "has read all there is"


def _when(archive: GetStatusResponse | None) -> datetime | None:
    known = archive is not None and archive.HasField("last_event_at")
    return archive.last_event_at.ToDatetime(UTC) if archive is not None and known else None


def _kinds(archive: GetStatusResponse | None) -> list[tuple[str, str, int]]:
    if archive is None:
        return []
    return [
        (WireLevel.Name(each.level).removeprefix("LEVEL_"), each.kind, each.count)
        for each in archive.findings
    ]


async def _answer(call: Awaitable[T]) -> T | None:
    """What the service says, or nothing where it is away: this page is there to tell that."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            return None
        raise


ROUTES: Final = (read_route(SEE_SYSTEM, "/system", system_page),)
