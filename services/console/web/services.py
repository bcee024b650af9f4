"""Everything a page needs: clients, users, property status, templates."""

from __future__ import annotations

from dataclasses import dataclass

from console.grpc.alert_feeds import AlertFeeds
from console.grpc.clients import ServiceClients
from console.grpc.floor import LiveFloor
from console.grpc.lag import LagWarning
from console.grpc.property_status import PropertyStatus
from console.postgres.user_store import UserStore
from console.users.sign_in import SignInService
from console.web.assets import Assets
from console.web.cookies import Cookies
from console.web.template_engine import Templates


@dataclass(frozen=True, slots=True)
class ConsoleServices:
    origin: str
    clients: ServiceClients
    sign_in: SignInService
    store: UserStore
    property_status: PropertyStatus
    lag: LagWarning
    alerts: AlertFeeds
    floor: LiveFloor
    cookies: Cookies
    assets: Assets
    templates: Templates
