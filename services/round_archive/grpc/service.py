"""The gRPC service: checks requests and passes each to its handler."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

from casino.settlement.v1 import service_pb2 as pb
from casino.settlement.v1.replay_pb2 import ReplayRoundResponse
from casino.settlement.v1.service_pb2_grpc import (
    SettlementServiceServicer,
    add_SettlementServiceServicer_to_server,
)
from round_archive.grpc.access import may_see_entries, may_see_hidden
from round_archive.grpc.dead_letters import DeadLetterAccess, find_dead_letters
from round_archive.grpc.finding_queries import find_findings
from round_archive.grpc.replay import replay_round
from round_archive.grpc.round_queries import find_rounds, get_round
from round_archive.grpc.round_stream import RoundStream
from round_archive.grpc.status import ArchiveStatus
from round_archive.kafka.definitions import Definitions
from round_archive.kafka.round_events import RoundEventReader
from round_archive.postgres.rebuild import rebuild
from runtime.database.pools import AsyncPool
from runtime.database.query import Database
from runtime.rpc.server import Servicer
from runtime.rpc.text_limits import reject_bad_texts

SERVICE: Final = "casino.settlement.v1.SettlementService"
Context = grpc.aio.ServicerContext[Any, Any]


class RoundArchiveServicer(SettlementServiceServicer):
    """`casino.settlement.v1.SettlementService`."""

    def __init__(
        self,
        pool: AsyncPool,
        *,
        status: ArchiveStatus,
        definitions: Definitions,
        watching: RoundStream,
        log: RoundEventReader,
        prefix: str,
    ) -> None:
        self._pool = pool
        self._database = Database(pool)
        self._status = status
        self._definitions = definitions
        self._watching = watching
        self._log = log
        self._prefix = prefix

    def servicer(self) -> Servicer:
        return Servicer(SERVICE, lambda to: add_SettlementServiceServicer_to_server(self, to))

    async def GetRound(  # noqa: N802
        self, request: pb.GetRoundRequest, context: Context
    ) -> pb.GetRoundResponse:
        del context
        reject_bad_texts(request)
        return await get_round(self._database, request, with_masked=may_see_hidden())

    async def FindRounds(  # noqa: N802
        self, request: pb.FindRoundsRequest, context: Context
    ) -> pb.FindRoundsResponse:
        del context
        reject_bad_texts(request)
        return await find_rounds(self._database, request)

    async def FindFindings(  # noqa: N802
        self, request: pb.FindFindingsRequest, context: Context
    ) -> pb.FindFindingsResponse:
        del context
        reject_bad_texts(request)
        return await find_findings(self._database, request, with_masked=may_see_hidden())

    async def ReplayRound(  # noqa: N802
        self, request: pb.ReplayRoundRequest, context: Context
    ) -> ReplayRoundResponse:
        del context
        reject_bad_texts(request)
        return await replay_round(self._database, self._log, self._definitions, request)

    def Watch(  # noqa: N802
        self, request: pb.WatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchResponse]:
        del context
        reject_bad_texts(request)
        return self._watching.watch(request, with_masked=may_see_hidden())

    async def PublishRuleSet(  # noqa: N802
        self, request: pb.PublishRuleSetRequest, context: Context
    ) -> pb.PublishRuleSetResponse:
        del context
        reject_bad_texts(request)
        return await self._definitions.publish(request.definition)

    async def ListRuleSets(  # noqa: N802
        self, request: pb.ListRuleSetsRequest, context: Context
    ) -> pb.ListRuleSetsResponse:
        del request, context
        return self._definitions.published()

    async def GetStatus(  # noqa: N802
        self, request: pb.GetStatusRequest, context: Context
    ) -> pb.GetStatusResponse:
        del context
        reject_bad_texts(request)
        return await self._status.get(request, with_masked=may_see_hidden())

    async def FindDeadLetters(  # noqa: N802
        self, request: pb.FindDeadLettersRequest, context: Context
    ) -> pb.FindDeadLettersResponse:
        del context
        reject_bad_texts(request)
        access = DeadLetterAccess(events=may_see_hidden(), entries=may_see_entries())
        return await find_dead_letters(self._database, request, access, prefix=self._prefix)

    def Rebuild(  # noqa: N802
        self, request: pb.RebuildRequest, context: Context
    ) -> AsyncIterator[pb.RebuildResponse]:
        del request, context
        return rebuild(self._pool, self._status, self._prefix)
