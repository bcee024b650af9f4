"""The desk's own alert about surveillance, which does not run here: raised, and withdrawn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from typing import Any

from confluent_kafka import Consumer, TopicPartition

from alert_desk.kafka.lag_alert import ID, KIND, WATCHED
from casino.operations.v1.readers_pb2 import ListReadersRequest, ListReadersResponse
from casino.operations.v1.readers_pb2_grpc import ReaderServiceStub
from casino.settlement.v1.finding_pb2 import LEVEL_P1
from casino.surveillance.v1 import service_pb2 as pb
from casino.surveillance.v1.alert_pb2 import ALERT_STATE_STANDING, ALERT_STATE_WITHDRAWN
from operations.readers import SURVEILLANCE_GROUPS
from provisioning.kafka.topics import Topic, ensure_topics
from surveillance.kafka.decoding import Reading
from surveillance.kafka.faust_app import GROUP, SIEVE
from tests.alert_desk.house import House
from tests.stack.service_house import eventually
from wire import topics


def read_by_surveillance(house: House) -> None:
    """All topics that it reads, one partition each where the desk has not made them."""
    names = {name for read in SURVEILLANCE_GROUPS.values() for name in read}
    made = [
        Topic(house.topic(name), 1, topics.configuration(name))
        for name in names - {topics.SURVEILLANCE_SETTINGS}
    ]
    house.broker._made += ensure_topics(house.broker.admin, made).created


def read_up_to(house: House, offset: int) -> None:
    """As surveillance commits it."""
    group = {"bootstrap.servers": house.broker.bootstrap, "group.id": house.prefix + GROUP}
    with closing(Consumer(group)) as consumer:
        place = TopicPartition(house.topic(topics.FINDINGS), 0, offset)
        consumer.commit(offsets=[place], asynchronous=False)


def alerts(house: House, *, withdrawn: bool = False) -> list[Any]:
    request = pb.ListAlertsRequest(kind=KIND, with_withdrawn=withdrawn)
    return [each.alert for each in house.call(request).alerts]


def listed(house: House) -> ListReadersResponse:
    async def ask() -> ListReadersResponse:
        async with house.channel("service", "console") as channel:
            stub: Any = ReaderServiceStub(channel)
            answer: ListReadersResponse = await stub.ListReaders(ListReadersRequest())
            return answer

    return asyncio.run(ask())


def test_the_desk_watches_every_topic_that_surveillance_reads() -> None:
    agents = {*Reading(lambda: None).by_topic, topics.SURVEILLANCE_SIGHTINGS}  # type: ignore[arg-type,return-value]
    assert {*SURVEILLANCE_GROUPS[GROUP]} == agents
    assert SURVEILLANCE_GROUPS[f"{GROUP}-{SIEVE}"] == (topics.TABLE_EVENTS,)
    assert set(SURVEILLANCE_GROUPS) == {GROUP, f"{GROUP}-{SIEVE}"}


def test_surveillance_that_is_stuck_raises_one_alert_that_ends_by_itself(
    make_house: Callable[..., House],
) -> None:
    house = make_house()
    read_by_surveillance(house)
    house.start()
    house.broker.write(house.topic(topics.FINDINGS), [b"x", b"y"])
    eventually(lambda: len(alerts(house)) == 1)
    (alert,) = alerts(house)
    assert (alert.id, alert.level, alert.state) == (ID, LEVEL_P1, ALERT_STATE_STANDING)
    assert alert.sentence.startswith("Surveillance is ")
    assert alert.sentence.endswith(" seconds behind. Alerts may be late.")
    answer = listed(house)
    (late,) = answer.late_services
    assert late.service == "surveillance"
    assert late.seconds_behind > 5
    behind = [each for each in answer.readers if each.service == WATCHED and each.unread_messages]
    assert [(each.reader, each.topic, each.unread_messages) for each in behind] == [
        ("surveillance", topics.FINDINGS, 2)
    ]

    house.kill()  # in the midst of it: the next desk goes on with the same alert
    house.start()
    read_up_to(house, 2)
    eventually(lambda: not alerts(house))
    (ended,) = alerts(house, withdrawn=True)
    assert (ended.id, ended.state) == (ID, ALERT_STATE_WITHDRAWN)
    assert ended.withdrawn_because.startswith("Surveillance caught up at ")
    notes = house.call(pb.GetAlertRequest(alert_id=ID)).journal
    assert [each.text for each in notes if each.action == "withdrawn"] == [ended.withdrawn_because]
    assert not listed(house).late_services

    house.broker.write(house.topic(topics.FINDINGS), [b"z"])
    eventually(lambda: len(alerts(house)) == 1)
    (again,) = alerts(house)
    assert (again.id, again.evidence_count) == (ID, 2)
    assert again.revision > ended.revision
