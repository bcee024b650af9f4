"""What the gateway reads again takes little memory, however well it was compressed."""

from __future__ import annotations

from pathlib import Path

from runtime.kafka.configuration import make_producer, producer_configuration
from tests.stack.broker import Broker
from tests.table_gateway.house import MEBIBYTE, MEMORY_GROWTH_MAX, House, frames
from wire.topics import TABLE_EVENTS

TABLES = ("BJ-1", "BJ-2", "BJ-3", "BJ-4")
EVENT_BYTES = 60_000
EVENTS = 800


def test_a_log_that_was_compressed_well_is_not_unpacked_all_at_once(
    broker: Broker, tmp_path: Path
) -> None:
    house = House(tmp_path, broker)
    house.start()
    before = house.memory_bytes_peak()
    house.kill()
    assert len(TABLES) * EVENTS * EVENT_BYTES > 3 * MEMORY_GROWTH_MAX
    fill(house)
    house.start()
    assert house.memory_bytes_peak() - before < MEMORY_GROWTH_MAX
    house.kill()


def fill(house: House) -> None:
    """As the gateway writes, with nothing in most of the bytes."""
    producer = make_producer(producer_configuration(house.broker.bootstrap))
    for table in TABLES:
        for event in frames(table, EVENTS, room=EVENT_BYTES):
            producer.produce(house.prefix + TABLE_EVENTS, event, table.encode())
            if len(producer) * EVENT_BYTES > 16 * MEBIBYTE:
                producer.flush()
    assert producer.flush(30) == 0
    producer.close()
