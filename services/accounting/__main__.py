"""Accounting as a process: `python -m accounting`."""

from __future__ import annotations

import asyncio

from accounting.config import Settings
from accounting.posting import CONSUMER, Ledger
from runtime.database.migrations import migrate, migrations_of
from runtime.projecting import DATABASE, KAFKA, Projector
from runtime.service import Service, open_door

NAME = "accounting"


async def main(settings: Settings, service: Service) -> None:
    await asyncio.to_thread(migrate, NAME, settings, migrations_of(NAME))
    ledger = Ledger(settings.calendar, service.metrics, prefix=settings.topic_prefix)
    poster = Projector(
        settings.brokers,
        settings,
        service.health,
        service.metrics,
        ledger,
        service=NAME,
        consumer=CONSUMER,
        topics=ledger.topics,
        batch_messages_max=settings.ledger_batch_messages_max,
    )
    await service.run([poster.part()])


if __name__ == "__main__":
    open_door(NAME, Settings, main, conditions=[KAFKA, DATABASE])
