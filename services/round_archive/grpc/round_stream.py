"""Live rounds and findings, straight from the topics.

No message passes through the database, so a watch goes on while that is away; the index is
queried only while a watch catches up, to learn which masked findings are of finished rounds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec
from confluent_kafka import Consumer, Message
from google.protobuf.message import DecodeError
from google.protobuf.message import Message as Protobuf

from casino.settlement.v1.finding_pb2 import LEVEL_UNSPECIFIED, Finding, Level
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.settlement.v1.service_pb2 import CaughtUp, WatchRequest, WatchResponse
from casino.settlement.v1.settled_round_pb2 import SettledRound
from round_archive.grpc.masking import MaskedFindings, find_finished, finding_key, mask
from runtime import logs
from runtime.database.query import Database
from runtime.kafka.brokers import Bootstrap
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery, member
from runtime.rpc import page_tokens
from runtime.rpc.live_watch import (
    LiveWatch,
    WatchPosition,
    check_begin,
    first_positions,
    read_bounds,
    resumed_positions,
)
from wire import topics

WATCHED: Final = (topics.SETTLED_ROUNDS, topics.FINDINGS)
M = TypeVar("M", bound=Protobuf)
_log = logs.logger(__name__)


class RoundStream:
    """The watches of rounds and findings of this instance."""

    def __init__(
        self,
        bootstrap: Bootstrap,
        database: Database,
        *,
        prefix: str = "",
        watches_max: int = 64,
        quiet_seconds: float = 5.0,
        count: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._database = database
        self._prefix = prefix
        self._live = LiveWatch(
            bootstrap, watches_max=watches_max, quiet_seconds=quiet_seconds, count=count
        )

    def stop(self) -> None:
        self._live.stop()

    async def watch(
        self, request: WatchRequest, *, with_masked: bool = True
    ) -> AsyncIterator[WatchResponse]:
        """`with_masked`: whether a masked finding is sent at all."""
        if not (request.rounds or request.findings):
            raise InvalidQuery("rounds", "set rounds, findings or both")
        check_begin(resume_token=request.resume_token, from_beginning=request.from_beginning)
        round_filter = _RoundFilter(request, self._prefix, with_masked=with_masked)

        async def respond(
            position: _RoundPosition, messages: Sequence[Message]
        ) -> AsyncIterator[WatchResponse]:
            if not position.is_caught_up:
                masked = [round_filter.masked_finding(message) for message in messages]
                findings = [finding for finding in masked if finding is not None]
                round_filter.finished = await find_finished(self._database, findings)
            for message in messages:
                if position.advance(message):
                    for response in round_filter.responses(message):
                        response.resume_token = position.token()
                        yield response
            round_filter.finished = frozenset()

        async for response in self._live.run(
            partial(_begin, request=request, names=[self._prefix + name for name in WATCHED]),
            respond,
            caught_up=lambda: WatchResponse(caught_up=CaughtUp()),
            alive=WatchResponse,
        ):
            yield response


class _RoundResumePoint(msgspec.Struct, frozen=True, array_like=True):
    """The offset of every partition of both topics."""

    rounds: list[int]
    findings: list[int]


class _RoundPosition(WatchPosition):
    """The position of a watch in both topics."""

    def __init__(self, rounds: str, findings: str, positions: dict[Partition, int]) -> None:
        super().__init__(positions)
        self._rounds = rounds
        self._findings = findings

    def token(self) -> str:
        return page_tokens.encode(
            _RoundResumePoint(self.offsets(self._rounds), self.offsets(self._findings))
        )


class _RoundFilter:
    """Which rounds and findings a watch sends, masked as its caller may see them."""

    def __init__(self, request: WatchRequest, prefix: str, *, with_masked: bool) -> None:
        self._with_masked = with_masked
        self._tables = frozenset(request.tables)
        self._level = request.level and member("level", request.level, Level.values())
        self._rounds = request.rounds
        self._rounds_topic = prefix + topics.SETTLED_ROUNDS
        self._masked = MaskedFindings()
        self.finished: frozenset[tuple[str, str, int]] = frozenset()
        """Findings whose rounds are over by the index."""

    def masked_finding(self, message: Message) -> Finding | None:
        """The finding of a message, if it may have to be masked."""
        if message.error() is not None or message.topic() == self._rounds_topic:
            return None
        record = _parse(SettlementRecord, message)
        if record is None or not self._matches(record.finding):
            return None
        return record.finding if record.finding.tells_hole_card else None

    def responses(self, message: Message) -> Sequence[WatchResponse]:
        """None for an unreadable message, which the index counts, or for one that fails: a watch
        that ended would begin there again."""
        try:
            return list(self._responses(message))
        except Exception:
            _log.error("message skipped", topic=message.topic(), offset=message.offset(),
                       exc_info=True)  # fmt: skip
            return ()

    def _responses(self, message: Message) -> Iterator[WatchResponse]:
        if message.topic() == self._rounds_topic:
            settled = _parse(SettledRound, message)
            if settled is not None and settled.round and self._has_table(settled.table_id):
                if self._rounds:
                    yield WatchResponse(round=settled)
                for finding in self._masked.release(settled):
                    yield WatchResponse(finding=finding)
            return
        record = _parse(SettlementRecord, message)
        if record is None:
            return
        if record.HasField("withdrawal") and self._has_table(record.withdrawal.table_id):
            self._masked.remove(record.withdrawal)
            yield WatchResponse(withdrawal=record.withdrawal)
        elif record.HasField("finding") and self._matches(record.finding):
            response = self._finding_response(record.finding)
            if self._with_masked or not response.masked:
                yield response

    def _finding_response(self, finding: Finding) -> WatchResponse:
        is_public = not finding.tells_hole_card or self._masked.is_over(finding)
        if is_public or finding_key(finding) in self.finished:
            return WatchResponse(finding=finding)
        self._masked.add(finding)
        return WatchResponse(finding=mask(finding), masked=True)

    def _matches(self, finding: Finding) -> bool:
        is_urgent = self._level == LEVEL_UNSPECIFIED or 0 < finding.level <= self._level
        return is_urgent and self._has_table(finding.table_id)

    def _has_table(self, table: str) -> bool:
        return not self._tables or table in self._tables


def _parse(kind: type[M], message: Message) -> M | None:
    try:
        return kind.FromString(message.value() or b"")
    except DecodeError:
        return None


def _begin(consumer: Consumer, *, request: WatchRequest, names: Sequence[str]) -> _RoundPosition:
    """Assign the topics of the request, from the position that it states."""
    bounds = read_bounds(consumer, names)
    rounds, findings = names
    positions = first_positions(bounds, from_beginning=request.from_beginning)
    if request.resume_token:
        resume = page_tokens.decode("resume_token", request.resume_token, _RoundResumePoint)
        positions = resumed_positions(bounds, {rounds: resume.rounds, findings: resume.findings})
    position = _RoundPosition(rounds, findings, positions)
    # Rounds that are over release masked findings, even in a watch of findings alone.
    is_followed = {rounds: request.rounds or request.findings, findings: request.findings}
    position.assign(consumer, bounds, {name for name in names if is_followed[name]})
    return position
