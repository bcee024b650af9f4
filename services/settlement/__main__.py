"""The process: `python -m settlement`."""

from __future__ import annotations

from runtime.kafka.workers import exactly_once
from runtime.service import Service, open_door
from settlement.config import Settings
from settlement.figures import Figures
from settlement.worker import Worker, source_of
from wire import topics

KAFKA = "kafka"
OUTPUTS = (topics.SETTLED_ROUNDS, topics.FINDINGS, topics.TABLE_SNAPSHOTS, topics.DEAD_LETTERS)


async def main(settings: Settings, service: Service) -> None:
    worker = Worker(
        settings.brokers,
        refold_max=settings.refold_max,
        prefix=settings.topic_prefix,
        ready=lambda: service.health.met(KAFKA),
        figures=Figures(service.metrics),
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
    )
    await service.run([loop.part()])


if __name__ == "__main__":
    open_door("settlement", Settings, main, conditions=[KAFKA])
