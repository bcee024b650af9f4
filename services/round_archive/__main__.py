"""The round archive as a process: `python -m round_archive`."""

from __future__ import annotations

import asyncio

from operations import reader_service
from operations.readers import settlement_readers
from round_archive.config import Settings
from round_archive.grpc.access import POLICY
from round_archive.grpc.errors import STATUS_CODES
from round_archive.grpc.round_stream import RoundStream
from round_archive.grpc.service import RoundArchiveServicer
from round_archive.grpc.status import ArchiveStatus
from round_archive.kafka.definitions import Definitions
from round_archive.kafka.index_projection import IndexProjection
from round_archive.kafka.round_events import RoundEventReader
from round_archive.postgres.index_writer import CONSUMER
from runtime.database.migrations import migrate, migrations_of
from runtime.database.pools import open_pool
from runtime.database.query import Database
from runtime.database.readiness import DATABASE, StoreReadiness
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.lag import LagMonitor
from runtime.kafka.producer import AcknowledgedProducer
from runtime.kafka.rejections import Rejections
from runtime.process import ServicePart, Stop
from runtime.projector import KAFKA, Projector
from runtime.rpc.server import RpcServer
from runtime.service import ServiceContext, run_service
from wire import topics
from wire.dead_letters import dead_letter

NAME = "round_archive"
ACCEPT = (
    "run `pitctl rebuild`, which empties the index and fills it from the topics that are there:"
    " rounds, findings, dead letters and definitions that no topic has any more are deleted"
)


async def main(settings: Settings, service: ServiceContext) -> None:
    credentials = Credentials.of(Name("service", NAME), settings)
    await asyncio.to_thread(migrate, NAME, settings, migrations_of(NAME))
    index = IndexProjection(service.metrics, prefix=settings.topic_prefix)
    rejections = Rejections(
        settings.brokers, settings.topic_prefix + topics.DEAD_LETTERS, dead_letter
    )
    store = StoreReadiness(NAME, settings, service.health)
    indexer = Projector(
        settings.brokers,
        settings,
        service.health,
        store,
        service.metrics,
        index,
        service=NAME,
        consumer=CONSUMER,
        topics=index.topics,
        rejections=rejections,
        code="not_indexed",
        keyed=index.keyed,
        accept=ACCEPT,
        expiring=[settings.topic_prefix + topics.DEAD_LETTERS],
        batch_messages_max=settings.index_batch_messages_max,
    )
    readers = [*settlement_readers(settings.topic_prefix), indexer.reader()]
    lag = LagMonitor(settings.brokers, service.metrics, readers)
    producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(settings.brokers)))
    definitions = Definitions(settings.brokers, producer, prefix=settings.topic_prefix)
    watches = service.metrics.gauge("watches", "Watches under way.")
    log = RoundEventReader(
        settings.brokers, prefix=settings.topic_prefix, readers_max=settings.replays_max
    )
    async with open_pool(NAME, settings) as pool:
        database = Database(pool)
        watching = RoundStream(
            settings.brokers,
            database,
            prefix=settings.topic_prefix,
            watches_max=settings.watches_max,
            quiet_seconds=settings.watch_quiet_seconds,
            count=watches.set,
        )

        async def end_watches(stop: Stop) -> None:
            """Watches stay open for days: at a stop they end and are resumed elsewhere."""
            await stop.wait()
            watching.stop()

        archive = RoundArchiveServicer(
            pool,
            status=ArchiveStatus(database, settings.brokers, settings.topic_prefix),
            definitions=definitions,
            watching=watching,
            log=log,
            prefix=settings.topic_prefix,
        )
        listing = reader_service.ReaderService(lag, prefix=settings.topic_prefix)
        server = RpcServer.of(
            settings,
            service,
            credentials,
            [archive.servicer(), listing.servicer()],
            policy={**POLICY, **reader_service.POLICY},
            codes=STATUS_CODES,
        )
        await service.run(
            [
                credentials.part(),
                producer.part(),
                definitions.part(),
                store.part(),
                indexer.part(),
                lag.part(),
                server.part(),
                ServicePart("watches", end_watches),
            ]
        )


if __name__ == "__main__":
    run_service(NAME, Settings, main, conditions=[KAFKA, DATABASE])
