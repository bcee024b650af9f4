"""Each thing a person may remember of a round leads to it, and to no other."""

from __future__ import annotations

import asyncio

from casino.settlement.v1 import service_pb2 as pb
from tests.round_archive.house import House
from tests.table_simulator.days import a_day
from wire import topics


def test_a_day_is_found_as_it_was_said(house: House) -> None:
    day = a_day(1, tables=6, rounds=6, every=3)
    house.settle([(each.stream, each.data, each.ingested_at) for each in day.frames])

    async def ask() -> None:
        await house.indexed()
        async with house.stub() as stub:
            status = await stub.GetStatus(pb.GetStatusRequest())
            print(status)
            found = await stub.FindRounds(pb.FindRoundsRequest(page_size=500))
            print(len(found.rounds), found.rounds[0])
            got = await stub.GetRound(
                pb.GetRoundRequest(name=pb.RoundName(round=found.rounds[0].round))
            )
            assert got.round.round == found.rounds[0].round
            findings = await stub.FindFindings(pb.FindFindingsRequest())
            print(len(findings.findings))

    asyncio.run(ask())
    said = house.broker.read(house.topic(topics.SETTLED_ROUNDS))
    assert len(said) > 20
    assert house.stop() == 0
