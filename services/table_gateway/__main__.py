"""The gateway as a process: `python -m table_gateway`."""

from __future__ import annotations

import time

from operations import reader_service
from runtime import logs
from runtime.identity.credentials import Credentials
from runtime.identity.names import Name
from runtime.kafka.configuration import make_consumer, make_producer
from runtime.kafka.lag import LagMonitor, LagReader
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import TopicReader
from runtime.kafka.producer import AcknowledgedProducer
from runtime.process import ServicePart, Stop
from runtime.rpc.server import RpcServer
from runtime.service import ServiceContext, run_service
from table_gateway.config import Settings
from table_gateway.grpc.budget import Budget
from table_gateway.grpc.errors import STATUS_CODES, GatewayStopping
from table_gateway.grpc.ingest_clock import IngestClock
from table_gateway.grpc.service import POLICY, TableGateway
from table_gateway.grpc.sessions import SessionRegistry
from table_gateway.kafka.dead_letters import DeadLetterReader
from table_gateway.kafka.ingest import EventIngest
from table_gateway.kafka.log_reader import LogReader, reader_configuration
from table_gateway.kafka.table_heads import KAFKA, TableHeads
from wire import topics

NAME = "table_gateway"
READER = TopicReader(
    NAME,
    "run `python -m table_gateway.kafka.rebuild`, which deletes the checkpoints of all tables:"
    " controllers send again the events that they still have, and declare the rest as a gap",
)
_log = logs.logger(__name__)


async def main(settings: Settings, service: ServiceContext) -> None:
    if settings.simulated_time:
        _log.warning("senders set ingest times: for simulations, never for real tables")
    credentials = Credentials.of(Name("service", NAME), settings)
    producer = AcknowledgedProducer(lambda: make_producer(settings.producer()))
    guard = LogGuard(
        settings.brokers,
        READER,
        topics=[settings.events_topic],
        marks_topic=settings.topic_prefix + topics.READ_LOGS,
        report=lambda reason: service.health.not_met(KAFKA, reason),
    )
    reader = LogReader(
        lambda: make_consumer(reader_configuration(settings.brokers)),
        guard,
        events_topic=settings.events_topic,
        table_heads_topic=settings.table_heads_topic,
        dead_letters_topic=settings.dead_letters_topic,
    )
    heads = TableHeads(
        reader, producer, service.health, guard, seconds=settings.table_heads_seconds
    )
    ingest = EventIngest(
        producer,
        events_topic=settings.events_topic,
        dead_letters_topic=settings.dead_letters_topic,
        budget=Budget(settings.in_flight_bytes_max),
        batch_bytes_max=settings.batch_bytes_max,
        clock=IngestClock(lambda: time.time_ns() // 1000, simulated=settings.simulated_time),
        metrics=service.metrics,
    )
    sessions = service.metrics.gauge("sessions", "Calls that report for a table.")
    registry = SessionRegistry(ingest, heads, count=sessions.set)
    heads.on_rejected_log = registry.end_calls
    dead_letters = DeadLetterReader(
        lambda: make_consumer(reader_configuration(settings.brokers)),
        topic=settings.dead_letters_topic,
        prefix=settings.topic_prefix,
    )
    gateway = TableGateway(registry, dead_letters, batch_bytes_max=settings.batch_bytes_max)
    lag_reader = LagReader(
        NAME, "table heads", (settings.events_topic,), lambda *_: reader.positions()
    )
    lag = LagMonitor(settings.brokers, service.metrics, [lag_reader])
    listing = reader_service.ReaderService(lag, prefix=settings.topic_prefix)
    server = RpcServer.of(
        settings,
        service,
        credentials,
        [gateway.servicer(), listing.servicer()],
        policy={**POLICY, **reader_service.POLICY},
        codes=STATUS_CODES,
        message_bytes_max=settings.message_bytes_max,
    )

    async def end_calls(stop: Stop) -> None:
        """Streams stay open for days: at a stop they end with the advice to connect again."""
        await stop.wait()
        registry.close(GatewayStopping())

    await service.run(
        [
            credentials.part(),
            producer.part(),
            guard.part(),
            heads.part(),
            lag.part(),
            server.part(),
            ServicePart("calls", end_calls),
        ]
    )


if __name__ == "__main__":
    run_service(NAME, Settings, main, conditions=[KAFKA])
