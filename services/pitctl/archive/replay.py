"""A replay by the archive, from the log in Kafka."""

from __future__ import annotations

from casino.settlement.v1.service_pb2 import ReplayRoundRequest, RoundName
from pitctl.archive.client import query_archive
from pitctl.connection.channel import Endpoint
from wire.replay import ReplayAnswer, read_replay


def from_archive(
    place: Endpoint, round: str, *, table: str, first_seq: int, version: int
) -> ReplayAnswer:
    """The round of this id; first_seq 0 matches any, version 0 is the latest."""
    name = RoundName(table_id=table, round=round, first_seq=first_seq)
    request = ReplayRoundRequest(name=name, version=version)

    return read_replay(query_archive(place, lambda archive: archive.ReplayRound(request)))
