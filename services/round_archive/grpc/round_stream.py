"""Rounds and findings as they come, straight from the topics.

Each watch has a consumer of its own and is read only as fast as its client takes: while an answer
is being written nothing is consumed, and the library holds no more than a fixed number of bytes.
Nothing passes through the database, so a watch goes on while that is away, and at any instance;
it is asked only, while a watch catches up, whether a round is over that has something to hide.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

import msgspec
from confluent_kafka import Consumer, Message, TopicPartition
from google.protobuf.message import DecodeError
from google.protobuf.message import Message as Protobuf

from casino.settlement.v1.finding_pb2 import LEVEL_UNSPECIFIED, Finding, Level
from casino.settlement.v1.record_pb2 import SettlementRecord
from casino.settlement.v1.service_pb2 import CaughtUp, WatchRequest, WatchResponse
from casino.settlement.v1.settled_round_pb2 import SettledRound
from round_archive.grpc.errors import Stopping, TooManyWatches
from round_archive.grpc.masking import MaskedFindings, find_finished, finding_key, mask
from runtime import logs
from runtime.database.query import Database
from runtime.kafka.brokers import Bootstrap
from runtime.kafka.topic_reader import partitions_of
from runtime.kafka.topic_watch import Watches, WatchPlace, take
from runtime.positions import Partition
from runtime.query_errors import InvalidQuery, member
from runtime.rpc import page_tokens
from wire import topics

WATCHED: Final = (topics.SETTLED_ROUNDS, topics.FINDINGS)
M = TypeVar("M", bound=Protobuf)
_ANSWER_SECONDS: Final = 10.0
_log = logs.logger(__name__)


class _RoundResumePoint(msgspec.Struct, frozen=True, array_like=True):
    """Where to go on in every partition of both topics."""

    rounds: list[int]
    findings: list[int]


class RoundStream:
    """All watches of this instance."""

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
        self._quiet_seconds = quiet_seconds
        self._stopping = False
        self._watches = Watches(
            bootstrap, watches_max=watches_max, too_many=TooManyWatches, count=count
        )

    def stop(self) -> None:
        """Every watch ends soon, and is told to go on elsewhere."""
        self._stopping = True

    async def watch(
        self, request: WatchRequest, *, with_masked: bool = True
    ) -> AsyncIterator[WatchResponse]:
        """`with_masked`: whether a finding that is masked is told of at all."""
        if not (request.rounds or request.findings):
            raise InvalidQuery("rounds", "neither rounds nor findings are asked for: set one")
        if request.resume_token and request.from_beginning:
            raise InvalidQuery("from_beginning", "with a resume_token the watch goes on from there")
        wanted = _RoundFilter(request, self._prefix, with_masked=with_masked)
        async with self._watches.opened() as (consumer, thread):
            async for answer in self._answers(request, wanted, consumer, thread):
                yield answer

    async def _answers(
        self,
        request: WatchRequest,
        wanted: _RoundFilter,
        consumer: Consumer,
        thread: ThreadPoolExecutor,
    ) -> AsyncIterator[WatchResponse]:
        loop = asyncio.get_running_loop()
        place = await loop.run_in_executor(
            thread, _begin, consumer, request, [self._prefix + name for name in WATCHED]
        )
        behind = True
        told_at = time.monotonic()
        while True:
            if self._stopping:
                raise Stopping
            messages = await loop.run_in_executor(thread, take, consumer)
            if behind:
                secrets = [each for each in map(wanted.secret, messages) if each is not None]
                wanted.over = await find_finished(self._database, secrets)
            for message in messages:
                for answer in wanted.safe_answers(message) if place.take(message) else ():
                    answer.resume_token = place.token()
                    yield answer
                    told_at = time.monotonic()
            wanted.over = frozenset()
            if behind and place.is_caught_up():
                behind = False
                yield WatchResponse(caught_up=CaughtUp(), resume_token=place.token())
                told_at = time.monotonic()
            if time.monotonic() - told_at >= self._quiet_seconds:
                yield WatchResponse(resume_token=place.token())
                told_at = time.monotonic()


class _RoundPosition(WatchPlace):
    """Where a watch is in both topics, and where they ended when it began."""

    def __init__(self, rounds: str, findings: str, positions: dict[Partition, int]) -> None:
        super().__init__(positions)
        self._rounds = rounds
        self._findings = findings

    def token(self) -> str:
        return page_tokens.encode(
            _RoundResumePoint(self.offsets(self._rounds), self.offsets(self._findings))
        )


class _RoundFilter:
    """What of the topics a watch is for, as it may be told live."""

    def __init__(self, request: WatchRequest, prefix: str, *, with_masked: bool) -> None:
        self._with_masked = with_masked
        self._tables = frozenset(request.tables)
        self._level = request.level and member("level", request.level, Level.values())
        self._rounds = request.rounds
        self._rounds_topic = prefix + topics.SETTLED_ROUNDS
        self._hidden = MaskedFindings()
        self.over: frozenset[tuple[str, str, int]] = frozenset()
        """Findings whose rounds the index knows to be over."""

    def secret(self, message: Message) -> Finding | None:
        """A finding that may have to be masked."""
        if message.error() is not None or message.topic() == self._rounds_topic:
            return None
        record = _read(SettlementRecord, message)
        if record is None or not self._is_wanted(record.finding):
            return None
        return record.finding if record.finding.tells_hole_card else None

    def safe_answers(self, message: Message) -> Sequence[WatchResponse]:
        """The same, and nothing where it fails: a watch that ended would begin there again."""
        try:
            return list(self.answers(message))
        except Exception:
            _log.error("message not told", topic=message.topic(), offset=message.offset(),
                       exc_info=True)  # fmt: skip
            return ()

    def answers(self, message: Message) -> Iterator[WatchResponse]:
        """What a message lets be told; nothing of what no codec reads: the index tells of that."""
        if message.topic() == self._rounds_topic:
            said = _read(SettledRound, message)
            if said is not None and said.round and self._is_of(said.table_id):
                if self._rounds:
                    yield WatchResponse(round=said)
                for finding in self._hidden.end(said):
                    yield WatchResponse(finding=finding)
            return
        record = _read(SettlementRecord, message)
        if record is None:
            return
        if record.HasField("withdrawal") and self._is_of(record.withdrawal.table_id):
            self._hidden.forget(record.withdrawal)
            yield WatchResponse(withdrawal=record.withdrawal)
        elif record.HasField("finding") and self._is_wanted(record.finding):
            found = self._found(record.finding)
            if self._with_masked or not found.masked:
                yield found

    def _found(self, finding: Finding) -> WatchResponse:
        is_told = not finding.tells_hole_card or self._hidden.is_over(finding)
        if is_told or finding_key(finding) in self.over:
            return WatchResponse(finding=finding)
        self._hidden.keep(finding)
        return WatchResponse(finding=mask(finding), masked=True)

    def _is_wanted(self, finding: Finding) -> bool:
        is_urgent = self._level == LEVEL_UNSPECIFIED or 0 < finding.level <= self._level
        return is_urgent and self._is_of(finding.table_id)

    def _is_of(self, table: str) -> bool:
        return not self._tables or table in self._tables


def _read(kind: type[M], message: Message) -> M | None:
    try:
        return kind.FromString(message.value() or b"")
    except DecodeError:
        return None


def _begin(consumer: Consumer, request: WatchRequest, names: Sequence[str]) -> _RoundPosition:
    """Assigns what is wanted, from where the request says."""
    bounds: dict[Partition, tuple[int, int]] = {}
    for name in names:
        for number in range(partitions_of(consumer, name)):
            at = TopicPartition(name, number)
            bounds[Partition(name, number)] = consumer.get_watermark_offsets(
                at, timeout=_ANSWER_SECONDS
            )
    rounds, findings = names
    begun = {at: begin if request.from_beginning else end for at, (begin, end) in bounds.items()}
    if request.resume_token:
        begun = _resumed(request.resume_token, bounds, rounds)
    place = _RoundPosition(rounds, findings, begun)
    # Rounds that pass let masked findings be told, whether or not they are wanted themselves.
    is_wanted = {rounds: request.rounds or request.findings, findings: request.findings}
    wanted = {at: offset for at, offset in begun.items() if is_wanted[at.topic]}
    place.left = {at: bounds[at][1] for at, offset in wanted.items() if offset < bounds[at][1]}
    consumer.assign([TopicPartition(*at, offset) for at, offset in wanted.items()])
    return place


def _resumed(
    token: str, bounds: dict[Partition, tuple[int, int]], rounds: str
) -> dict[Partition, int]:
    resume = page_tokens.decode("resume_token", token, _RoundResumePoint)
    found: dict[Partition, int] = {}
    given = {True: resume.rounds, False: resume.findings}
    for at in bounds:
        offsets = given[at.topic == rounds]
        if at.partition >= len(offsets) or not 0 <= offsets[at.partition] <= bounds[at][1]:
            raise InvalidQuery("resume_token", "it is of another log: watch from the beginning")
        found[at] = offsets[at.partition]
    if len(found) != len(resume.rounds) + len(resume.findings):
        raise InvalidQuery("resume_token", "it is of another log: watch from the beginning")
    return found
