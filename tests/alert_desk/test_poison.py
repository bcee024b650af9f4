"""No message stops the desk: what it cannot list is rejected alone, and the rest is listed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from runtime.kafka.configuration import make_producer, producer_configuration
from runtime.kafka.partitioner import partition_of
from runtime.kafka.records import header
from tests.alert_desk.house import House, an_alert
from wire import headers, topics

ALERTS = topics.PARTITIONS[topics.ALERTS]


def test_poison_among_alerts_becomes_dead_letters(make_house: Callable[..., House]) -> None:
    house = make_house()
    producer = make_producer(producer_configuration(house.broker.bootstrap))

    def say(key: bytes | None, value: bytes | None, partition: int = -1) -> None:
        producer.produce(house.topic(topics.ALERTS), value, key, partition)

    sound = an_alert("sound").SerializeToString()
    say(b"sound", sound)
    say(b"sound", b"\xff\xfe")
    say(b"sound", None)
    say(b"another", sound)
    say(b"sound", sound, (partition_of(b"sound", ALERTS) + 1) % ALERTS)
    say(None, sound, partition_of(b"sound", ALERTS))
    say(b"later", an_alert("later").SerializeToString())
    assert producer.flush(30) == 0
    house.start()
    asyncio.run(house.caught_up())
    listed = {row[0] for row in house.rows_of("alerts")["alerts"]}
    assert {"sound", "later"} <= listed
    assert "another" not in listed
    letters = house.broker.read(house.topic(topics.DEAD_LETTERS))
    codes = sorted((header(each, headers.CODE) or b"").decode() for each in letters)
    assert codes == ["misplaced"] * 2 + ["unreadable"] * 3
    assert house.stop() == 0
