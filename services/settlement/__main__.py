"""The process: `python -m settlement`."""

from __future__ import annotations

from operations.readers import settlement_readers
from runtime.kafka.lag import LagMonitor
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import TopicReader
from runtime.kafka.rejections import Rejections
from runtime.kafka.worker_identity import exactly_once
from runtime.service import ServiceContext, run_service
from settlement.config import Settings
from settlement.kafka.worker import SettlementWorker, source_of
from settlement.metrics import SettlementMetrics
from wire import topics
from wire.dead_letters import UNREADABLE, dead_letter

KAFKA = "kafka"
READER = TopicReader(
    "settlement",
    "run `python -m settlement.kafka.rebuild`, which forgets the state of every table and how far"
    " its events are settled: the log that is there is settled from its beginning",
)
OUTPUTS = (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.TABLE_SNAPSHOTS, topics.DEAD_LETTERS)


async def main(settings: Settings, service: ServiceContext) -> None:
    worker = SettlementWorker(
        settings.brokers,
        refold_max=settings.refold_max,
        prefix=settings.topic_prefix,
        ready=lambda: service.health.met(KAFKA),
        metrics=SettlementMetrics(service.metrics),
    )
    rejections = Rejections(settings.brokers, worker.topic(topics.DEAD_LETTERS), dead_letter)
    guard = LogGuard(
        settings.brokers,
        READER,
        topics=[worker.topic(topics.TABLE_EVENTS), worker.topic(topics.CATALOGUE)],
        marks_topic=worker.topic(topics.READ_LOGS),
        report=lambda reason: service.health.not_met(KAFKA, reason),
        reject=lambda message, reason: rejections.write(message, code=UNREADABLE, reason=reason),
    )
    loop = exactly_once(
        settings,
        topics=[worker.topic(topics.TABLE_EVENTS)],
        transform=worker,
        metrics=service.metrics,
        group=settings.topic_prefix + service.name,
        idle=worker.idle,
        outputs=[worker.topic(name) for name in OUTPUTS],
        source_of=source_of,
        guard=guard,
    )
    readers = settlement_readers(settings.topic_prefix)
    lag = LagMonitor(settings.brokers, service.metrics, readers)
    await service.run([lag.part(), guard.part(), loop.part()])


if __name__ == "__main__":
    run_service("settlement", Settings, main, conditions=[KAFKA])
