"""A replay by the archive, out of the log that the brokers have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from casino.settlement.v1.service_pb2 import ReplayRoundRequest, RoundName
from pitctl.archive.client import Place, ask
from wire.replay import ReplayAnswer, read_replay

if TYPE_CHECKING:
    from casino.settlement.v1.service_pb2_grpc import SettlementServiceAsyncStub


def from_archive(
    place: Place, round: str, *, table: str, first_seq: int, version: int
) -> ReplayAnswer:
    """The round of this id; first_seq 0 is any that began with it, version 0 the one in force."""
    name = RoundName(table_id=table, round=round, first_seq=first_seq)
    request = ReplayRoundRequest(name=name, version=version)

    async def asked(archive: SettlementServiceAsyncStub) -> ReplayRoundResponse:
        return await archive.ReplayRound(request)

    return read_replay(ask(place, asked))
