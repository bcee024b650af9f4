"""Clients of the services: each call carries a short-lived token of the signed-in user.

The token names the user and the roles. The called service checks it, so a page can never show or
do more than its user may, even if the page were wrong.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from casino.accounting.v1.service_pb2_grpc import AccountingServiceStub
from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceStub
from casino.operations.v1.readers_pb2_grpc import ReaderServiceStub
from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceStub
from console.users.user import User
from runtime.addresses import Address
from runtime.identity.tokens import LIFETIME_MAX, TokenIssuer
from runtime.rpc.access import bearer
from runtime.rpc.links import Links

if TYPE_CHECKING:
    from casino.accounting.v1.service_pb2_grpc import AccountingServiceAsyncStub
    from casino.gateway.v1.gateway_pb2_grpc import TableGatewayServiceAsyncStub
    from casino.operations.v1.readers_pb2_grpc import ReaderServiceAsyncStub
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

ISSUER: Final = "console"
ROUND_ARCHIVE: Final = "round_archive"
ACCOUNTING: Final = "accounting"
ALERT_DESK: Final = "alert_desk"
TABLE_GATEWAY: Final = "table_gateway"
READER_SERVICES: Final = (TABLE_GATEWAY, ROUND_ARCHIVE, ALERT_DESK, ACCOUNTING)
"""In the order in which a fact passes through them."""
REPEATABLE: Final = (
    "casino.settlement.v1.SettlementService",
    "casino.operations.v1.ReaderService",
    *(
        f"casino.accounting.v1.AccountingService/{method}"
        for method in (
            "GetReport", "ListReports", "Explain", "FindEntries", "GetBalances", "GetDay",
            "GetStatus", "FindRefusals", "GetCoupon", "ListPromotions",
        )
    ),
    *(
        f"casino.surveillance.v1.SurveillanceService/{method}"
        for method in ("ListAlerts", "GetAlert", "ListCases", "GetCase", "GetStatus")
    ),
)  # fmt: skip
"""Calls that change nothing and may be repeated if a response is lost."""
CALL_LIFETIME: Final = timedelta(minutes=2)


class ServiceClients:
    """Stubs of all services, over shared channels."""

    def __init__(
        self,
        links: Links,
        issuer: TokenIssuer,
        *,
        round_archive: Address,
        accounting: Address,
        alert_desk: Address,
        table_gateway: Address,
    ) -> None:
        self._links = links
        self._issuer = issuer
        self._round_archive = round_archive
        self._accounting = accounting
        self._alert_desk = alert_desk
        self._table_gateway = table_gateway
        addresses = (table_gateway, round_archive, alert_desk, accounting)
        self._addresses = dict(zip(READER_SERVICES, addresses, strict=True))

    @property
    def rounds(self) -> SettlementServiceAsyncStub:
        stub: Any = SettlementServiceStub(self._links.to(ROUND_ARCHIVE, self._round_archive))
        return stub  # type: ignore[no-any-return]

    @property
    def books(self) -> AccountingServiceAsyncStub:
        stub: Any = AccountingServiceStub(self._links.to(ACCOUNTING, self._accounting))
        return stub  # type: ignore[no-any-return]

    @property
    def alerts(self) -> SurveillanceServiceAsyncStub:
        stub: Any = SurveillanceServiceStub(self._links.to(ALERT_DESK, self._alert_desk))
        return stub  # type: ignore[no-any-return]

    def readers(self, service: str) -> ReaderServiceAsyncStub:
        """The client for the lag of a service in `READER_SERVICES`."""
        stub: Any = ReaderServiceStub(self._links.to(service, self._addresses[service]))
        return stub  # type: ignore[no-any-return]

    @property
    def tables(self) -> TableGatewayServiceAsyncStub:
        stub: Any = TableGatewayServiceStub(self._links.to(TABLE_GATEWAY, self._table_gateway))
        return stub  # type: ignore[no-any-return]

    def metadata_for(
        self, user: User, *, lifetime: timedelta = CALL_LIFETIME
    ) -> tuple[tuple[str, str], ...]:
        """The metadata of a call for this user."""
        roles = frozenset(str(role) for role in user.roles)
        lifetime = min(lifetime, LIFETIME_MAX)
        token = self._issuer.issue(user.name, roles, now=datetime.now(UTC), lifetime=lifetime)
        return (bearer(token),)
