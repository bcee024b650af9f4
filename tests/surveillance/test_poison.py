"""Poison in every topic that a worker reads: it is set aside, and the rest goes on."""

from __future__ import annotations

import msgspec

from runtime.kafka.partitioner import partition_of
from surveillance.domain import subjects
from surveillance.domain.sightings import SourcedSighting, SubjectSighting, TableCaughtUp
from surveillance.kafka.sighting_records import Sighted, messages
from tests.settlement.floor import eventually
from tests.settlement.trouble import spoilt_day
from tests.stack.broker import Broker
from tests.stack.foreign import write_with_a_bad_header
from tests.surveillance.house import House
from wire import topics

SIGHTINGS = topics.PARTITIONS[topics.SURVEILLANCE_SIGHTINGS]
DEFINED = (topics.CATALOGUE, topics.SURVEILLANCE_DEFINITIONS)


def sighting() -> bytes:
    (message,) = messages(
        "",
        [
            Sighted(
                SourcedSighting(
                    "clock/0", 1, 0, SubjectSighting("patron:SOMEBODY", TableCaughtUp("T1", 1))
                )
            )
        ],
    )
    return message.value or b""


def test_poison_is_set_aside_with_its_place_and_the_rest_goes_on(broker: Broker) -> None:
    house = House(broker)
    poisoned = (*house.inputs, *DEFINED, topics.SURVEILLANCE_SIGHTINGS)
    for name in poisoned:
        for partition in range(topics.PARTITIONS[name]):
            broker.write(house.topic(name), [b"\xff poison"], key=b"k", partition=partition)
    wanted = {
        (house.topic(name), partition, 0)
        for name in poisoned
        # What is no event is settlement's to set aside.
        if name not in (topics.DEAD_LETTERS, topics.TABLE_EVENTS)
        for partition in range(topics.PARTITIONS[name])
    }
    house.fill(spoilt_day(2, tables=2, rounds=3))
    with house.worker() as worker:
        eventually(lambda: len(house.set_aside()) == len(wanted))
        house.agrees()
        letters = house.set_aside()
        assert worker.stop() == 0
    assert set(letters) == wanted
    homes = {partition_of(b"k", 12)}
    for (topic, partition, _), code in letters.items():
        keyed = topic in (house.topic(topics.FINDINGS), house.topic(topics.SETTLED_ROUNDS))
        assert code == ("misplaced" if keyed and partition not in homes else "unreadable"), topic


def test_no_bytes_of_sightings_states_or_headers_end_a_worker(broker: Broker) -> None:
    """Text that is not UTF-8, a state that is none, a copy elsewhere, a header without a name."""
    house = House(broker)
    sightings = house.topic(topics.SURVEILLANCE_SIGHTINGS)
    home = partition_of(b"patron:SOMEBODY", SIGHTINGS)
    no_text = sighting().replace(b"SOMEBODY", b"\xff\xfe\xfd\xfcBODY")
    deep = b"\x91" * 100_000
    broker.write(sightings, [no_text, deep, b""], key=b"k", partition=home)
    broker.write(sightings, [sighting()], key=b"k", partition=(home + 1) % SIGHTINGS)
    table = b"T-1"
    for name in (topics.FINDINGS, topics.SURVEILLANCE_SETTINGS):
        write_with_a_bad_header(broker.bootstrap, house.topic(name), b"\xff", key=table)
    floor = subjects.FLOOR.encode()
    state = msgspec.msgpack.encode({"seen": 7})
    place = partition_of(floor, SIGHTINGS)
    broker.write(house.topic(topics.SURVEILLANCE_STATES), [state], key=floor, partition=place)
    house.fill(spoilt_day(3, tables=2, rounds=3))
    with house.worker() as worker:
        house.agrees()
        eventually(lambda: len(house.set_aside()) == 7)
        codes = sorted(house.set_aside().values())
        assert worker.stop() == 0
    assert codes == ["misplaced", "not_watched"] + ["unreadable"] * 5
    with house.worker() as worker:
        worker.wait_for("ready")
        assert worker.stop() == 0
