"""What settlement says to an archive, and what the archive is asked."""

from __future__ import annotations

import asyncio
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.finding_pb2 import LEVEL_P3, Finding
from casino.settlement.v1.settled_round_pb2 import ROUND_STATUS_SETTLED, SettledRound
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.round_archive.house import House
from tests.settlement.streams import bad_day
from wire import decode_event

AT = 1_772_396_100


def a_round(name: str, *, table: str = "BJ-01", first_seq: int = 5, **changed: Any) -> SettledRound:
    return SettledRound(
        table_id=table,
        round=name,
        first_seq=first_seq,
        last_seq=first_seq + 9,
        opened_at=Timestamp(seconds=AT + first_seq),
        closed_at=Timestamp(seconds=AT + first_seq + 40),
        **{"version": 1, "status": ROUND_STATUS_SETTLED, **changed},
    )


def a_finding(name: str, *, table: str = "BJ-01", seq: int = 7, **changed: Any) -> Finding:
    return Finding(
        id=name,
        table_id=table,
        seq=seq,
        at=Timestamp(seconds=AT + seq),
        **{
            "kind": "payout.overpaid",
            "level": LEVEL_P3,
            "text": "18 was paid as 20",
            "detail": "18 was dealt",
            "cents": 500,
            "round": "R-1",
            **changed,
        },
    )


def ask(house: House, method: str, request: Any) -> Any:
    async def asked() -> Any:
        await house.indexed()
        async with house.stub() as stub:
            return await getattr(stub, method)(request)

    return asyncio.run(asked())


def get(house: House, name: str, *, version: int = 0, **named_by: Any) -> pb.GetRoundResponse:
    named = pb.RoundName(round=name, **named_by)
    answer = ask(house, "GetRound", pb.GetRoundRequest(name=named, version=version))
    assert isinstance(answer, pb.GetRoundResponse)
    return answer


def frames(seed: int, tables: int, rounds: int) -> list[tuple[str, bytes, int]]:
    """Tables on a bad day: late, lost and repeated events, so that rounds have versions."""
    found = []
    for number in range(tables):
        spec = specs(GAMES[number % len(GAMES)])[0]
        table = f"BJ-{number:02d}"
        day = bad_day(seed=seed + number, spec=spec, rounds=rounds, table=table)
        found += [(table, data, decode_event(data).at + 40_000) for data in day]
    return found


def rebuilt(house: House) -> list[pb.RebuildResponse]:
    async def rebuild() -> list[pb.RebuildResponse]:
        async with house.stub() as stub:
            return [each async for each in stub.Rebuild(pb.RebuildRequest())]

    return asyncio.run(rebuild())
