"""Which tables are in quarantine: told by the index, until something of them is settled again."""

from __future__ import annotations

import asyncio

from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.settled_round_pb2 import ROUND_STATUS_SETTLED, SettledRound
from runtime.kafka.records import Output
from tests.round_archive.house import House
from wire import headers, topics


def say_aside(house: House, table: str, *offsets: int) -> None:
    """As settlement does of every event of a table that is in quarantine."""
    house.say(
        Output(
            house.topic(topics.DEAD_LETTERS),
            b"an event",
            table.encode(),
            headers=[
                (headers.SOURCE_TOPIC, house.topic(topics.TABLE_EVENTS).encode()),
                (headers.SOURCE_PARTITION, b"0"),
                (headers.SOURCE_OFFSET, b"%d" % offset),
                (headers.CODE, b"quarantined"),
                (headers.REASON, b"quarantined"),
                (headers.TABLE, table.encode()),
            ],
        )
        for offset in offsets
    )


def say_round(house: House, table: str, *, offset: int) -> None:
    said = SettledRound(
        table_id=table,
        round=f"R-{offset}",
        first_seq=offset,
        last_seq=offset + 1,
        opened_at=Timestamp(seconds=1_772_396_100 + offset),
        closed_at=Timestamp(seconds=1_772_396_140 + offset),
        version=1,
        status=ROUND_STATUS_SETTLED,
    )
    house.say_round(said, offset=offset)


def quarantined(house: House) -> list[str]:
    async def asked() -> pb.GetStatusResponse:
        await house.indexed()
        async with house.stub() as stub:
            answer: pb.GetStatusResponse = await stub.GetStatus(pb.GetStatusRequest())
            return answer

    status = asyncio.run(asked())
    assert all(each.HasField("since") for each in status.quarantined)
    return [each.table_id for each in status.quarantined]


def test_a_table_is_named_from_the_event_that_broke_it_until_it_is_settled_again(
    house: House,
) -> None:
    assert quarantined(house) == []
    say_round(house, "BJ-01", offset=10)
    say_aside(house, "BJ-01", 11, 12, 15)
    say_aside(house, "BJ-02", 3)  # nothing was ever settled of it
    say_round(house, "BJ-03", offset=20)
    assert quarantined(house) == ["BJ-01", "BJ-02"]
    # Lifted: what was withheld is said, by an event that had been set aside.
    say_round(house, "BJ-01", offset=12)
    assert quarantined(house) == ["BJ-02"]
    say_round(house, "BJ-01", offset=30)
    say_aside(house, "BJ-01", 31)
    assert quarantined(house) == ["BJ-01", "BJ-02"]
