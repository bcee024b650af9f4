"""The process: `python -m surveillance`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from confluent_kafka import Message

from blackjack.rulebook.rule_set import FILED, Catalogue
from operations.readers import surveillance_readers
from runtime import logs
from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.exactly_once import BatchLimits
from runtime.kafka.lag import LagMonitor
from runtime.kafka.log_guard import LogGuard
from runtime.kafka.log_identity import TopicReader
from runtime.kafka.producer import AcknowledgedProducer
from runtime.kafka.records import key_and_value
from runtime.kafka.worker_identity import exactly_once
from runtime.process import ServicePart, Stop
from runtime.service import ServiceContext, run_service
from surveillance.config import Settings
from surveillance.kafka.decoding import Reading
from surveillance.kafka.detection import Watching
from surveillance.kafka.faust_app import GROUP, SIEVE, make_app
from surveillance.kafka.fencing import Fences, states_configuration, states_of
from surveillance.kafka.followed_topics import Followed
from surveillance.kafka.inbox import Inbox
from surveillance.kafka.pace import Pace
from surveillance.kafka.rebuild_completion import Ending
from surveillance.kafka.recovery import recovery_of
from surveillance.kafka.routing import Sorting
from surveillance.kafka.settings_topic import Known, learn
from surveillance.kafka.silence_clock import Listening
from surveillance.kafka.startup_gate import Gate
from surveillance.kafka.state_folders import folder_of
from surveillance.kafka.states import States
from surveillance.kafka.table_event_filter import GATHER_SECONDS, Sieve
from surveillance.kafka.transport import Consumer
from surveillance.kafka.worker import KAFKA, Worker
from surveillance.kafka.writer import Writer
from surveillance.metrics import Figures
from wire import topics
from wire.catalogue import with_definitions

DEFINITIONS = (topics.CATALOGUE, topics.SURVEILLANCE_DEFINITIONS)
OFFICES = (topics.PROMOTION_EVENTS, topics.CAGE_EVENTS, topics.SURVEILLANCE_SETTINGS)
SAID = (topics.FINDINGS, topics.SETTLED_ROUNDS)
EXPIRING = (topics.DEAD_LETTERS, topics.SURVEILLANCE_SIGHTINGS)
GUARDED = (
    topics.TABLE_EVENTS,
    *SAID,
    *OFFICES,
    *DEFINITIONS,
    *EXPIRING,
    topics.SURVEILLANCE_STATES,
)
"""Also those of its own: states without the sightings they were made from, or the other way round,
are wrong."""
READER = TopicReader(
    GROUP,
    "stop surveillance, run `python -m surveillance.kafka.rebuild --author NAME --reason TEXT`,"
    " which forgets everything that was watched, and start it: alerts whose evidence no topic has"
    " any more are withdrawn",
)
_log = logs.logger(__name__)


async def main(settings: Settings, service: ServiceContext) -> None:
    prefix, brokers, calendar = settings.topic_prefix, settings.brokers, settings.calendar
    figures, pace = Figures(service.metrics), Pace()
    guard = LogGuard(
        brokers,
        READER,
        topics=[prefix + each for each in GUARDED],
        marks_topic=prefix + topics.READ_LOGS,
        report=lambda reason: service.health.not_met(KAFKA, reason),
        expiring=[prefix + each for each in EXPIRING],
    )
    if not await asyncio.to_thread(guard.wait, service.stop):
        return
    catalogue = await asyncio.to_thread(
        Followed[Catalogue], brokers, [prefix + each for each in DEFINITIONS], _learn, FILED
    )
    changes = await asyncio.to_thread(
        Followed[Known], brokers, [prefix + topics.SURVEILLANCE_SETTINGS], learn, Known()
    )
    generation = changes.now().generation
    producer = AcknowledgedProducer(lambda: make_producer(producer_configuration(brokers)))
    writer = Writer(producer)
    fences = Fences(lambda partition: make_producer(states_configuration(settings, partition)))
    app = make_app(settings, folder=await asyncio.to_thread(_folder, settings))

    def day_of(at: int) -> str:
        return calendar.day_of(at).isoformat()

    states = States(app, fences)
    watching = Watching(
        states,
        writer,
        lambda: changes.now().settings,
        figures,
        generation=generation,
        prefix=prefix,
    )
    sightings = Inbox(app, prefix + topics.SURVEILLANCE_SIGHTINGS, watching.tell, watching.keep)
    inboxes = [sightings]
    for topic, read in Reading(catalogue.now).by_topic.items():
        sorting = Sorting(
            topic,
            read,
            writer,
            day_of,
            figures,
            pace,
            prefix=prefix,
            is_full=lambda: sightings.is_full,
        )
        inboxes.append(Inbox(app, prefix + topic, sorting.tell, sorting.keep))
    worker = Worker(
        app,
        inboxes,
        service.health,
        figures,
        shared=[prefix + each for each in (topics.SURVEILLANCE_SIGHTINGS, *SAID)],
        recovery_seconds_max=settings.recovery_seconds_max,
        guard=guard,
    )
    held = frozenset(prefix + each for each in SAID)
    consumer = cast(Consumer, app.consumer)
    consumer.held = held
    consumer.take = lambda assigned: fences.take(states_of(assigned, prefix))
    recovery_of(app).brokers = brokers
    gate = Gate(
        brokers,
        group=prefix + GROUP,
        topics=tuple(prefix + each for each in OFFICES),
        opens=lambda: setattr(consumer, "held", frozenset()),
    )
    sieve = Sieve(
        brokers,
        day_of,
        figures,
        None if settings.simulated_time else Listening(),
        pace,
        prefix=prefix,
        ready=lambda: service.health.met(SIEVE),
    )
    loop = exactly_once(
        settings,
        topics=[prefix + topics.TABLE_EVENTS],
        transform=sieve,
        metrics=service.metrics,
        limits=BatchLimits(settings.batch_messages_max, linger_seconds=GATHER_SECONDS),
        group=f"{prefix}{GROUP}-{SIEVE}",
        idle=sieve.idle,
        guard=guard,
    )

    ending = Ending(
        brokers,
        writer,
        generation=generation,
        read_by={
            f"{prefix}{GROUP}-{SIEVE}": [prefix + topics.TABLE_EVENTS],
            prefix + GROUP: [prefix + each for each in (*OFFICES, *SAID, topics.DEAD_LETTERS)],
        },
        watched_by=prefix + GROUP,
        sightings=prefix + topics.SURVEILLANCE_SIGHTINGS,
        alerts=prefix + topics.ALERTS,
    )

    lag = LagMonitor(brokers, service.metrics, surveillance_readers(prefix))

    def sift(stop: Stop) -> None:
        if gate.wait(stop):
            loop.run(stop)

    try:
        work = [worker.part(), gate.part(), ServicePart(SIEVE, sift), ending.part()]
        await service.run([lag.part(), producer.part(), guard.part(), *work])
    finally:
        fences.close()


def _folder(settings: Settings) -> Path | None:
    if settings.state_folder is None:
        return None
    changelog = settings.topic_prefix + topics.SURVEILLANCE_STATES
    return folder_of(settings.brokers, changelog, settings.state_folder)


def _learn(known: Catalogue, messages: Iterable[Message]) -> Catalogue:
    return with_definitions(known, map(key_and_value, messages), _tell_refused)


def _tell_refused(key: bytes, reason: str) -> None:
    _log.warning("definition refused", key=repr(key), reason=reason)


if __name__ == "__main__":
    run_service("surveillance", Settings, main, conditions=[KAFKA, SIEVE])
