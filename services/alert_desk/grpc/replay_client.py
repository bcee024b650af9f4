"""The round that shows an alert, asked of the archive."""

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
ASK_SECONDS_MAX: Final = 10.0


class ReplayUnavailable(Exception):
    """There is none, and this is why."""


class ReplayClient:
    def __init__(self, links: Links, archive: Address | None) -> None:
        self._links = links
        self._archive = archive

    async def replay(self, alert: Alert, round: str) -> ReplayRoundResponse:
        name = _round_name(alert, round)
        if self._archive is None:
            raise ReplayUnavailable(
                "the archive of rounds is not known: ROUND_ARCHIVE_ADDRESS is not set"
            )
        stub = SettlementServiceStub(self._links.to(ARCHIVE, self._archive))
        try:
            answer: ReplayRoundResponse = await stub.ReplayRound(
                ReplayRoundRequest(name=name), timeout=ASK_SECONDS_MAX
            )
        except grpc.aio.AioRpcError as failed:
            said = failed.details() or failed.code().name.lower()
            raise ReplayUnavailable(f"the archive of rounds: {said}") from None
        return answer


def _round_name(alert: Alert, round: str) -> RoundName:
    """The round that is asked for, or the one that the alert names, or its first evidence's."""
    shown = [each for each in alert.evidence if each.round and round in ("", each.round)]
    if round:
        if not shown and round != alert.round:
            known = ", ".join(dict.fromkeys(each.round for each in alert.evidence if each.round))
            raise ReplayUnavailable(
                f"it does not rest on round {round!r}, but on {known or 'none'}"
            )
        table = shown[0].table_id if shown else alert.table_id
        return RoundName(table_id=table, round=round)
    if alert.round:
        return RoundName(table_id=alert.table_id, round=alert.round)
    if shown:
        return RoundName(table_id=shown[0].table_id, round=shown[0].round)
    raise ReplayUnavailable("it is about no single round")
