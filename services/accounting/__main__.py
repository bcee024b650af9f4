"""Accounting as a process: `python -m accounting`."""

from __future__ import annotations

import asyncio

from accounting.config import Settings
from accounting.grpc.access import POLICY
from accounting.grpc.commands import Commands
from accounting.grpc.day_close import DayClose
from accounting.grpc.errors import STATUS_CODES
from accounting.grpc.queries import Queries
from accounting.grpc.service import Accounting
from accounting.grpc.status import LedgerStatus
from accounting.kafka.ledger_projection import CONSUMER, Ledger
from accounting.postgres.theory import TheoryCache
from operations import reader_service
from runtime.database.migrations import migrate, migrations_of
from runtime.database.pools import open_pool
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

NAME = "accounting"
ACCEPT = (
    "run `pitctl ledger rebuild`, which empties the ledger and posts the present topics: entries,"
    " counts and coupons whose facts are no longer in a topic are lost, also those of closed days"
)
REPEATABLE = (
    "casino.settlement.v1.SettlementService",
    "casino.surveillance.v1.SurveillanceService",
)
"""Only read methods of these services are called, so a call may be retried."""


async def main(settings: Settings, service: ServiceContext) -> None:
    credentials = Credentials.of(Name("service", NAME), settings)
    await asyncio.to_thread(migrate, NAME, settings, migrations_of(NAME))
    ledger = Ledger(settings.calendar, service.metrics, prefix=settings.topic_prefix)
    rejections = Rejections(
        settings.brokers, settings.topic_prefix + topics.DEAD_LETTERS, dead_letter
    )
    store = StoreReadiness(NAME, settings, service.health)
    poster = Projector(
        settings.brokers,
        settings,
        service.health,
        store,
        service.metrics,
        ledger,
        service=NAME,
        consumer=CONSUMER,
        topics=ledger.topics,
        rejections=rejections,
        code="not_posted",
        keyed=ledger.keyed,
        accept=ACCEPT,
        batch_messages_max=settings.ledger_batch_messages_max,
    )
    lag = LagMonitor(settings.brokers, service.metrics, [poster.reader()])
    producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(settings.brokers)))
    ends = EndOffsets(settings.brokers, prefix=settings.topic_prefix)
    async with (
        open_pool(NAME, settings) as pool,
        Links(credentials, repeatable=REPEATABLE) as links,
    ):
        database = Database(pool)
        commands = Commands(settings, producer, ends, service.metrics)
        theories = TheoryCache()

        async def anticipate(stop: Stop) -> None:
            await theories.anticipate(pool, stop)

        accounting = Accounting(
            settings,
            database,
            commands=commands,
            queries=Queries(pool, settings, links, theories=theories),
            day_close=DayClose(settings, database, commands, ends, links),
            status=LedgerStatus(settings, database, ends),
        )
        listing = reader_service.ReaderService(lag, prefix=settings.topic_prefix)
        server = RpcServer.of(
            settings,
            service,
            credentials,
            [accounting.servicer(), listing.servicer()],
            policy={**POLICY, **reader_service.POLICY},
            codes=STATUS_CODES,
        )
        await service.run(
            [
                credentials.part(),
                producer.part(),
                store.part(),
                poster.part(),
                lag.part(),
                server.part(),
                ServicePart("theory", anticipate),
            ]
        )


if __name__ == "__main__":
    run_service(NAME, Settings, main, conditions=[KAFKA, DATABASE])
