"""Errors of the round archive and their status codes.

ArchiveError
├── RoundNotFound          the index does not have it
├── AmbiguousRound       several rounds have that name
├── VersionNotFound        the round is there, the version is not
├── EventsMissing        the log does not have the round's events
└── NotPublishable       no filing allows the rule set

Errors of any query are in `runtime.query_errors`, those of watches in `runtime.rpc.live_watch`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc

from round_archive.domain.replay import NotReplayable
from runtime import query_errors
from runtime.rpc import live_watch


class ArchiveError(Exception):
    """The root of the tree."""


class RoundNotFound(ArchiveError):
    """`see` are calls that help to find it, between commas."""

    def __init__(self, table: str, round: str) -> None:
        self.table = table
        self.round = round
        self.see = "FindRounds,GetStatus"
        at = f" of table {table}" if table else ""
        super().__init__(
            f'round "{round}"{at} not found: check its id, or wait until it is over and indexed'
        )


class AmbiguousRound(ArchiveError):
    def __init__(self, round: str, candidates: Sequence[str]) -> None:
        self.round = round
        self.candidates = "; ".join(candidates)
        super().__init__(
            f'round "{round}" is ambiguous, set table_id or first_seq: {self.candidates}'
        )


class VersionNotFound(ArchiveError):
    def __init__(self, round: str, version: int, versions: int) -> None:
        self.round = round
        self.version = version
        self.versions = versions
        super().__init__(
            f'version {version} of round "{round}" not found: it has versions 1 to {versions}'
        )


class EventsMissing(ArchiveError):
    def __init__(self, round: str, reason: str) -> None:
        self.round = round
        self.reason = reason
        super().__init__(f'round "{round}" cannot be read from the log: {reason}')


class NotPublishable(ArchiveError):
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"invalid definition: {reason}")


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    **query_errors.STATUS_CODES,
    **live_watch.STATUS_CODES,
    RoundNotFound: grpc.StatusCode.NOT_FOUND,
    AmbiguousRound: grpc.StatusCode.FAILED_PRECONDITION,
    VersionNotFound: grpc.StatusCode.NOT_FOUND,
    EventsMissing: grpc.StatusCode.DATA_LOSS,
    NotReplayable: grpc.StatusCode.DATA_LOSS,
    NotPublishable: grpc.StatusCode.INVALID_ARGUMENT,
}
