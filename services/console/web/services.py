"""What every page is given: the services behind, people, templates, the clock of the house."""

from __future__ import annotations

from dataclasses import dataclass

from console.grpc.alert_feeds import AlertFeeds
from console.grpc.clients import Asking
from console.grpc.floor import Floor
from console.grpc.house import Houses
from console.grpc.lag import LagWarning
from console.postgres.user_store import Store
from console.users.sign_in import Door
from console.web.assets import Assets
from console.web.cookies import Cookies
from console.web.rendering import Templates


@dataclass(frozen=True, slots=True)
class Desk:
    origin: str
    asking: Asking
    door: Door
    store: Store
    houses: Houses
    lag: LagWarning
    alerts: AlertFeeds
    floor: Floor
    cookies: Cookies
    assets: Assets
    templates: Templates
