"""The console as a process: `python -m console`."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from console.config import Settings
from console.grpc.alert_feeds import AlertFeeds
from console.grpc.clients import ISSUER, REPEATABLE, ServiceClients
from console.grpc.floor import LiveFloor
from console.grpc.lag import LagWarning
from console.grpc.property_status import PropertyStatus
from console.postgres.user_store import UserStore
from console.users.sign_in import FIRST, SignInLimits, SignInService
from console.web.app import make_app
from console.web.assets import Assets
from console.web.cookies import Cookies
from console.web.display import drawings, filters, names
from console.web.pages import ROUTES
from console.web.server import WebServer
from console.web.services import ConsoleServices
from console.web.template_engine import Templates
from runtime import logs
from runtime.database.migrations import migrate, migrations_of
from runtime.database.pools import open_pool
from runtime.database.readiness import DATABASE, StoreReadiness
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.identity.tokens import TokenIssuer, open_token_issuer, read_token_issuer
from runtime.process import ServicePart, Stop
from runtime.rpc.links import Links
from runtime.service import ServiceContext, run_service

NAME = "console"
ANSWER_SECONDS_MAX = 30.0
"""The deadline of calls for a page: reports over a month are slow."""
_log = logs.logger(__name__)


async def main(settings: Settings, service: ServiceContext) -> None:
    credentials = Credentials.of(Name("service", NAME), settings)
    await asyncio.to_thread(migrate, NAME, settings, migrations_of(NAME))
    async with (
        open_pool(NAME, settings) as pool,
        Links(
            credentials,
            repeatable=REPEATABLE,
            deadline_seconds=ANSWER_SECONDS_MAX,
            waits=False,
        ) as links,
    ):
        # Without the database, sign-in is impossible.
        store_readiness = StoreReadiness(NAME, settings, service.health)
        store = UserStore(pool)
        sign_in = SignInService(store, sign_in_limits(settings))
        await print_first_password(sign_in)
        clients = ServiceClients(
            links,
            token_issuer(settings),
            round_archive=settings.round_archive_address,
            accounting=settings.accounting_address,
            alert_desk=settings.alert_desk_address,
            table_gateway=settings.table_gateway_address,
        )
        assets = Assets(drawings())
        property_status = PropertyStatus(clients)
        templates = Templates({"asset": assets.url, **names()}, filters())
        feeds = AlertFeeds(clients, templates, property_status)
        live_pages = service.metrics.gauge("live_pages", "Open pages with a live feed.")
        floor = LiveFloor(clients, property_status, templates)
        live_pages.set_function(lambda: feeds.pages + floor.feed.pages)
        services = ConsoleServices(
            origin=settings.origin,
            clients=clients,
            sign_in=sign_in,
            store=store,
            property_status=property_status,
            lag=LagWarning(clients),
            alerts=feeds,
            floor=floor,
            cookies=Cookies(settings.is_secure),
            assets=assets,
            templates=templates,
        )
        app = make_app(services, ROUTES, service.metrics, is_secure=settings.is_secure)
        server = WebServer(app, settings.web_address, proxies=settings.web_proxies)
        expiry = service.metrics.gauge(
            "certificate_expiry_timestamp_seconds", "Expiry of the certificate."
        )
        expiry.set_function(lambda: credentials.expires_at.timestamp())
        _log.info("pages", address=settings.origin)

        async def end_streams(stop: Stop) -> None:
            """Close live streams first: they stay open for hours."""
            await stop.wait()
            feeds.end()
            floor.feed.end()

        await service.run(
            [
                credentials.part(),
                store_readiness.part(),
                server.part(),
                ServicePart("streams", end_streams),
            ]
        )


def sign_in_limits(settings: Settings) -> SignInLimits:
    return SignInLimits(
        idle=timedelta(seconds=settings.session_idle_seconds_max),
        session=timedelta(seconds=settings.session_seconds_max),
        failures_max=settings.sign_in_failures_max,
        failures_within=timedelta(seconds=settings.sign_in_failure_seconds),
    )


def token_issuer(settings: Settings) -> TokenIssuer:
    if settings.people_signing_key is not None:
        return read_token_issuer(settings.people_signing_key, issuer=ISSUER)
    assert settings.authority_folder is not None  # as the settings were checked
    return open_token_issuer(settings.authority_folder, issuer=ISSUER)


async def print_first_password(sign_in: SignInService) -> None:
    """Print the one-time password of the first administrator, once, at the first start."""
    password = await sign_in.create_first_administrator()
    if password is not None:
        print(
            f"first start: sign in as {FIRST} with the one-time password {password}\n"
            "it is shown only once; choose a new password at the first sign-in",
            flush=True,
        )


if __name__ == "__main__":
    run_service(NAME, Settings, main, conditions=[DATABASE])
