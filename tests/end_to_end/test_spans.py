"""Spans of the real services, as a collector receives them: joined across every Kafka hop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from blackjack.hand_history import parse
from tests.accounting.books import SERVICE
from tests.accounting.house import House as Accounting
from tests.runtime.collector import Collector, Exported, collecting
from tests.stack.broker import Broker
from tests.stack.databases import Databases
from tests.stack.houses import template_of
from tests.stack.service_house import eventually
from tests.surveillance.house import House as Surveillance
from tests.table_gateway.harness import GatewayProcess as Gateway
from tests.table_gateway.harness import frame
from wire import topics

DISPUTE = Path(__file__).parents[2] / "docs" / "hands" / "dispute.bj"
TABLE = "BJ-11"
BEFORE = 8
"""Events that wait in the log for settlement, each of a trace of its own."""
PUBLISH = "publish table-events"


def frames() -> list[bytes]:
    made: list[bytes] = []
    for seq, event in enumerate(parse(DISPUTE.read_text("utf-8")).events, 1):
        made.append(frame(TABLE, seq, event.fact, made[-1] if made else None))
    return made


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as started:
        yield started


@pytest.fixture
def gateway(tmp_path: Path, broker: Broker, collector: Collector) -> Iterator[Gateway]:
    house = Gateway(tmp_path, broker, **collector.environment)
    house.start()
    yield house
    house.kill()


@pytest.fixture
def accounting(
    gateway: Gateway, tmp_path: Path, databases: Databases, collector: Collector
) -> Iterator[None]:
    database = databases.make(template_of(databases, SERVICE))
    house = Accounting(tmp_path, gateway.broker, database, **collector.environment)
    house.start()
    yield
    house.kill()
    databases.drop(database)


def report(gateway: Gateway, *batches: list[bytes]) -> None:
    async def run() -> None:
        async with gateway.open_session(TABLE) as line:
            for batch in batches:
                await line.report(batch)

    asyncio.run(run())


@pytest.mark.usefixtures("accounting")
def test_spans_join_across_every_kafka_hop_and_link_what_is_processed_together(
    gateway: Gateway, collector: Collector, tmp_path: Path
) -> None:
    events = frames()
    report(gateway, *([each] for each in events[:BEFORE]))
    eventually(lambda: len(collector.spans("table_gateway", PUBLISH)) == BEFORE)
    before = {each.span_id: each for each in collector.spans("table_gateway", PUBLISH)}
    assert len({each.trace_id for each in before.values()}) == BEFORE
    assert {each.parent_id for each in before.values()} == {""}

    house = Surveillance(gateway.broker)

    def settled() -> list[Exported]:
        return collector.spans("settlement", f"process {gateway.prefix}{topics.TABLE_EVENTS}")

    with ExitStack() as processes:
        for module in ("settlement", "surveillance"):
            settings = collector.environment | {"STATE_FOLDER": str(tmp_path / "states")}
            worker = house.worker(module=module, **settings)
            processes.enter_context(worker)
        # What waited is settled together: one span, linked to each of its causes.
        eventually(lambda: sum(each.messages for each in settled()) >= BEFORE)
        assert frozenset().union(*(each.links for each in settled())) == before.keys()
        together = next(each for each in settled() if len(each.links) > 1)
        assert not together.parent_id
        assert together.trace_id not in {each.trace_id for each in before.values()}

        # What comes alone is a child of its cause, in one trace through all services.
        report(gateway, events[BEFORE:])
        eventually(lambda: len(collector.spans("table_gateway", PUBLISH)) == BEFORE + 1)
        (cause,) = (
            each for each in collector.spans("table_gateway", PUBLISH) if each.span_id not in before
        )

        def children(service: str, name: str) -> set[tuple[str, str]]:
            found = collector.spans(service, name)
            return {(each.trace_id, each.parent_id) for each in found}

        joined = (cause.trace_id, cause.span_id)
        eventually(lambda: joined in children("settlement", topics.TABLE_EVENTS))
        eventually(lambda: joined in children("surveillance", topics.FINDINGS))
        eventually(lambda: joined in children("surveillance", topics.SURVEILLANCE_SIGHTINGS))
        eventually(
            lambda: any(
                each.trace_id == cause.trace_id or cause.span_id in each.links
                for each in collector.spans("accounting", "")
                if each.name.startswith("process")
            )
        )
