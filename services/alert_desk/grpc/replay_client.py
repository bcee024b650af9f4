"""The replay of the round behind an alert, from the round archive."""

from __future__ import annotations

from typing import Final

import grpc

from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from casino.settlement.v1.service_pb2 import ReplayRoundRequest, RoundName
from casino.settlement.v1.service_pb2_grpc import SettlementServiceStub
from casino.surveillance.v1.alert_pb2 import Alert
from runtime.addresses import Address
from runtime.rpc.links import Links

ARCHIVE: Final = "round_archive"
CALL_SECONDS_MAX: Final = 10.0


class ReplayUnavailable(Exception):
    """No replay, with the reason."""


class ReplayClient:
    def __init__(self, links: Links, archive: Address | None) -> None:
        self._links = links
        self._archive = archive

    async def replay(self, alert: Alert, round: str) -> ReplayRoundResponse:
        name = _round_name(alert, round)
        if self._archive is None:
            raise ReplayUnavailable(
                "the round archive is not configured: set ROUND_ARCHIVE_ADDRESS"
            )
        stub = SettlementServiceStub(self._links.to(ARCHIVE, self._archive))
        try:
            answer: ReplayRoundResponse = await stub.ReplayRound(
                ReplayRoundRequest(name=name), timeout=CALL_SECONDS_MAX
            )
        except grpc.aio.AioRpcError as failed:
            reason = failed.details() or failed.code().name.lower()
            raise ReplayUnavailable(f"round archive: {reason}") from None
        return answer


def _round_name(alert: Alert, round: str) -> RoundName:
    """The requested round, or else the alert's, or else that of its first evidence."""
    matching = [item for item in alert.evidence if item.round and round in ("", item.round)]
    if round:
        if not matching and round != alert.round:
            known = ", ".join(dict.fromkeys(item.round for item in alert.evidence if item.round))
            raise ReplayUnavailable(
                f"round {round!r} is not evidence of this alert; its rounds: {known or 'none'}"
            )
        table = matching[0].table_id if matching else alert.table_id
        return RoundName(table_id=table, round=round)
    if alert.round:
        return RoundName(table_id=alert.table_id, round=alert.round)
    if matching:
        return RoundName(table_id=matching[0].table_id, round=matching[0].round)
    raise ReplayUnavailable("the alert is not about a single round")
