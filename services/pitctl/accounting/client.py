"""The client of accounting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import grpc

from casino.accounting.v1.service_pb2_grpc import AccountingServiceStub
from pitctl.connection.channel import ServiceClient

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub


def _stub(channel: grpc.aio.Channel) -> AccountingServiceAsyncStub:
    return AccountingServiceStub(channel)


ACCOUNTING: Final = ServiceClient(
    name="accounting",
    noun="accounting service",
    address_setting="ACCOUNTING_ADDRESS",
    stub=_stub,
    commands={
        "GetReport": "report",
        "ListReports": "report --list",
        "Explain": "explain",
        "FindEntries": "journal",
        "GetBalances": "balances",
        "GetDay": "day",
        "CloseDay": "day close",
        "GetCoupon": "coupon show",
        "ListPromotions": "promotion list",
        "ImportCounts": "count --import",
        "ExpireCoupons": "coupon expire",
        "FindRefusals": "ledger rejections",
        "Rebuild": "ledger rebuild",
    },
)
