"""Why a question is not answered.

ArchiveError
├── RoundNotFound          the index does not have it
├── AmbiguousRound       several rounds have that name
├── VersionNotFound        the round is there, the version is not
├── EventsMissing        the log does not have the round's events any more
├── NotPublishable       no filing allows the rule set
├── TooManyWatches       all places are taken
└── Stopping             come again, to another instance or a little later

What goes wrong with any question is in `runtime.query_errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc

from round_archive.domain.replay import NotReplayable
from runtime import query_errors


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
            f"no round {round!r}{at} is in the index: it may not be over, its id may be another,"
            " or the index is behind"
        )


class AmbiguousRound(ArchiveError):
    def __init__(self, round: str, candidates: Sequence[str]) -> None:
        self.round = round
        self.candidates = "; ".join(candidates)
        super().__init__(f"several rounds are called {round!r}, say which: {self.candidates}")


class VersionNotFound(ArchiveError):
    def __init__(self, round: str, version: int, versions: int) -> None:
        self.round = round
        self.version = version
        self.versions = versions
        super().__init__(f"round {round!r} has the versions 1 to {versions}, not {version}")


class EventsMissing(ArchiveError):
    def __init__(self, round: str, reason: str) -> None:
        self.round = round
        self.reason = reason
        super().__init__(f"round {round!r} cannot be read from the log: {reason}")


class NotPublishable(ArchiveError):
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"definition: {reason}")


class TooManyWatches(ArchiveError):
    def __init__(self, watches_max: int) -> None:
        self.watches_max = watches_max
        super().__init__(
            f"{watches_max} watch here already, which is the limit: end one, ask another instance,"
            " or raise WATCHES_MAX"
        )


class Stopping(ArchiveError):
    def __init__(self) -> None:
        super().__init__("this instance stops: go on with your resume token at another")


STATUS_CODES: Mapping[type[Exception], grpc.StatusCode] = {
    **query_errors.STATUS_CODES,
    RoundNotFound: grpc.StatusCode.NOT_FOUND,
    AmbiguousRound: grpc.StatusCode.FAILED_PRECONDITION,
    VersionNotFound: grpc.StatusCode.NOT_FOUND,
    EventsMissing: grpc.StatusCode.DATA_LOSS,
    NotReplayable: grpc.StatusCode.DATA_LOSS,
    NotPublishable: grpc.StatusCode.INVALID_ARGUMENT,
    TooManyWatches: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Stopping: grpc.StatusCode.UNAVAILABLE,
}
