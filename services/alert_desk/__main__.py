"""The alert desk as a process: `python -m alert_desk`."""

from __future__ import annotations

import asyncio
import time

from alert_desk.config import Settings
from alert_desk.delivery.queue import DeliveryQueue
from alert_desk.delivery.sender import WebhookSender
from alert_desk.grpc.access import POLICY
from alert_desk.grpc.alert_commands import AlertCommands
from alert_desk.grpc.alert_queries import AlertQueries
from alert_desk.grpc.alert_stream import AlertStream
from alert_desk.grpc.case_commands import CaseCommands
from alert_desk.grpc.case_queries import CaseQueries
from alert_desk.grpc.errors import STATUS_CODES
from alert_desk.grpc.replay_client import ReplayClient
from alert_desk.grpc.service import AlertDeskHandlers, AlertDeskServicer
from alert_desk.grpc.setting_commands import SettingCommands
from alert_desk.grpc.setting_queries import SettingQueries
from alert_desk.grpc.status import AlertDeskStatus
from alert_desk.grpc.video_retention import VideoRetention
from alert_desk.grpc.webhook_commands import WebhookCommands
from alert_desk.kafka.lag_alert import LagAlert
from alert_desk.kafka.projection import CONSUMER, AlertProjection
from alert_desk.postgres.audit_log import AuditLog
from operations import reader_service
from operations.readers import surveillance_readers
from runtime.database.migrations import migrate, migrations_of
from runtime.database.pools import AsyncPool, open_pool
from runtime.database.query import Database
from runtime.database.readiness import DATABASE, StoreReadiness
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.end_offsets import EndOffsets
from runtime.kafka.lag import LagMonitor
from runtime.kafka.producer import AcknowledgedProducer
from runtime.kafka.rejections import Rejections
from runtime.process import ServicePart, Stop
from runtime.projector import KAFKA, Projector
from runtime.rpc.links import Links
from runtime.rpc.server import RpcServer
from runtime.service import ServiceContext, run_service
from wire import topics
from wire.dead_letters import dead_letter

NAME = "alert_desk"
ACCEPT = (
    "run `pitctl alerts rebuild`, which empties the tables of alerts and settings and fills them"
    " from the topics that are there: alerts and settings that no topic has any more are deleted;"
    " the audit log and the cases stay"
)
REPEATABLE = ("casino.settlement.v1.SettlementService",)
"""Calls to these services change nothing there, and may be repeated."""


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def make_handlers(
    settings: Settings,
    service: ServiceContext,
    *,
    pool: AsyncPool,
    links: Links,
    producer: AcknowledgedProducer,
    sender: WebhookSender,
) -> AlertDeskHandlers:
    database = Database(pool)
    journal = AuditLog(pool, now)
    video = VideoRetention(settings.calendar)
    alerts = AlertQueries(database, video)
    reading = CaseQueries(database, journal, alerts, now)
    ends = EndOffsets(settings.brokers, prefix=settings.topic_prefix)
    watches = service.metrics.gauge("watches", "Watches under way.")
    return AlertDeskHandlers(
        pool=pool,
        prefix=settings.topic_prefix,
        alerts=alerts,
        journal=journal,
        working=AlertCommands(journal, alerts),
        cases=CaseCommands(journal, alerts, reading, calendar=settings.calendar, video=video),
        case_reading=reading,
        changes=SettingCommands(settings, journal, producer, ends),
        settings=SettingQueries(database, now),
        webhooks=WebhookCommands(database, journal, sender, now, hosts=settings.webhook_hosts),
        watching=AlertStream(
            settings.brokers,
            journal,
            prefix=settings.topic_prefix,
            watches_max=settings.watches_max,
            quiet_seconds=settings.watch_quiet_seconds,
            count=watches.set,
        ),
        replaying=ReplayClient(links, settings.round_archive_address),
        status=AlertDeskStatus(settings, database, ends, alerts, now),
    )


async def main(settings: Settings, service: ServiceContext) -> None:
    credentials = Credentials.of(Name("service", NAME), settings)
    await asyncio.to_thread(migrate, NAME, settings, migrations_of(NAME))
    rejections = Rejections(
        settings.brokers, settings.topic_prefix + topics.DEAD_LETTERS, dead_letter
    )
    tables = AlertProjection(
        service.metrics,
        now,
        prefix=settings.topic_prefix,
        fresh_seconds=settings.webhook_fresh_seconds,
        simulated_time=settings.simulated_time,
        rejections=rejections,
    )
    store = StoreReadiness(NAME, settings, service.health)
    projector = Projector(
        settings.brokers,
        settings,
        service.health,
        store,
        service.metrics,
        tables,
        service=NAME,
        consumer=CONSUMER,
        topics=tables.topics,
        rejections=rejections,
        code="not_listed",
        keyed=tables.keyed,
        accept=ACCEPT,
        batch_messages_max=settings.alert_batch_messages_max,
    )
    readers = [*surveillance_readers(settings.topic_prefix), projector.reader()]
    lag = LagMonitor(settings.brokers, service.metrics, readers)
    producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(settings.brokers)))
    async with (
        open_pool(NAME, settings) as pool,
        Links(credentials, repeatable=REPEATABLE) as links,
        WebhookSender(settings.webhook_seconds_max) as sender,
    ):
        desk = make_handlers(
            settings, service, pool=pool, links=links, producer=producer, sender=sender
        )

        async def end_watches(stop: Stop) -> None:
            """Watches stay open for days: at a stop they end and are resumed elsewhere."""
            await stop.wait()
            desk.watching.stop()

        lag_alert = LagAlert(
            lag,
            Database(pool),
            desk.settings,
            producer,
            topic=settings.topic_prefix + topics.ALERTS,
            leads=lambda: projector.leads,
            clock=now,
        )
        listing = reader_service.ReaderService(
            lag, prefix=settings.topic_prefix, late_services=lag_alert.late_services
        )
        server = RpcServer.of(
            settings,
            service,
            credentials,
            [AlertDeskServicer(desk).servicer(), listing.servicer()],
            policy={**POLICY, **reader_service.POLICY},
            codes=STATUS_CODES,
        )
        await service.run(
            [
                credentials.part(),
                producer.part(),
                store.part(),
                projector.part(),
                lag.part(),
                lag_alert.part(),
                DeliveryQueue(pool, sender, settings, service.metrics, now).part(),
                server.part(),
                ServicePart("watches", end_watches),
            ]
        )


if __name__ == "__main__":
    run_service(NAME, Settings, main, conditions=[KAFKA, DATABASE])
