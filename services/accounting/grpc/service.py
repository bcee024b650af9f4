"""The gRPC service: dispatches each call to its query or command."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

from accounting.config import Settings
from accounting.grpc.access import author, check_may_keep_books, check_may_record, peer
from accounting.grpc.cage_commands import CageCommands
from accounting.grpc.commands import Commands, Submitter
from accounting.grpc.count_import import import_counts
from accounting.grpc.day_close import DayClose
from accounting.grpc.promotion_commands import PromotionCommands
from accounting.grpc.promotions import (
    expire_coupons,
    get_coupon,
    list_promotions,
    record_promotion,
)
from accounting.grpc.queries import Queries
from accounting.grpc.rejections import find_rejections
from accounting.grpc.status import LedgerStatus
from accounting.grpc.text_limits import check_texts
from accounting.postgres.rebuild import rebuild
from casino.accounting.v1 import service_pb2 as pb
from casino.accounting.v1.service_pb2_grpc import (
    AccountingServiceServicer,
    add_AccountingServiceServicer_to_server,
)
from runtime.database.query import Database
from runtime.rpc.server import Servicer

SERVICE: Final = "casino.accounting.v1.AccountingService"
Context = grpc.aio.ServicerContext[Any, Any]


class Accounting(AccountingServiceServicer):
    """The RPCs of accounting."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        *,
        commands: Commands,
        queries: Queries,
        day_close: DayClose,
        status: LedgerStatus,
    ) -> None:
        self._settings = settings
        self._database = database
        self._commands = commands
        self._queries = queries
        self._day_close = day_close
        self._status = status
        begin_on = settings.books_begin_on
        self._cage = CageCommands(settings.calendar, begin_on=begin_on)
        self._promotions = PromotionCommands(settings.calendar, begin_on=begin_on)

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_AccountingServiceServicer_to_server(self, to))

    async def GetReport(  # noqa: N802
        self, request: pb.GetReportRequest, context: Context
    ) -> pb.GetReportResponse:
        del context
        check_texts(request)
        return await self._queries.get_report(request)

    async def ListReports(  # noqa: N802
        self, request: pb.ListReportsRequest, context: Context
    ) -> pb.ListReportsResponse:
        del context
        return await self._queries.list_reports(request)

    async def Explain(  # noqa: N802
        self, request: pb.ExplainRequest, context: Context
    ) -> pb.ExplainResponse:
        del context
        return await self._queries.explain(request)

    async def FindEntries(  # noqa: N802
        self, request: pb.FindEntriesRequest, context: Context
    ) -> pb.FindEntriesResponse:
        del context
        check_texts(request)
        return await self._queries.find_entries(request)

    async def GetBalances(  # noqa: N802
        self, request: pb.GetBalancesRequest, context: Context
    ) -> pb.GetBalancesResponse:
        del context
        check_texts(request)
        return await self._queries.get_balances(request)

    async def Record(  # noqa: N802
        self, request: pb.RecordRequest, context: Context
    ) -> pb.RecordResponse:
        del context
        check_may_record(request.event.WhichOneof("fact") or "")
        posted = await self._commands.enter(self._cage, request.event, _by())
        return pb.RecordResponse(event=posted.event, entry=posted.entry, remarks=posted.remarks)

    async def RecordPromotion(  # noqa: N802
        self, request: pb.RecordPromotionRequest, context: Context
    ) -> pb.RecordPromotionResponse:
        del context
        check_may_keep_books()
        return await record_promotion(self._commands, self._promotions, request.event, _by())

    async def ImportCounts(  # noqa: N802
        self, request: pb.ImportCountsRequest, context: Context
    ) -> pb.ImportCountsResponse:
        del context
        check_may_record("drop_counted")
        check_texts(request)
        return await import_counts(self._commands, self._cage, request, _by())

    async def ExpireCoupons(  # noqa: N802
        self, request: pb.ExpireCouponsRequest, context: Context
    ) -> pb.ExpireCouponsResponse:
        del context
        check_may_keep_books()
        return await expire_coupons(
            self._database, self._commands, self._promotions, request, _by()
        )

    async def CloseDay(  # noqa: N802
        self, request: pb.CloseDayRequest, context: Context
    ) -> pb.CloseDayResponse:
        del context
        check_may_keep_books()
        check_texts(request)
        override = request.override if request.HasField("override") else None
        return pb.CloseDayResponse(
            day=await self._day_close.close(request.gaming_day, override, _by())
        )

    async def GetDay(  # noqa: N802
        self, request: pb.GetDayRequest, context: Context
    ) -> pb.GetDayResponse:
        del context
        check_texts(request)
        return pb.GetDayResponse(day=await self._day_close.get(request.gaming_day))

    async def GetStatus(  # noqa: N802
        self, request: pb.GetStatusRequest, context: Context
    ) -> pb.GetStatusResponse:
        del request, context
        return await self._status.get()

    async def FindRefusals(  # noqa: N802
        self, request: pb.FindRefusalsRequest, context: Context
    ) -> pb.FindRefusalsResponse:
        del context
        check_texts(request)
        return await find_rejections(self._database, request)

    async def GetCoupon(  # noqa: N802
        self, request: pb.GetCouponRequest, context: Context
    ) -> pb.GetCouponResponse:
        del context
        check_texts(request)
        return await get_coupon(self._database, request.serial)

    async def ListPromotions(  # noqa: N802
        self, request: pb.ListPromotionsRequest, context: Context
    ) -> pb.ListPromotionsResponse:
        del request, context
        return await list_promotions(self._database)

    def Rebuild(  # noqa: N802
        self, request: pb.RebuildRequest, context: Context
    ) -> AsyncIterator[pb.RebuildResponse]:
        del request, context
        return rebuild(self._settings, self._status)


def _by() -> Submitter:
    return Submitter(author(), peer())
